//! One request to a token endpoint and its reply, both within bounds. Unlike replies to actions, these are secret as a
//! whole: nothing of them is logged.

use std::time::Duration;

use chrono::DateTime;
use domain::{
    clock::Timestamp,
    limits::{SOURCE_RETRY_AFTER_MAX, TOKEN_REPLY_BYTES_MAX, TOKEN_REQUEST_TIMEOUT},
};
use reqwest::{
    Method, Response, Url,
    header::{HeaderMap, HeaderValue, RETRY_AFTER, USER_AGENT},
};
use tools::egress::{EgressGuard, Refused};

use super::tokens::TokenError;

const PRODUCT: HeaderValue = HeaderValue::from_static("proliferate-gateway");

/// A request to a token endpoint.
pub(super) struct TokenRequest<'a> {
    pub(super) method: Method,
    pub(super) url: &'a str,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<String>,
}

/// The reply of a token endpoint, of any status.
pub(super) struct TokenReply {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    /// How long the service asks the gateway to wait.
    pub(super) after: Option<Duration>,
}

impl TokenRequest<'_> {
    pub(super) async fn send(
        self,
        guard: &EgressGuard,
        now: Timestamp,
    ) -> Result<TokenReply, TokenError> {
        match tokio::time::timeout(TOKEN_REQUEST_TIMEOUT, self.sent(guard, now)).await {
            Ok(answered) => answered,
            Err(_) => Err(TokenError::unavailable(None)),
        }
    }

    async fn sent(self, guard: &EgressGuard, now: Timestamp) -> Result<TokenReply, TokenError> {
        let route = guard.check(self.url).await.map_err(refused)?;
        let client = route.client_without_reuse(TOKEN_REQUEST_TIMEOUT);
        let mut request = client
            .map_err(refused)?
            .request(self.method, route.url().clone())
            .headers(self.headers)
            .header(USER_AGENT, PRODUCT);
        if let Some(body) = self.body {
            request = request.body(body);
        }
        let mut response = request.send().await.map_err(|error| broken(&error))?;
        let after = retry_after(&response, now);
        let status = response.status().as_u16();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
            if body.len() + chunk.len() > TOKEN_REPLY_BYTES_MAX {
                return Err(TokenError::unavailable(None));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(TokenReply {
            status,
            body,
            after,
        })
    }
}

/// Encodes the fields as `application/x-www-form-urlencoded`.
pub(super) fn form(fields: &[(&str, &str)]) -> String {
    // The scheme does not matter: a query is encoded as a form is.
    let Ok(mut url) = Url::parse("form:x") else {
        return String::new();
    };
    url.query_pairs_mut().extend_pairs(fields);
    url.query().unwrap_or_default().to_owned()
}

/// Seconds, or a date.
fn retry_after(response: &Response, now: Timestamp) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim();
    let seconds = text.parse().map(Duration::from_secs).ok();
    let until = |text| {
        let date = DateTime::parse_from_rfc2822(text).ok()?;
        Some(Timestamp::from_datetime(date.to_utc()).since(now))
    };
    let after = seconds.or_else(|| until(text))?;
    Some(after.min(SOURCE_RETRY_AFTER_MAX))
}

/// Logs the kind of the error alone: its text may hold a URL with secrets.
fn broken(error: &reqwest::Error) -> TokenError {
    let (timeout, connect) = (error.is_timeout(), error.is_connect());
    tracing::debug!(timeout, connect, "a token endpoint did not answer");
    TokenError::unavailable(None)
}

fn refused(refused: Refused) -> TokenError {
    match refused {
        Refused::Unresolved | Refused::NoClient => TokenError::unavailable(None),
        Refused::NotAUrl | Refused::NotHttps | Refused::HoldsUser | Refused::NotPublic => {
            TokenError::Refused("egress_refused".to_owned())
        }
    }
}
