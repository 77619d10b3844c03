//! Sends one request and reads its reply, both within bounds.
//!
//! INVARIANT: a request is sent at most once. A failure after its first byte may have had an effect, and is distinguished
//! from one before it.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use domain::limits::{SOURCE_RETRY_PAUSE, URL_LENGTH_MAX};
use reqwest::{
    Response, Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT},
};
use secrecy::{ExposeSecret as _, SecretString};
use tools::egress::{EgressGuard, Refused, Route};

use super::{Reply, Request, limits::CallLimits};
use crate::{Failure, FailureKind, Retry, failure::UpstreamFailure};

const PRODUCT: HeaderValue = HeaderValue::from_static("proliferate-gateway");
/// With its charset: without one Slack complains in every answer.
const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

/// Sends requests to one service.
#[derive(Debug)]
pub(crate) struct Client {
    guard: EgressGuard,
    base: Url,
    limits: CallLimits,
    /// The last route and its client, so that requests by the same route share connections.
    latest: Mutex<Option<(Route, reqwest::Client)>>,
}

impl Client {
    pub(crate) fn new(guard: EgressGuard, base: Url, limits: CallLimits) -> Self {
        Self {
            guard,
            base,
            limits,
            latest: Mutex::default(),
        }
    }

    /// Returns the reply of any status. The outer failure happened before the first byte was sent, the inner one after it.
    pub(crate) async fn send(
        &self,
        request: Request,
        headers: HeaderMap,
        credential: &SecretString,
    ) -> Result<Result<Reply, UpstreamFailure>, Failure> {
        let url = self.url(&request);
        if url.as_str().len() > URL_LENGTH_MAX {
            return Err(Failure::invalid("the params are too long for an address"));
        }
        let route = self.guard.check(url.as_str()).await.map_err(refused)?;
        let client = self.client(&route)?;
        let mut builder = client
            .request(request.method, route.url().clone())
            .header(USER_AGENT, PRODUCT)
            .headers(headers);
        if let Some(body) = &request.body {
            builder = builder.header(CONTENT_TYPE, JSON).body(body.to_string());
        }
        match builder.send().await {
            Ok(response) => Ok(self.read(response, credential).await),
            Err(error) if error.is_connect() || error.is_builder() => Err(Failure::new(
                FailureKind::Unreachable,
                Retry::Later(SOURCE_RETRY_PAUSE),
                "the service cannot be reached",
            )),
            Err(error) => Ok(Err(transport_failure(&error))),
        }
    }

    fn url(&self, request: &Request) -> Url {
        let mut url = self.base.clone();
        let path = format!("{}{}", url.path().trim_end_matches('/'), request.path);
        url.set_path(&path);
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&request.query);
        }
        url
    }

    /// The client made last, if its route leads to the same addresses.
    fn client(&self, route: &Route) -> Result<reqwest::Client, Failure> {
        let mut made = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((last, client)) = &*made
            && last.leads_as(route)
        {
            return Ok(client.clone());
        }
        let made_now = route.client_without_reuse(self.limits.timeout);
        let client = made_now.map_err(refused)?;
        *made = Some((route.clone(), client.clone()));
        Ok(client)
    }

    /// Reads the body. Of a failure it may be cut: the status says enough.
    async fn read(
        &self,
        mut response: Response,
        credential: &SecretString,
    ) -> Result<Reply, UpstreamFailure> {
        let max = self.limits.reply_bytes_max;
        let (status, headers) = (response.status(), response.headers().clone());
        let mut body = Vec::new();
        let mut ended = Ok(());
        loop {
            match response.chunk().await {
                Ok(None) => break,
                Ok(Some(chunk)) if body.len() + chunk.len() <= max => {
                    body.extend_from_slice(&chunk);
                }
                Ok(Some(_)) => ended = Err(FailureKind::TooLarge.into()),
                Err(error) => ended = Err(transport_failure(&error)),
            }
            if ended.is_err() {
                break;
            }
        }
        if status.is_success() {
            ended?;
        }
        Ok(Reply::new(status.as_u16(), headers, &body, credential))
    }
}

/// A header with a credential in it, which no log of a library prints.
pub(crate) fn secret_header(
    name: HeaderName,
    scheme: &str,
    credential: &SecretString,
) -> Result<HeaderMap, Failure> {
    let unusable = |_| {
        Failure::new(
            FailureKind::Unauthorized,
            Retry::Never,
            "the stored credential is not one that can be sent; connect the integration again",
        )
    };
    let credential = credential.expose_secret();
    let text = SecretString::from(format!("{scheme}{credential}"));
    let mut value = HeaderValue::from_str(text.expose_secret()).map_err(unusable)?;
    value.set_sensitive(true);
    Ok(HeaderMap::from_iter([(name, value)]))
}

/// The failure of a request that was sent. The error's text may hold the URL, so it is only logged.
fn transport_failure(error: &reqwest::Error) -> UpstreamFailure {
    tracing::debug!(error = %error, "a service did not answer");
    if error.is_timeout() {
        FailureKind::TimedOut.into()
    } else {
        FailureKind::Unreachable.into()
    }
}

fn refused(refused: Refused) -> Failure {
    Failure::refused(refused, "the service", "; see its address in the settings")
}

/// The deadline of a whole call. The client has the same one, which does not cover resolving a name.
pub(crate) async fn with_deadline<T>(
    timeout: Duration,
    work: impl Future<Output = T>,
) -> Result<T, UpstreamFailure> {
    let late = |_| FailureKind::TimedOut.into();
    tokio::time::timeout(timeout, work).await.map_err(late)
}
