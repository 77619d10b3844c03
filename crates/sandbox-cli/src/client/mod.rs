//! Sends requests to the gateway, again through blips until a deadline, and on to the session's owner.
//!
//! INVARIANT: what is sent twice is either a read or carries an idempotency key. The token goes to
//! the gateway of the environment and to the owners that a gateway names, and follows no redirect.

mod daemon;
pub(crate) mod owner;
mod reply;

use std::{error::Error as _, time::Duration};

use reqwest::{Method, Url, redirect};
use serde_json::Value;

pub(crate) use daemon::DaemonClient;
use reply::ReadError;
pub(crate) use reply::Reply;

use crate::{
    env::Settings,
    exit::Exit,
    failure::Failure,
    limits::{BACKOFF_MAX, CONNECT_TIMEOUT, OWNER_HOPS_MAX, REQUEST_TIMEOUT_MIN},
    system::{Deadline, jittered},
};

/// One request, in a form that can be sent again.
#[derive(Debug)]
pub(crate) struct GatewayRequest<'a> {
    /// Below the session's actions.
    pub(crate) path: &'a [&'a str],
    pub(crate) query: &'a [(&'a str, String)],
    /// Makes it a POST, with the key under which it happens once.
    pub(crate) body: Option<(&'a Value, &'a str)>,
    /// Whether an answer takes no time: then no request outlives the deadline.
    pub(crate) is_quick: bool,
}

/// A request without a final response.
#[derive(Debug)]
pub(crate) struct RequestFailure {
    pub(crate) failure: Failure,
    /// Whether the gateway may have received and executed the request.
    pub(crate) may_have_arrived: bool,
}

/// The result of one attempt.
enum Attempt {
    Answered(Reply),
    /// Nothing was sent.
    NotSent(String),
    /// It was sent, and no answer came back.
    Lost(String),
    /// More attempts would not change it. Nothing was done.
    Permanent(Failure),
    /// The response is too large, and would be again.
    TooLarge,
}

/// Talks to the gateway as the agent of one session.
#[derive(Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    pub(crate) settings: Settings,
    /// Where requests go now: the gateway, or the owner it named.
    base: Url,
}

impl Client {
    pub(crate) fn new(settings: Settings) -> Result<Self, Failure> {
        let with_roots = builder().build();
        // A sandbox without certificates of authorities can still ask what needs none.
        let http = match settings.gateway.scheme() {
            "http" => with_roots.or_else(|_| builder().tls_certs_only([]).build()),
            _ => with_roots,
        };
        let http = http.map_err(|_| {
            Failure::new(Exit::Gateway, "cannot make an HTTPS client")
                .hint("this sandbox may have no certificates of authorities (ca-certificates)")
        })?;
        let base = settings.gateway.clone();
        Ok(Self {
            http,
            settings,
            base,
        })
    }

    /// Sends a request until its response is final, good or bad. Begins nothing after the deadline. Not by `backon`: a
    /// response to be sent again for is no error, it may name the pause, and each attempt has less time than the one before.
    pub(crate) async fn settle(
        &mut self,
        call: &GatewayRequest<'_>,
        deadline: Deadline,
    ) -> Result<Reply, RequestFailure> {
        let mut timeout = self.settings.times.request_timeout;
        if call.is_quick {
            timeout = timeout.min(deadline.left().max(REQUEST_TIMEOUT_MIN));
        }
        let mut backoff = self.settings.times.backoff_first;
        let mut may_have_arrived = false;
        loop {
            let mut asked = None;
            let why = match self.send_following(call, timeout).await {
                Attempt::Answered(reply) if reply.is_temporary() => {
                    asked = reply.retry_after;
                    // A request with a retry hint was not served.
                    may_have_arrived |= reply.status != 429;
                    reply.failure()
                }
                Attempt::Answered(reply) => return Ok(reply),
                Attempt::NotSent(why) => self.unreachable(&why),
                Attempt::Lost(why) => {
                    may_have_arrived = true;
                    self.unreachable(&why)
                }
                Attempt::Permanent(failure) => {
                    return Err(RequestFailure {
                        failure,
                        may_have_arrived,
                    });
                }
                Attempt::TooLarge => {
                    let failure = Failure::new(Exit::Gateway, "the answer is too large to be read");
                    return Err(RequestFailure {
                        failure,
                        may_have_arrived: true,
                    });
                }
            };
            let pause = jittered(backoff).max(asked.unwrap_or_default());
            if pause >= deadline.left() {
                let failure = final_failure(why, asked);
                return Err(RequestFailure {
                    failure,
                    may_have_arrived,
                });
            }
            // An owner that does not respond may not be the owner any more; the gateway knows.
            self.base = self.settings.gateway.clone();
            tokio::time::sleep(pause).await;
            backoff = (backoff * 2).min(BACKOFF_MAX);
            let left = deadline.left().max(REQUEST_TIMEOUT_MIN);
            timeout = self.settings.times.request_timeout.min(left);
        }
    }

    /// Makes one attempt, and follows at most so many named owners.
    async fn send_following(&mut self, call: &GatewayRequest<'_>, timeout: Duration) -> Attempt {
        for _ in 0..=OWNER_HOPS_MAX {
            let tried = self.send_once(call, timeout).await;
            let Attempt::Answered(reply) = tried else {
                return tried;
            };
            let Some(named) = reply.owner() else {
                return Attempt::Answered(reply);
            };
            match owner::accept(&self.base, named) {
                Ok(owner) => self.base = owner,
                Err(why) => {
                    let message = format!("the address of the session's owner {why}");
                    return Attempt::Permanent(Failure::new(Exit::Gateway, message));
                }
            }
        }
        let message = format!("no owner of the session was found in {OWNER_HOPS_MAX} steps");
        Attempt::Permanent(Failure::new(Exit::Gateway, message).hint("try again shortly"))
    }

    async fn send_once(&self, call: &GatewayRequest<'_>, timeout: Duration) -> Attempt {
        let method = if call.body.is_some() {
            Method::POST
        } else {
            Method::GET
        };
        let mut request = self
            .http
            .request(method, self.url(call))
            .timeout(timeout)
            .bearer_auth(self.settings.token.expose());
        if let Some((body, key)) = call.body {
            request = request.header("idempotency-key", key).json(body);
        }
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) if error.is_builder() => {
                let failure =
                    Failure::usage("the request cannot be sent: a value is not valid in it");
                return Attempt::Permanent(failure);
            }
            Err(error) if error.is_connect() => return Attempt::NotSent(cause(&error)),
            Err(error) => return Attempt::Lost(cause(&error)),
        };
        match Reply::read(response).await {
            Ok(reply) => Attempt::Answered(reply),
            Err(ReadError::Broken(error)) => Attempt::Lost(cause(&error)),
            Err(ReadError::TooLarge) => Attempt::TooLarge,
        }
    }

    fn url(&self, call: &GatewayRequest<'_>) -> Url {
        let mut url = self.base.clone();
        let session = self.settings.session.to_string();
        // An http URL can always have segments.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments
                .pop_if_empty()
                .extend(["proliferate", &session, "actions"])
                .extend(call.path);
        }
        if !call.query.is_empty() {
            url.query_pairs_mut().extend_pairs(call.query);
        }
        url
    }

    fn unreachable(&self, why: &str) -> Failure {
        let origin = self.base.origin().ascii_serialization();
        Failure::new(Exit::Gateway, format!("no answer from {origin}: {why}"))
    }
}

fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(concat!("proliferate-sandbox/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
}

fn final_failure(mut failure: Failure, asked: Option<Duration>) -> Failure {
    failure.exit = Exit::Gateway;
    if let Some(asked) = asked {
        failure.hint = Some(format!("try again in {} seconds", asked.as_secs()));
    }
    failure
}

/// The innermost cause alone: the others repeat the URL, or each other.
fn cause(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    let mut innermost = error.source();
    while let Some(next) = innermost.and_then(std::error::Error::source) {
        innermost = Some(next);
    }
    innermost.map_or_else(|| "the request failed".to_owned(), ToString::to_string)
}
