//! The daemon's HTTP: connections, their bounds, who may ask, and how answers and problems are written.

mod auth;
mod body;
mod routes;
mod stream;

use std::{convert::Infallible, sync::Arc};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, combinators::UnsyncBoxBody};
use hyper::{
    Request, Response, StatusCode,
    body::Incoming,
    header::{self, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::Value;
use tokio::{net::TcpListener, sync::Semaphore};
use wire::problem::{Code, MEDIA_TYPE};

use super::{Daemon, refusal::Refusal};
use crate::{
    limits::{
        ACCEPT_PAUSE, CONNECTIONS_MAX, GIT_PUSH_WITHIN, HEADERS_BYTES_MAX, HEADERS_MAX,
        HEADERS_WITHIN, REQUEST_WITHIN,
    },
    system,
};

/// A body of any kind.
pub(super) type Body = UnsyncBoxBody<Bytes, Infallible>;

/// What is asked.
pub(super) type Asked = Request<Incoming>;

/// An answer, or why there is none.
pub(super) type Answer = Result<Response<Body>, Refusal>;

/// Serves until the task is ended.
pub(super) async fn serve(daemon: Arc<Daemon>, listener: TcpListener) {
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
            let service = service_fn(move |asked| answered(Arc::clone(&daemon), asked));
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

async fn answered(daemon: Arc<Daemon>, asked: Asked) -> Result<Response<Body>, Infallible> {
    // A push is as long as it is large.
    let within = match asked.uri().path() {
        "/api/git/push" => REQUEST_WITHIN.max(GIT_PUSH_WITHIN),
        _ => REQUEST_WITHIN,
    };
    let answer = tokio::time::timeout(within, routes::route(daemon, asked)).await;
    let answer = answer.unwrap_or_else(|_| {
        Err(Refusal::new(
            Code::RequestTimeout,
            "The request took too long.",
        ))
    });
    let mut response = answer.unwrap_or_else(|refusal| written(&refusal));
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    Ok(response)
}

/// A problem as the gateway writes it.
fn written(refusal: &Refusal) -> Response<Body> {
    let problem = refusal.problem().with_request_id(system::unique());
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let text = serde_json::to_vec(&problem).unwrap_or_default();
    let mut response = whole(text.into(), MEDIA_TYPE);
    *response.status_mut() = status;
    if status == StatusCode::UNAUTHORIZED {
        let scheme = HeaderValue::from_static("Bearer");
        response
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, scheme);
    }
    response
}

fn whole(bytes: Bytes, media_type: &'static str) -> Response<Body> {
    let mut response = Response::new(Full::new(bytes).boxed_unsync());
    let media_type = HeaderValue::from_static(media_type);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    response
}

fn document(document: &Value) -> Response<Body> {
    whole(document.to_string().into(), "application/json")
}
