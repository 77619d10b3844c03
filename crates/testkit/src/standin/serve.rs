//! How a stand-in listens: every connection can be cut from within a request, before or after its effect.

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderName, HeaderValue, StatusCode},
    response::Response,
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::service::{Answer, Fault, Recorded, Shared, held};

/// Larger than anything a test sends.
const BODY_BYTES_MAX: usize = 1024 * 1024;

pub(super) async fn serve(listener: TcpListener, shared: Shared, stop: CancellationToken) {
    for connection in 1.. {
        let stream = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted.expect("it accepts").0,
        };
        let cut = CancellationToken::new();
        let router =
            Router::new()
                .fallback(answer)
                .with_state((shared.clone(), cut.clone(), connection));
        let stop = stop.clone();
        tokio::spawn(async move {
            let builder = Builder::new(TokioExecutor::new());
            let service = TowerToHyperService::new(router);
            tokio::select! {
                // A client that goes away is none of its business.
                _ = builder.serve_connection(TokioIo::new(stream), service) => {}
                () = cut.cancelled() => {}
                () = stop.cancelled() => {}
            }
        });
    }
}

async fn answer(
    State((shared, cut, connection)): State<(Shared, CancellationToken, usize)>,
    request: Request,
) -> Response {
    let request = record(request, connection).await;
    let fault = {
        let mut held = held(&shared);
        held.requests.push(request.clone());
        held.faults.pop_front()
    };
    let done = || {
        let mut held = held(&shared);
        let answer = held.service.answer(&request);
        held.changes += usize::from(answer.changed);
        answer
    };
    let answer = match fault {
        None => done(),
        Some(Fault::Status(status)) => held(&shared).service.refusal(status),
        Some(Fault::RateLimited(after)) => held(&shared).service.rate_limited(after),
        Some(Fault::Answer(answer)) => answer,
        Some(Fault::CutBefore) => gone(&cut).await,
        Some(Fault::Held) => std::future::pending().await,
        Some(Fault::CutAfter) => {
            done();
            gone(&cut).await
        }
        Some(Fault::Late(by)) => {
            let answer = done();
            tokio::time::sleep(by).await;
            answer
        }
        Some(Fault::Malformed) => instead(done(), "<html><body>it works</body></html>".to_owned()),
        Some(Fault::Oversized(bytes)) => instead(done(), format!("\"{}\"", "x".repeat(bytes))),
    };
    written(answer)
}

/// The answer with another body; where there should be none, with one.
fn instead(answer: Answer, body: String) -> Answer {
    let status = match answer.status {
        204 => 200,
        status => status,
    };
    Answer {
        status,
        body,
        ..answer
    }
}

/// Cuts the connection. The code after it is not run.
async fn gone(cut: &CancellationToken) -> Answer {
    cut.cancel();
    std::future::pending().await
}

async fn record(request: Request, connection: usize) -> Recorded {
    let (parts, body) = request.into_parts();
    let body = to_bytes(Body::new(body), BODY_BYTES_MAX).await;
    let body = body.expect("a body of a test's size");
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (
            decode(&name.replace('+', " ")),
            decode(&value.replace('+', " ")),
        )
    };
    let query = parts.uri.query().unwrap_or_default();
    let content_type = parts.headers.get("content-type");
    let is_form = content_type.is_some_and(|text| text == "application/x-www-form-urlencoded");
    let form = std::str::from_utf8(&body).unwrap_or_default();
    let form = if is_form { form } else { "" };
    let pairs = |text: &str| {
        let pairs = text.split('&').filter(|text| !text.is_empty());
        pairs.map(pair).collect()
    };
    Recorded {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query: pairs(query),
        form: pairs(form),
        headers: parts
            .headers
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or("?").to_owned()))
            .collect(),
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
        bytes: body.to_vec(),
        connection,
    }
}

pub(super) fn decode(text: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(text);
    decoded.decode_utf8_lossy().into_owned()
}

fn written(answer: Answer) -> Response {
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).expect("a status");
    for (name, value) in answer.headers {
        let value = HeaderValue::from_str(&value).expect("a header's value");
        response
            .headers_mut()
            .append(HeaderName::from_static(name), value);
    }
    response
}
