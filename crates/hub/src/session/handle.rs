//! What others call.

use std::time::Duration;

use domain::clock::Timestamp;
use tokio::sync::{broadcast, mpsc, oneshot};
use wire::live::{
    BootStep, ConnectedClient, EnvRequest, LiveMessage, LiveStatus, MessageSource, MigrationReason,
    ServerMessage, TextPart,
};

use super::{
    clients::Told,
    migrate::Moved,
    phase::BootResult,
    ports::{BootError, Booted, Liveness, Stages},
};
use crate::{
    log::Entry,
    opencode::{AgentError, Feed},
};

/// Why a hub did not do it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HubError {
    #[error("the session is no longer served here")]
    Gone,
    #[error(transparent)]
    Boot(#[from] BootError),
    #[error("the session is over")]
    Over,
    #[error("too many prompts wait for the session; try again when it runs")]
    Full,
    #[error(
        "the session moves to a fresh sandbox, and as many prompts wait as can; try again in a moment"
    )]
    MovingFull,
    #[error("the session is on its way to a fresh sandbox already")]
    Migrating,
    #[error("the session has no sandbox that it could move from")]
    NotUp,
    #[error("another prompt was sent under the same idempotency key")]
    KeyTaken,
    #[error("the prompt with its pictures is too large")]
    TooLarge,
    #[error(transparent)]
    Agent(#[from] AgentError),
}

/// A prompt of a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPrompt {
    pub text: String,
    /// Data URIs, checked.
    pub images: Vec<String>,
    pub sender_id: Option<String>,
    pub source: Option<MessageSource>,
    /// The same key again is the same prompt again.
    pub key: Option<String>,
}

/// A client's place in the stream. What it is to be sent, in this order: `earlier` from the log, `entries`, then
/// what `live` brings. Whoever lags attaches again after the last place it saw.
#[derive(Debug)]
pub struct Attached {
    /// The session up to `seq`, for a client that comes new.
    pub shown: Option<Shown>,
    /// The text that the agent is writing, up to `seq`.
    pub text: Option<TextPart>,
    pub clients: Vec<ConnectedClient>,
    pub status: LiveStatus,
    pub seq: u64,
    /// Read these from the log first: after the first place, before the second.
    pub earlier: Option<(u64, u64)>,
    pub entries: Vec<Entry>,
    pub live: broadcast::Receiver<Told>,
}

/// What a client that comes new is shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shown {
    pub messages: Vec<LiveMessage>,
    pub env_requests: Vec<EnvRequest>,
    pub timeline: Vec<BootStep>,
}

/// That somebody is there; gone when it is dropped.
#[derive(Debug)]
pub struct Seat {
    pub connection_id: String,
    pub(super) _leaves: oneshot::Sender<()>,
}

/// How a session is.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    pub status: LiveStatus,
    /// The agent is there and waits for a prompt.
    pub is_idle: bool,
    pub seq: u64,
    /// The text that the agent is writing, up to `seq`.
    pub text: Option<TextPart>,
}

/// Whether anybody needs a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pulse {
    pub status: LiveStatus,
    pub clients: usize,
    /// Nobody watches, the agent does nothing, and nothing waits for it.
    pub is_resting: bool,
    /// The agent is there or comes up, or a prompt waits for it.
    pub wants_agent: bool,
    /// Since somebody did something.
    pub quiet: Duration,
    /// What the agent is at is known: its stream stands.
    pub is_heard: bool,
}

#[derive(Debug)]
pub(super) enum Input {
    EnsureReady(oneshot::Sender<Result<(), HubError>>),
    Wake,
    Prompt(NewPrompt, oneshot::Sender<Result<String, HubError>>),
    Cancel(oneshot::Sender<Result<(), HubError>>),
    IsBusy(oneshot::Sender<bool>),
    Attach(Option<u64>, oneshot::Sender<Attached>),
    Join(Option<String>, oneshot::Sender<Seat>),
    Left(u64),
    Look(oneshot::Sender<Look>),
    Pulse(oneshot::Sender<Pulse>),
    Retire(Duration, &'static str, oneshot::Sender<bool>),
    Tell(Box<ServerMessage>),
    Stop,
    BeginMove(
        MigrationReason,
        Option<Timestamp>,
        oneshot::Sender<Result<Stages, HubError>>,
    ),
    IsSettled(oneshot::Sender<bool>),
    CutTurn(oneshot::Sender<Result<(), HubError>>),
    EndMove(Box<Moved>, oneshot::Sender<()>),
    /// Of a boot, or of a move.
    Stage(Option<u64>, wire::live::BootStage),
    Booted(u64, Box<BootResult<Booted>>),
    Feed(u64, Box<Feed>),
    Liveness(u64, Liveness),
    Delivered(String, Result<(), AgentError>),
    Withheld(u64, String),
    GoOn {
        is_from_rest: bool,
    },
}

impl Input {
    /// Whether somebody needs the session. Those who only look do not, and a stream that is heard is no news by itself.
    pub(super) fn is_activity(&self) -> bool {
        match self {
            Self::EnsureReady(_)
            | Self::Wake
            | Self::Prompt(..)
            | Self::Cancel(_)
            | Self::Attach(..)
            | Self::Join(..)
            | Self::Left(_)
            | Self::Tell(_)
            | Self::BeginMove(..)
            | Self::EndMove(..)
            | Self::Stage(..)
            | Self::Booted(..)
            | Self::Delivered(..)
            | Self::GoOn { .. } => true,
            Self::IsBusy(_)
            | Self::IsSettled(_)
            | Self::CutTurn(_)
            | Self::Look(_)
            | Self::Pulse(_)
            | Self::Retire(..)
            | Self::Stop
            | Self::Withheld(..)
            | Self::Feed(..)
            | Self::Liveness(..) => false,
        }
    }
}

/// A live session. Clones are the same.
#[derive(Debug, Clone)]
pub struct Handle(pub(super) mpsc::Sender<Input>);

impl Handle {
    /// Waits until the agent can be spoken to, or its boot failed. Whoever asks at once waits for the same boot.
    pub async fn ensure_ready(&self) -> Result<(), HubError> {
        self.ask(Input::EnsureReady).await?
    }

    /// Has the agent brought up without waiting for it. What fails for now is tried again, as nobody else would; how it
    /// goes is told to whoever watches.
    pub async fn wake(&self) -> Result<(), HubError> {
        let told = self.0.send(Input::Wake).await;
        told.map_err(|_| HubError::Gone)
    }

    /// Takes a prompt and gives its id when it is on record; it is delivered as soon as the agent is ready.
    pub async fn prompt(&self, prompt: NewPrompt) -> Result<String, HubError> {
        self.ask(|reply| Input::Prompt(prompt, reply)).await?
    }

    /// Stops what the agent does.
    pub async fn cancel(&self) -> Result<(), HubError> {
        self.ask(Input::Cancel).await?
    }

    /// Whether the agent is at work. One whose hub is gone is not.
    pub async fn is_busy(&self) -> bool {
        self.ask(Input::IsBusy).await.unwrap_or(false)
    }

    /// Takes a place in the stream: after an event, or with the conversation so far.
    pub async fn attach(&self, after: Option<u64>) -> Result<Attached, HubError> {
        self.ask(|reply| Input::Attach(after, reply)).await
    }

    /// Shows those who watch that somebody, of this user, is there too.
    pub async fn join(&self, user_id: Option<String>) -> Result<Seat, HubError> {
        self.ask(|reply| Input::Join(user_id, reply)).await
    }

    pub async fn look(&self) -> Result<Look, HubError> {
        self.ask(Input::Look).await
    }

    /// Whether anybody needs it.
    pub async fn pulse(&self) -> Result<Pulse, HubError> {
        self.ask(Input::Pulse).await
    }

    /// Lets the session go if nobody has needed it for so long; says whether.
    pub async fn retire(&self, quiet: Duration, why: &'static str) -> Result<bool, HubError> {
        self.ask(|reply| Input::Retire(quiet, why, reply)).await
    }

    /// Lets it go on, if it was paused because it might not.
    pub async fn go_on(&self) -> Result<(), HubError> {
        self.may_go_on(false).await
    }

    /// The same where nobody here may know of the pause: another had the session then.
    pub async fn go_on_from_rest(&self) -> Result<(), HubError> {
        self.may_go_on(true).await
    }

    async fn may_go_on(&self, is_from_rest: bool) -> Result<(), HubError> {
        let told = self.0.send(Input::GoOn { is_from_rest }).await;
        told.map_err(|_| HubError::Gone)
    }

    /// Whether the session is no longer served here.
    pub fn is_gone(&self) -> bool {
        self.0.is_closed()
    }

    /// Waits until the session is no longer served here.
    pub async fn gone(&self) {
        self.0.closed().await;
    }

    /// Tells everybody something that is not the agent's: an approval, a title, a snapshot. A notice that is in the
    /// log already is not told again.
    pub async fn tell(&self, message: ServerMessage) -> Result<(), HubError> {
        let told = self.0.send(Input::Tell(Box::new(message))).await;
        told.map_err(|_| HubError::Gone)
    }

    /// Lets the session go. What is not written yet is written first.
    pub async fn stop(&self) {
        // It may have ended by itself.
        let _ = self.0.send(Input::Stop).await;
    }

    pub(super) async fn ask<T>(
        &self,
        input: impl FnOnce(oneshot::Sender<T>) -> Input,
    ) -> Result<T, HubError> {
        let (reply, answer) = oneshot::channel();
        self.0
            .send(input(reply))
            .await
            .map_err(|_| HubError::Gone)?;
        answer.await.map_err(|_| HubError::Gone)
    }
}
