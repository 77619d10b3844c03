//! A push as a mediated call: decided by policy and by the repository's record, recorded, executed once, and answered
//! in git's own protocol.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use domain::{
    Invalid,
    caller::Caller,
    git_push::{Head, InvalidPush, Push, PushRefused},
    id::{RunId, SessionId},
    limits::{CALLBACK_PUSH_QUOTA, GIT_PUSH_BYTES_MAX, GIT_REPORT_BYTES_MAX, GIT_REQUEST_MAX},
    policy::{InvalidName, LaneId, Operation, Permit, ToolSpec},
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
use tools::{Availability, Executor, Failure, PermittedCall, Produced};

use super::{
    pieces::{GitBody, bounded},
    server::{GitEndpoint, GitResponse, GitService, forward_to_server},
};
use crate::{
    context::App,
    error::{Error, Result},
    mediation::{
        self,
        call::{CallKind, MediatedCall, SessionTool, checked_key},
        identify::CallerIdentity,
    },
};

/// The operation of a push in policy.
pub(crate) const PUSH_OPERATION: &str = "git.push";
const LANE: &str = "REPOSITORY_PUSH";
const ENDPOINT: GitEndpoint = GitEndpoint::Pack(GitService::ReceivePack);

const NOT_TAKEN: &str = "the server of the repository did not take all of the push";
const CUT_OFF: &str =
    "the push was cut off; whether the server took it is not known, and pushing again is harmless";

/// Executes the push if it is allowed. A push that is denied is answered with git's own rejection.
pub(super) async fn push(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    (repo, url): (Repo, Url),
    headers: HeaderMap,
    body: GitBody,
) -> Result<GitResponse> {
    let (push, body) = begun(&headers, bounded(body, GIT_PUSH_BYTES_MAX)).await?;
    if push.updates.is_empty() {
        // Git checks whether it may push; nothing changes.
        return forward_to_server(
            app,
            session_id,
            (&repo, &url),
            ENDPOINT,
            &headers,
            Some(body),
        )
        .await;
    }
    let rejection = allowed(&repo, &push).err();
    let parameters = parameters(&repo, &push);
    let (sender, answer) = oneshot::channel();
    let executor = Arc::new(PushExecutor {
        app: app.clone(),
        session_id,
        place: (repo, url),
        headers,
        pending: Mutex::new(Some((push.clone(), body, sender))),
    });
    let mut call = mediated_call(app, caller, session_id, rejection, parameters)?;
    call.executor = Some(Arc::<PushExecutor>::clone(&executor));
    let outcome = mediation::run(app, call, GIT_REQUEST_MAX).await?;
    if let RunState::Denied { error, .. } = &outcome.run.state {
        if let Some((_, mut body, _)) = executor.take() {
            // A client that is answered while it still sends does not read the answer.
            while let Some(Ok(_)) = body.next().await {}
        }
        return Ok(whole(push.rejection(&error.message).into()));
    }
    answer.await.unwrap_or(Err(Error::Incomplete))
}

fn mediated_call(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    rejection: Option<&'static str>,
    parameters: Map<String, Value>,
) -> Result<MediatedCall> {
    let wrong = |_: InvalidName| Error::Forbidden("the policy has no lane for this session");
    let operation = Operation::new(PUSH_OPERATION).map_err(wrong)?;
    let lane_id = LaneId::new(LANE).map_err(wrong)?;
    let identity = CallerIdentity::of(caller)?;
    let push_id = RunId::generate(app.now(), &*app.entropy);
    let tool_call_id = format!("push-{push_id}");
    let key = format!("tool:{tool_call_id}");
    let key = checked_key(Some(key)).map_err(|why| Invalid::new("Idempotency-Key", why))?;
    let kind = CallKind::Push(SessionTool {
        tool_call_id,
        quota: CALLBACK_PUSH_QUOTA,
        rejection,
    });
    let run_id = RunId::generate(app.now(), &*app.entropy);
    let mut call = MediatedCall::in_session(
        kind, identity, session_id, lane_id, operation, parameters, run_id,
    );
    call.idempotency_key = key;
    Ok(call)
}

/// What the push is about, with what was read to know that put back.
async fn begun(headers: &HeaderMap, mut body: GitBody) -> Result<(Push, GitBody)> {
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
    Ok((push, GitBody::new(head.chain(body))))
}

/// Whether the repository's record allows the push, else a sentence that says why not.
pub(super) fn allowed(repo: &Repo, push: &Push) -> std::result::Result<(), &'static str> {
    let names = push.updates.iter().map(|update| update.name.as_str());
    let judged = repo.push.judge(&repo.default_branch, names);
    judged.map_err(PushRefused::as_str)
}

/// The parameters of the call, as they are recorded.
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

fn whole(body: Bytes) -> GitResponse {
    GitResponse {
        content_type: ENDPOINT.content_type(),
        body: GitBody::new(futures::stream::iter([Ok(body)])),
    }
}

/// What is pushed, and where the answer of the server goes. It can be taken once.
type PendingPush = (Push, GitBody, oneshot::Sender<Result<GitResponse>>);

/// Executes one push. Its entry hands it in, because a push is a stream and no table has it.
struct PushExecutor {
    app: App,
    session_id: SessionId,
    place: (Repo, Url),
    headers: HeaderMap,
    pending: Mutex<Option<PendingPush>>,
}

impl std::fmt::Debug for PushExecutor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PushExecutor").finish_non_exhaustive()
    }
}

impl PushExecutor {
    fn take(&self) -> Option<PendingPush> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.take()
    }

    /// Sends the push, and returns the whole report of the server.
    async fn report(&self, body: GitBody) -> Result<Bytes> {
        let (repo, url) = &self.place;
        let (app, headers) = (&self.app, &self.headers);
        let answer = forward_to_server(
            app,
            self.session_id,
            (repo, url),
            ENDPOINT,
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
impl Executor for PushExecutor {
    fn availability(&self, _: &ToolSpec) -> Availability {
        Availability::Ready("part of the gateway".to_owned())
    }

    async fn execute(
        &self,
        permit: Permit,
        call: PermittedCall,
    ) -> std::result::Result<Produced, Failure> {
        call.spend(permit)?;
        let Some((push, body, sender)) = self.take() else {
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
        // The client may have gone away.
        _ = sender.send(report.map(whole));
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
    Produced::answer(&text, None)
}

const fn failed(reason: &'static str) -> Failure {
    Failure::Tool {
        reason,
        retryable: false,
    }
}
