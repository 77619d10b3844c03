//! One request to the model: whether it may be made, and its answer as it comes.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use domain::{capacity::CapacityPermit, limits::MODEL_PIECES_AHEAD_MAX};
use futures::Stream;
use reqwest::header::HeaderMap;
use tokio::sync::{mpsc, oneshot};
use tracing::Instrument as _;

use super::{OverBudget, Refusal, body::addressed, budget, call::Call, meter::Meter};
use crate::{access::ModelUser, context::App};

/// What can be asked of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endpoint {
    /// An answer of the model.
    Messages,
    /// How long a request would be; costs nothing and is not counted.
    CountTokens,
}

impl Endpoint {
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::Messages => "/v1/messages",
            Self::CountTokens => "/v1/messages/count_tokens",
        }
    }
}

/// A request as the agent made it.
#[derive(Debug)]
pub struct Request {
    pub endpoint: Endpoint,
    /// All of them; those that may be passed on are picked here.
    pub headers: HeaderMap,
    pub body: Bytes,
    /// Of the body's memory.
    pub body_permit: CapacityPermit,
}

/// The provider's answer: its head, and the rest as it comes.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Those that may be passed on.
    pub headers: HeaderMap,
    pub pieces: Pieces,
}

/// The body of an answer. Dropping it ends the request.
#[derive(Debug)]
pub struct Pieces(mpsc::Receiver<io::Result<Bytes>>);

impl Stream for Pieces {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx)
    }
}

/// Sends a request to the upstream. An agent that stops waiting ends it; what it used by then is counted all the same.
pub async fn forward(app: &App, user: &ModelUser, request: Request) -> Result<Answer, Refusal> {
    let Some(upstream) = app.models.upstream() else {
        tracing::error!(
            "an agent asked for its model and none is set up; set ANTHROPIC_API_KEY or `[model]`"
        );
        return Err(Refusal::SetUp("none is set up"));
    };
    let (model, body) = addressed(&request.body)?;
    if request.endpoint == Endpoint::Messages && over_budget(app, user).await?.is_some() {
        return Err(Refusal::BudgetReached);
    }
    let call_permit = app.models.begin_call(&user.claimant())?;
    let call = Call {
        models: app.models.clone(),
        upstream: upstream.clone(),
        endpoint: request.endpoint,
        headers: request.headers,
        body,
        meter: Meter::new(app.clone(), user.clone(), model),
        body_permit: Some(request.body_permit),
        _call_permit: call_permit,
    };
    let (head_sender, head) = oneshot::channel();
    let (piece_sender, pieces) = mpsc::channel(MODEL_PIECES_AHEAD_MAX);
    // A task of its own: it counts to the end, also when the agent disconnects.
    let run = call.run(head_sender, piece_sender);
    app.models.tasks().spawn(run.in_current_span());
    let head = head.await.map_err(|_| Refusal::Unreachable)??;
    Ok(Answer {
        status: head.status,
        headers: head.headers,
        pieces: Pieces(pieces),
    })
}

async fn over_budget(app: &App, user: &ModelUser) -> crate::Result<Option<OverBudget>> {
    budget::over_budget(app, user.organization_id(), user.session_id()).await
}
