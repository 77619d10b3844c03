//! Serving until told to stop, then stopping in order and within a bound.

use std::time::Duration;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{router::router, state::Gateway};

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Every request under way was answered.
    Drained,
    /// Some were not answered within the bound.
    Abandoned,
}

/// Serves until `stop`: then no new connection is accepted, requests under way are answered, and
/// what takes longer than the drain is abandoned.
pub async fn serve(
    listener: TcpListener,
    gateway: Gateway,
    stop: CancellationToken,
) -> std::io::Result<Stopped> {
    let drain: Duration = gateway.options.shutdown_drain;
    let service = router(&gateway).with_state(gateway).into_make_service();
    // Small answers must not wait for more to send.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY could not be set");
        }
    });
    let signal = stop.clone().cancelled_owned();
    let serving = axum::serve(listener, service).with_graceful_shutdown(signal);
    let deadline = async {
        stop.cancelled().await;
        tokio::time::sleep(drain).await;
    };
    tokio::select! {
        outcome = serving.into_future() => outcome.map(|()| Stopped::Drained),
        () = deadline => Ok(Stopped::Abandoned),
    }
}
