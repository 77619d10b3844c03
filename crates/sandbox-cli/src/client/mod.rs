//! Requests to the gateway: sent again through blips until a deadline, and on to the session's owner.
//!
//! INVARIANT: whatever is sent twice is either a read or carries an idempotency key. The token goes to
//! the gateway of the environment and to the owners that a gateway names, and follows no redirect.

mod daemon;
pub(crate) mod owner;
mod reply;

use std::{error::Error as _, time::Duration};

use reqwest::{Method, Url, redirect};
use serde_json::Value;

pub(crate) use daemon::DaemonClient;
pub(crate) use reply::Reply;
use reply::Unread;

use crate::{
    env::Settings,
    exit::Exit,
    failure::Failure,
    limits::{BACKOFF_MAX, CONNECT_TIMEOUT, OWNER_HOPS_MAX, REQUEST_TIMEOUT_MIN},
    system::{Deadline, jittered},
};

/// One request, in terms that can be sent again.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    /// Below the session's actions.
    pub(crate) path: &'a [&'a str],
    pub(crate) query: &'a [(&'a str, String)],
    /// Makes it a POST, with the key under which it happens once.
    pub(crate) body: Option<(&'a Value, &'a str)>,
    /// Whether an answer takes no time: then no request outlives the deadline.
    pub(crate) is_quick: bool,
}

/// No answer that counts.
#[derive(Debug)]
pub(crate) struct Unsettled {
    pub(crate) failure: Failure,
    /// Whether the gateway may have got the request and done what it asks for.
    pub(crate) may_have_arrived: bool,
}

/// What became of one try.
enum Tried {
    Answered(Reply),
    /// Nothing was sent.
    NotSent(String),
    /// It was sent, and no answer came back.
    Lost(String),
    /// More tries would not change it. Nothing was done.
    Hopeless(Failure),
    /// It was answered, and asked again the answer would be as large.
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

    /// The answer that more sending would not change, good or bad. Nothing is begun after the deadline. Not by `backon`: an
    /// answer to be sent again for is no error, it may name the pause, and each try has less time than the one before.
    pub(crate) async fn settle(
        &mut self,
        call: &Call<'_>,
        deadline: Deadline,
    ) -> Result<Reply, Unsettled> {
        let mut timeout = self.settings.pace.request_timeout;
        if call.is_quick {
            timeout = timeout.min(deadline.left().max(REQUEST_TIMEOUT_MIN));
        }
        let mut backoff = self.settings.pace.backoff_first;
        let mut may_have_arrived = false;
        loop {
            let mut asked = None;
            let why = match self.followed(call, timeout).await {
                Tried::Answered(reply) if reply.is_for_later() => {
                    asked = reply.retry_after;
                    // A request with a retry hint was not served.
                    may_have_arrived |= reply.status != 429;
                    reply.refusal()
                }
                Tried::Answered(reply) => return Ok(reply),
                Tried::NotSent(why) => self.unreachable(&why),
                Tried::Lost(why) => {
                    may_have_arrived = true;
                    self.unreachable(&why)
                }
                Tried::Hopeless(failure) => {
                    return Err(Unsettled {
                        failure,
                        may_have_arrived,
                    });
                }
                Tried::TooLarge => {
                    let failure = Failure::new(Exit::Gateway, "the answer is too large to be read");
                    return Err(Unsettled {
                        failure,
                        may_have_arrived: true,
                    });
                }
            };
            let pause = jittered(backoff).max(asked.unwrap_or_default());
            if pause >= deadline.left() {
                let failure = given_up(why, asked);
                return Err(Unsettled {
                    failure,
                    may_have_arrived,
                });
            }
            // An owner that does not answer may own no longer; the gateway knows.
            self.base = self.settings.gateway.clone();
            tokio::time::sleep(pause).await;
            backoff = (backoff * 2).min(BACKOFF_MAX);
            let left = deadline.left().max(REQUEST_TIMEOUT_MIN);
            timeout = self.settings.pace.request_timeout.min(left);
        }
    }

    /// One try, sent on to as many owners as are allowed.
    async fn followed(&mut self, call: &Call<'_>, timeout: Duration) -> Tried {
        for _ in 0..=OWNER_HOPS_MAX {
            let tried = self.once(call, timeout).await;
            let Tried::Answered(reply) = tried else {
                return tried;
            };
            let Some(named) = reply.owner() else {
                return Tried::Answered(reply);
            };
            match owner::accept(&self.base, named) {
                Ok(owner) => self.base = owner,
                Err(why) => {
                    let message = format!("the address of the session's owner {why}");
                    return Tried::Hopeless(Failure::new(Exit::Gateway, message));
                }
            }
        }
        let message = format!("no owner of the session was found in {OWNER_HOPS_MAX} steps");
        Tried::Hopeless(Failure::new(Exit::Gateway, message).hint("try again shortly"))
    }

    async fn once(&self, call: &Call<'_>, timeout: Duration) -> Tried {
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
                return Tried::Hopeless(failure);
            }
            Err(error) if error.is_connect() => return Tried::NotSent(cause(&error)),
            Err(error) => return Tried::Lost(cause(&error)),
        };
        match Reply::read(response).await {
            Ok(reply) => Tried::Answered(reply),
            Err(Unread::Broken(error)) => Tried::Lost(cause(&error)),
            Err(Unread::TooLarge) => Tried::TooLarge,
        }
    }

    fn url(&self, call: &Call<'_>) -> Url {
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

fn given_up(mut failure: Failure, asked: Option<Duration>) -> Failure {
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
