//! Sends one request to the identity provider, and reads its answer, both within bounds.

use std::fmt;

use domain::limits::{OIDC_REPLY_BYTES_MAX, OIDC_REQUEST_TIMEOUT};
use futures::future::BoxFuture;
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse, http};
use tools::egress::EgressGuard;

/// There was no usable answer. The reason is logged where it is known, without addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OidcRequestFailed;

impl fmt::Display for OidcRequestFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there was no answer that could be used")
    }
}

impl std::error::Error for OidcRequestFailed {}

/// The HTTP client that the library uses.
#[derive(Debug, Clone)]
pub(super) struct OidcHttpClient(pub(super) EgressGuard);

impl<'c> AsyncHttpClient<'c> for OidcHttpClient {
    type Error = OidcRequestFailed;
    type Future = BoxFuture<'c, Result<HttpResponse, OidcRequestFailed>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(send_bounded(&self.0, request))
    }
}

async fn send_bounded(
    guard: &EgressGuard,
    request: HttpRequest,
) -> Result<HttpResponse, OidcRequestFailed> {
    match tokio::time::timeout(OIDC_REQUEST_TIMEOUT, send(guard, request)).await {
        Ok(answered) => answered,
        Err(_) => Err(OidcRequestFailed),
    }
}

async fn send(
    guard: &EgressGuard,
    request: HttpRequest,
) -> Result<HttpResponse, OidcRequestFailed> {
    let (parts, body) = request.into_parts();
    let refused = |refused| {
        tracing::warn!(%refused, "the identity provider may not be reached");
        OidcRequestFailed
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
            tracing::warn!("an answer of the identity provider is too large");
            return Err(OidcRequestFailed);
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
fn broken(error: reqwest::Error) -> OidcRequestFailed {
    let (timeout, connect) = (error.is_timeout(), error.is_connect());
    tracing::debug!(timeout, connect, "the identity provider did not answer");
    OidcRequestFailed
}
