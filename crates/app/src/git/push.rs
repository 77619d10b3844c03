//! A push as a mediated call: decided by policy and by the repository's record, written down, made once, and answered
//! in git's own words.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use domain::{
    caller::Caller,
    git_push::{Head, InvalidPush, Push, PushRefused},
    id::{RunId, SessionId},
    limits::{GIT_PUSH_BYTES_MAX, GIT_REPORT_BYTES_MAX, GIT_REQUEST_MAX},
    policy::{Permit, ToolSpec},
    repo::Repo,
    run::RunState,
};
use futures::{StreamExt as _, TryStreamExt as _};
use reqwest::{
    Url,
    header::{CONTENT_ENCODING, HeaderMap},
};
use serde_json::{Map, Value, json};
use tokio::sync::oneshot;
use tools::{Availability, Executor, Failure, Produced, Work};

use super::{
    forward::{Answer, Asked, Carried, Service, carry},
    pieces::bounded,
};
use crate::{
    context::App,
    error::{Error, Result},
    mediation::{self, CallBack, Callback, Errand, principal},
};

const LANE: &str = "REPOSITORY_PUSH";
const ASKED: Asked = Asked::Pack(Service::ReceivePack);

const NOT_TAKEN: &str = "the server of the repository did not take all of the push";
const CUT_OFF: &str =
    "the push was cut off; whether the server took it is not known, and pushing again is harmless";

/// Makes the push if it may be made. Of one that may not, git's own way to say so.
pub(super) async fn push(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    (repo, url): (Repo, Url),
    headers: HeaderMap,
    body: Carried,
) -> Result<Answer> {
    let (push, body) = begun(&headers, bounded(body, GIT_PUSH_BYTES_MAX)).await?;
    if push.updates.is_empty() {
        // Git tries whether it may; nothing changes.
        return carry(app, session_id, (&repo, &url), ASKED, &headers, Some(body)).await;
    }
    let refused = allowed(&repo, &push).err();
    let parameters = parameters(&repo, &push);
    let (told, answer) = oneshot::channel();
    let pushing = Arc::new(Pushing {
        app: app.clone(),
        session_id,
        place: (repo, url),
        headers,
        once: Mutex::new(Some((push.clone(), body, told))),
    });
    let call = CallBack {
        organization_id: caller.organization_id().clone(),
        principal: principal(caller)?,
        session_id,
        lane: LANE,
        callback: Callback {
            errand: Errand::Push {
                refused,
                by: Arc::<Pushing>::clone(&pushing),
            },
            tool_call_id: format!("push-{}", RunId::generate(app.now(), &*app.entropy)),
        },
        parameters,
    };
    let run = mediation::call_back(app, call, GIT_REQUEST_MAX).await?;
    if let RunState::Denied { error, .. } = &run.state {
        if let Some((_, mut body, _)) = pushing.take() {
            // Whoever is answered while it still sends does not hear the answer.
            while let Some(Ok(_)) = body.next().await {}
        }
        return Ok(whole(push.rejection(&error.message).into()));
    }
    answer.await.unwrap_or(Err(Error::Incomplete))
}

/// What the push is about, with what was read to know that put back.
async fn begun(headers: &HeaderMap, mut body: Carried) -> Result<(Push, Carried)> {
    let unreadable = |unreadable: InvalidPush| Error::Conflict(unreadable.to_string());
    if headers.contains_key(CONTENT_ENCODING) {
        return Err(unreadable(InvalidPush));
    }
    let mut head = BytesMut::new();
    let push = loop {
        match Head::read(&head).map_err(unreadable)? {
            Head::Whole(push) => break push,
            Head::More => match body.next().await {
                Some(Ok(piece)) => head.extend_from_slice(&piece),
                _ => return Err(Error::Incomplete),
            },
        }
    };
    let head = futures::stream::iter([Ok(head.freeze())]);
    Ok((push, Carried::new(head.chain(body))))
}

/// Whether the repository takes it, else a sentence that says why not.
pub(super) fn allowed(repo: &Repo, push: &Push) -> std::result::Result<(), &'static str> {
    let names = push.updates.iter().map(|update| update.name.as_str());
    let judged = repo.push.judge(&repo.default_branch, names);
    judged.map_err(PushRefused::as_str)
}

/// What is on record of it.
fn parameters(repo: &Repo, push: &Push) -> Map<String, Value> {
    let refs: Vec<Value> = push
        .updates
        .iter()
        .map(|update| json!({"name": update.name, "from": update.from, "to": update.to}))
        .collect();
    let mut parameters = Map::new();
    parameters.insert("repoId".to_owned(), json!(repo.id.to_string()));
    parameters.insert("repository".to_owned(), json!(repo.name));
    parameters.insert("refs".to_owned(), Value::Array(refs));
    parameters
}

fn whole(body: Bytes) -> Answer {
    Answer {
        content_type: ASKED.content_type(),
        body: Carried::new(futures::stream::iter([Ok(body)])),
    }
}

/// What there is once: what is pushed, and who hears what the server says.
type Once = (Push, Carried, oneshot::Sender<Result<Answer>>);

/// One push on its way.
struct Pushing {
    app: App,
    session_id: SessionId,
    place: (Repo, Url),
    headers: HeaderMap,
    once: Mutex<Option<Once>>,
}

impl std::fmt::Debug for Pushing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pushing").finish_non_exhaustive()
    }
}

impl Pushing {
    fn take(&self) -> Option<Once> {
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        once.take()
    }

    /// What the server says to it, whole.
    async fn report(&self, body: Carried) -> Result<Bytes> {
        let (repo, url) = &self.place;
        let (app, headers) = (&self.app, &self.headers);
        let answer = carry(
            app,
            self.session_id,
            (repo, url),
            ASKED,
            headers,
            Some(body),
        )
        .await?;
        let pieces = bounded(answer.body, GIT_REPORT_BYTES_MAX);
        let report = pieces.try_fold(BytesMut::new(), async |mut report, piece| {
            report.extend_from_slice(&piece);
            Ok(report)
        });
        let report = report.await.map_err(|error| {
            tracing::info!(%error, "a server's word on a push was not heard to the end");
            Error::Outside(CUT_OFF.to_owned())
        })?;
        Ok(report.freeze())
    }
}

#[async_trait]
impl Executor for Pushing {
    fn availability(&self, _: &ToolSpec) -> Availability {
        Availability::Ready("part of the gateway".to_owned())
    }

    async fn execute(&self, permit: Permit, work: Work) -> std::result::Result<Produced, Failure> {
        work.spend(permit)?;
        let Some((push, body, told)) = self.take() else {
            return Err(failed("it was made before"));
        };
        let report = self.report(body).await;
        let produced = match &report {
            Ok(report) if push.is_taken(report) => done(&self.place.0, &push),
            Ok(_) => Err(failed(NOT_TAKEN)),
            Err(Error::Forbidden(why)) => Err(failed(why)),
            Err(error) => Err(Failure::Unavailable {
                hint: error.to_string(),
            }),
        };
        // Whoever pushed may have gone away.
        _ = told.send(report.map(whole));
        produced
    }
}

fn done(repo: &Repo, push: &Push) -> std::result::Result<Produced, Failure> {
    let names: Vec<&str> = push
        .updates
        .iter()
        .map(|update| update.name.as_str())
        .collect();
    let text = format!("Pushed {} to {}.", names.join(", "), repo.name);
    Produced::told(&text, None)
}

const fn failed(reason: &'static str) -> Failure {
    Failure::Tool {
        reason,
        retryable: false,
    }
}
