//! One request to the service and its answer, both within bounds.

use std::fmt;

use domain::limits::{OIDC_REPLY_BYTES_MAX, OIDC_REQUEST_TIMEOUT};
use futures::future::BoxFuture;
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse, http};
use tools::egress::EgressGuard;

/// There was no answer that could be used. Why is logged where it is known, without addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unanswered;

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there was no answer that could be used")
    }
}

impl std::error::Error for Unanswered {}

/// What the library asks with.
#[derive(Debug, Clone)]
pub(super) struct Http(pub(super) EgressGuard);

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = Unanswered;
    type Future = BoxFuture<'c, Result<HttpResponse, Unanswered>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(ask(&self.0, request))
    }
}

async fn ask(guard: &EgressGuard, request: HttpRequest) -> Result<HttpResponse, Unanswered> {
    match tokio::time::timeout(OIDC_REQUEST_TIMEOUT, sent(guard, request)).await {
        Ok(answered) => answered,
        Err(_) => Err(Unanswered),
    }
}

async fn sent(guard: &EgressGuard, request: HttpRequest) -> Result<HttpResponse, Unanswered> {
    let (parts, body) = request.into_parts();
    let refused = |refused| {
        tracing::warn!(%refused, "the service that vouches for people may not be reached");
        Unanswered
    };
    let route = guard.check(&parts.uri.to_string()).await.map_err(refused)?;
    let client = route.client_without_reuse(OIDC_REQUEST_TIMEOUT);
    let client = client.map_err(refused)?;
    let request = client
        .request(parts.method, route.url().clone())
        .headers(parts.headers)
        .body(body);
    let mut response = request.send().await.map_err(broken)?;
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if bytes.len() + chunk.len() > OIDC_REPLY_BYTES_MAX {
            tracing::warn!("an answer of the service that vouches for people is too large");
            return Err(Unanswered);
        }
        bytes.extend_from_slice(&chunk);
    }
    let mut answer = http::Response::new(bytes);
    *answer.status_mut() = response.status();
    *answer.headers_mut() = response.headers().clone();
    Ok(answer)
}

/// The kind of error alone: its text may hold an address with more in it.
#[expect(clippy::needless_pass_by_value, reason = "it is the end of the error")]
fn broken(error: reqwest::Error) -> Unanswered {
    let (timeout, connect) = (error.is_timeout(), error.is_connect());
    tracing::debug!(
        timeout,
        connect,
        "the service that vouches for people did not answer"
    );
    Unanswered
}
