//! One connection from its first byte to its end. It ends in every case: there is a bound for the first byte, the first
//! request, the time without a request, and the time in which a response is not read.

use std::{convert::Infallible, io, pin::pin, sync::Arc, time::Duration};

use axum::Router;
use domain::limits::{
    CONNECTION_CLOSE_TIMEOUT, HTTP2_ERROR_STREAMS_MAX, HTTP2_RESET_STREAMS_MAX,
    HTTP2_SEND_BUFFER_BYTES, REQUEST_HEAD_BYTES_MAX,
};
use hyper::{
    Request, Response, StatusCode,
    body::Incoming,
    service::{Service as _, service_fn},
};
use hyper_util::{
    rt::{TokioExecutor, TokioTimer},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use tokio::{net::TcpStream, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::connections::{
    ClientConnection, ConnectionBounds, ConnectionIo, ConnectionSlot, Connections, TrackedBody,
};

/// The preface of an HTTP/2 connection.
const HTTP2_PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Pause before a connection is checked again that has sent a part of it.
const PREFACE_RETRY_AFTER: Duration = Duration::from_millis(10);

/// The settings of every connection of a listener.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) table: Arc<Connections>,
    builder: Arc<Builder<TokioExecutor>>,
    router: TowerToHyperService<Router>,
    first_byte: Duration,
    first_request: Duration,
    stop: CancellationToken,
    abandon: CancellationToken,
}

impl Connection {
    /// `request` is the request deadline: no client has longer to start one.
    pub(super) fn new(
        table: Arc<Connections>,
        router: TowerToHyperService<Router>,
        request: Duration,
        (stop, abandon): (CancellationToken, CancellationToken),
    ) -> Self {
        let bounds = &table.bounds;
        Self {
            builder: Arc::new(builder(bounds)),
            router,
            first_byte: bounds.first_byte_timeout.min(request),
            first_request: bounds.first_request_timeout.min(request),
            table,
            stop,
            abandon,
        }
    }

    /// Waits until the server stops.
    pub(super) async fn stopped(&self) {
        self.stop.cancelled().await;
    }

    pub(super) async fn serve(self, stream: TcpStream, slot: ConnectionSlot) {
        let client_connection = Arc::clone(&slot.connection);
        let begins = tokio::time::timeout(self.first_byte, begins(&stream));
        let begun = tokio::select! {
            begun = begins => begun.unwrap_or(false),
            () = client_connection.claimed() => false,
            () = self.stop.cancelled() => false,
        };
        if begun {
            self.serve_http(ConnectionIo::new(stream, slot), &client_connection)
                .await;
        }
    }

    async fn serve_http(&self, stream: ConnectionIo, client_connection: &Arc<ClientConnection>) {
        let served = Arc::new(Served {
            router: self.router.clone(),
            table: Arc::clone(&self.table),
            client_connection: Arc::clone(client_connection),
        });
        let service = service_fn(move |request| answer(Arc::clone(&served), request));
        let mut connection = pin!(self.builder.serve_connection_with_upgrades(stream, service));
        let bounds = &self.table.bounds;
        let mut first_request = pin!(sleep(self.first_request));
        let mut look = pin!(sleep(bounds.check_interval()));
        let (mut is_stopping, mut is_closing, mut may_be_silent) = (false, false, true);
        loop {
            tokio::select! {
                outcome = connection.as_mut() => {
                    if let Err(error) = outcome {
                        tracing::debug!(error, "a connection failed");
                    }
                    return;
                }
                // Finishes requests under way and closes; a connection without a request closes
                // now.
                () = self.stop.cancelled(), if !is_stopping => {
                    is_stopping = true;
                    connection.as_mut().graceful_shutdown();
                }
                () = self.abandon.cancelled() => return,
                () = client_connection.claimed() => return,
                () = first_request.as_mut(), if may_be_silent => {
                    if !client_connection.has_requested() {
                        return;
                    }
                    may_be_silent = false;
                }
                () = look.as_mut() => {
                    if client_connection.is_unread_for(bounds.unread_timeout) || (is_closing && client_connection.is_idle()) {
                        return;
                    }
                    let mut next = bounds.check_interval();
                    if !is_closing && client_connection.is_idle_for(bounds.idle_timeout) {
                        (is_closing, next) = (true, CONNECTION_CLOSE_TIMEOUT);
                        connection.as_mut().graceful_shutdown();
                    }
                    look.set(sleep(next));
                }
            }
        }
    }
}

/// What the requests of a connection share.
struct Served {
    router: TowerToHyperService<Router>,
    table: Arc<Connections>,
    client_connection: Arc<ClientConnection>,
}

/// Handles a request, and counts it until its response is sent.
async fn answer(
    served: Arc<Served>,
    mut request: Request<Incoming>,
) -> io::Result<Response<TrackedBody>> {
    let Served {
        router,
        table,
        client_connection,
    } = &*served;
    let under_way = table.begin_request(client_connection);
    let under_way = under_way.ok_or(io::ErrorKind::ConnectionAborted)?;
    request
        .extensions_mut()
        .insert(Arc::clone(client_connection));
    request.extensions_mut().insert(Arc::clone(table));
    let response: Result<_, Infallible> = router.call(request).await;
    let Ok(response) = response;
    let (head, body) = response.into_parts();
    if head.status == StatusCode::SWITCHING_PROTOCOLS {
        under_way.mark_upgraded();
    }
    Ok(Response::from_parts(
        head,
        TrackedBody::new(body, under_way),
    ))
}

/// HTTP/1 and HTTP/2, within bounds.
fn builder(bounds: &ConnectionBounds) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .max_buf_size(REQUEST_HEAD_BYTES_MAX)
        // It also covers the time between two requests, so that it must not expire before the idle
        // timeout.
        .header_read_timeout(bounds.idle_timeout + CONNECTION_CLOSE_TIMEOUT);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(bounds.streams_max)
        .max_pending_accept_reset_streams(HTTP2_RESET_STREAMS_MAX)
        .max_local_error_reset_streams(HTTP2_ERROR_STREAMS_MAX)
        .max_send_buf_size(HTTP2_SEND_BUFFER_BYTES)
        .initial_connection_window_size(bounds.window_bytes)
        .initial_stream_window_size(bounds.window_bytes)
        .max_header_list_size(u32::try_from(REQUEST_HEAD_BYTES_MAX).unwrap_or(u32::MAX))
        // Detects dead clients. A live one responds, and is idle all the same.
        .keep_alive_interval(bounds.idle_timeout / 2)
        .keep_alive_timeout(bounds.idle_timeout / 2);
    builder
}

/// Waits until the client's version of HTTP is known. The library waits for that without a bound;
/// everything after it has one.
async fn begins(stream: &TcpStream) -> bool {
    let mut first = [0; HTTP2_PREFACE.len()];
    loop {
        match stream.peek(&mut first).await {
            Ok(0) | Err(_) => return false,
            Ok(count) if count == first.len() || first[..count] != HTTP2_PREFACE[..count] => {
                return true;
            }
            Ok(_) => sleep(PREFACE_RETRY_AFTER).await,
        }
    }
}
