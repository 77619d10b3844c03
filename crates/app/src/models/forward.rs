//! One request to the model: whether it may be made, and its response as a stream.

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

use super::{
    ModelEndpoint, ModelRefusal, OverBudget, body::read_model, budget, call::ModelCall,
    meter::Meter,
};
use crate::{access::ModelUser, context::App};

/// A request as the agent made it.
#[derive(Debug)]
pub struct ModelRequest {
    pub endpoint: ModelEndpoint,
    /// All of them; those that may be forwarded are picked here.
    pub headers: HeaderMap,
    pub body: Bytes,
    /// Of the body's memory.
    pub body_permit: CapacityPermit,
}

/// The provider's response: its head, and the body as it comes.
#[derive(Debug)]
pub struct ModelResponse {
    pub status: u16,
    /// The forwarded ones.
    pub headers: HeaderMap,
    pub pieces: ModelBody,
}

/// The body of a response. Dropping it ends the request.
#[derive(Debug)]
pub struct ModelBody(mpsc::Receiver<io::Result<Bytes>>);

impl Stream for ModelBody {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx)
    }
}

/// Sends a request to the upstream. An agent that stops waiting ends it; what it used by then is counted all the same.
pub async fn forward(
    app: &App,
    user: &ModelUser,
    request: ModelRequest,
) -> Result<ModelResponse, ModelRefusal> {
    let Some(upstream) = app.models.upstream() else {
        tracing::error!(
            "an agent asked for its model and none is set up; set ANTHROPIC_API_KEY or `[model]`"
        );
        return Err(ModelRefusal::NotConfigured("none is set up"));
    };
    let (model, body) = read_model(&request.body)?;
    if request.endpoint == ModelEndpoint::Messages
        && let Some(over) = over_budget(app, user).await?
    {
        return Err(match over {
            OverBudget::Session { .. } => ModelRefusal::BudgetReached,
            OverBudget::Organization { .. } => ModelRefusal::SpendLimitReached,
        });
    }
    let call_permit = app.models.begin_call(&user.claimant())?;
    let call = ModelCall {
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
    let head = head.await.map_err(|_| ModelRefusal::Unreachable)??;
    Ok(ModelResponse {
        status: head.status,
        headers: head.headers,
        pieces: ModelBody(pieces),
    })
}

async fn over_budget(app: &App, user: &ModelUser) -> crate::Result<Option<OverBudget>> {
    budget::over_budget(app, user.organization_id(), user.session_id()).await
}
