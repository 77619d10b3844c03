//! The daemon's HTTP server: connections and their bounds.

use std::{convert::Infallible, sync::Arc};

use hyper::{
    Response,
    header::{self, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{net::TcpListener, sync::Semaphore};
use wire::problem::Code;

use super::{
    message::{DaemonRequest, ResponseBody, problem},
    routes,
};
use crate::{
    daemon::{context::DaemonContext, refusal::Refusal},
    limits::{
        ACCEPT_PAUSE, CONNECTIONS_MAX, GIT_PUSH_WITHIN, HEADERS_BYTES_MAX, HEADERS_MAX,
        HEADERS_WITHIN, REQUEST_WITHIN,
    },
};

/// Serves until the task is ended.
pub(crate) async fn serve(daemon: Arc<DaemonContext>, listener: TcpListener) {
    let connections = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        // More connections wait in the kernel until one ends.
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else {
            return;
        };
        let Ok((stream, _)) = listener.accept().await else {
            // Out of files, most likely; others have to end first.
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let daemon = Arc::clone(&daemon);
        tokio::spawn(async move {
            let _permit = permit;
            let _ = stream.set_nodelay(true);
            let service = service_fn(move |request| respond(Arc::clone(&daemon), request));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADERS_WITHIN)
                .max_headers(HEADERS_MAX)
                .max_buf_size(HEADERS_BYTES_MAX)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            let _ = connection.await;
        });
    }
}

async fn respond(
    daemon: Arc<DaemonContext>,
    request: DaemonRequest,
) -> Result<Response<ResponseBody>, Infallible> {
    // A push is as long as it is large.
    let within = match request.uri().path() {
        "/api/git/push" => REQUEST_WITHIN.max(GIT_PUSH_WITHIN),
        _ => REQUEST_WITHIN,
    };
    let result = tokio::time::timeout(within, routes::route(daemon, request)).await;
    let result = result.unwrap_or_else(|_| {
        Err(Refusal::new(
            Code::RequestTimeout,
            "The request took too long.",
        ))
    });
    let mut response = result.unwrap_or_else(|refusal| problem(&refusal));
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    Ok(response)
}
