//! Serving until told to stop, then stopping in order and within a bound.
//!
//! Owns connections: how many, how long one may take to say what it wants, and their end. What is
//! said on them is the router's.

use std::{io, pin::pin, sync::Arc, time::Duration};

use axum::Router;
use domain::limits::CONNECTIONS_MAX;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{router::router, state::Gateway};

/// Pause after a failure to accept that is ours (no more files), so that it does not spin.
const ACCEPT_RETRY_AFTER: Duration = Duration::from_millis(200);

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
) -> io::Result<Stopped> {
    let gateway = gateway.until(stop.clone());
    let sockets = gateway.sockets.open.clone();
    let (drain, head) = (
        gateway.options.shutdown_drain,
        gateway.options.request_timeout,
    );
    let connection = Connection {
        builder: builder(head),
        head,
        service: TowerToHyperService::new(router(&gateway).with_state(gateway)),
        stop: stop.clone(),
        abandon: CancellationToken::new(),
    };
    // INVARIANT: when this function has returned, or was dropped, no request is worked on.
    let _abandon = connection.abandon.clone().drop_guard();
    let connections = TaskTracker::new();
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = accept(&listener, &room) => accepted,
        };
        if let Some((stream, permit)) = accepted {
            connections.spawn(connection.clone().serve(stream, permit));
        }
    }
    drop(listener);
    connections.close();
    sockets.close();
    let ended = async { tokio::join!(connections.wait(), sockets.wait()) };
    match tokio::time::timeout(drain, ended).await {
        Ok(((), ())) => Ok(Stopped::Drained),
        Err(_) => Ok(Stopped::Abandoned),
    }
}

/// HTTP/1 and HTTP/2. A client must say within `head` what it wants: connections are few, and one
/// that says nothing would keep its place for ever.
fn builder(head: Duration) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(head);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(head)
        .keep_alive_timeout(head);
    builder
}

/// The next connection, once there is room for one; `None` if it was gone before it was ours.
async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let permit = room.clone().acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            // Small answers must not wait for more to send.
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "TCP_NODELAY could not be set");
            }
            Some((stream, permit))
        }
        Err(error) => {
            let theirs = [
                io::ErrorKind::ConnectionAborted,
                io::ErrorKind::ConnectionReset,
                io::ErrorKind::ConnectionRefused,
            ];
            if !theirs.contains(&error.kind()) {
                tracing::error!(%error, "connections cannot be accepted");
                tokio::time::sleep(ACCEPT_RETRY_AFTER).await;
            }
            None
        }
    }
}

/// What an HTTP/2 connection begins with.
const HTTP2_PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Pause before another look at a connection that has sent a part of it.
const PREFACE_RETRY_AFTER: Duration = Duration::from_millis(10);

/// Waits until it is clear which version of HTTP the client speaks. The library waits for that
/// without a bound; everything after it has one.
async fn begins(stream: &TcpStream) -> bool {
    let mut first = [0; HTTP2_PREFACE.len()];
    loop {
        match stream.peek(&mut first).await {
            Ok(0) | Err(_) => return false,
            Ok(count) if count == first.len() || first[..count] != HTTP2_PREFACE[..count] => {
                return true;
            }
            Ok(_) => tokio::time::sleep(PREFACE_RETRY_AFTER).await,
        }
    }
}

/// What every connection is served with.
#[derive(Clone)]
struct Connection {
    builder: Builder<TokioExecutor>,
    head: Duration,
    service: TowerToHyperService<Router>,
    stop: CancellationToken,
    abandon: CancellationToken,
}

impl Connection {
    async fn serve(self, stream: TcpStream, _room: OwnedSemaphorePermit) {
        let begins = tokio::time::timeout(self.head, begins(&stream));
        let begun = tokio::select! {
            begun = begins => begun.unwrap_or(false),
            () = self.stop.cancelled() => false,
        };
        if !begun {
            return;
        }
        let io = TokioIo::new(stream);
        let mut connection = pin!(
            self.builder
                .serve_connection_with_upgrades(io, self.service)
        );
        let mut stopping = false;
        loop {
            tokio::select! {
                outcome = connection.as_mut() => {
                    if let Err(error) = outcome {
                        tracing::debug!(error, "a connection ended badly");
                    }
                    return;
                }
                () = self.stop.cancelled(), if !stopping => {
                    stopping = true;
                    // Answers what is under way and closes; a connection without a request closes now.
                    connection.as_mut().graceful_shutdown();
                }
                () = self.abandon.cancelled() => return,
            }
        }
    }
}
