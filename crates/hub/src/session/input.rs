//! What the loop of a session receives: calls of its handle, and the results of its own tasks.

use std::time::Duration;

use domain::clock::Timestamp;
use tokio::sync::oneshot;
use wire::live::{BootStage, MigrationReason, ServerMessage};

use super::{
    agent::{BootResult, BootedAgent, Liveness},
    error::HubError,
    move_report::MoveReport,
    view::{ActivityReport, ClientConnection, NewPrompt, StatusReport, StreamAttachment},
};
use crate::opencode::{AgentError, FeedEvent};

/// One input of the loop.
#[derive(Debug)]
pub(super) enum Input {
    EnsureReady(oneshot::Sender<Result<(), HubError>>),
    Wake,
    Prompt(NewPrompt, oneshot::Sender<Result<String, HubError>>),
    Cancel(oneshot::Sender<Result<(), HubError>>),
    IsBusy(oneshot::Sender<bool>),
    Attach(Option<u64>, oneshot::Sender<StreamAttachment>),
    Join(Option<String>, oneshot::Sender<ClientConnection>),
    Leave(u64),
    ReadStatus(oneshot::Sender<StatusReport>),
    ReadActivity(oneshot::Sender<ActivityReport>),
    StopIfQuiet(Duration, &'static str, oneshot::Sender<bool>),
    Publish(Box<ServerMessage>),
    Stop,
    BeginMove(
        MigrationReason,
        Option<Timestamp>,
        oneshot::Sender<Result<(), HubError>>,
    ),
    IsSettled(oneshot::Sender<bool>),
    CutTurn(oneshot::Sender<Result<(), HubError>>),
    EndMove(Box<MoveReport>, oneshot::Sender<()>),
    /// The generation of a boot, or `None` for a move.
    Stage(Option<u64>, BootStage),
    Booted(u64, Box<BootResult<BootedAgent>>),
    Feed(u64, Box<FeedEvent>),
    Liveness(u64, Liveness),
    Delivered(String, Result<(), AgentError>),
    OverBudget(u64, String),
    Resume {
        is_paused_elsewhere: bool,
    },
}

impl Input {
    /// Whether it shows that the session is in use. Reading its state does not, nor does an event of the agent by itself.
    pub(super) fn is_activity(&self) -> bool {
        match self {
            Self::EnsureReady(_)
            | Self::Wake
            | Self::Prompt(..)
            | Self::Cancel(_)
            | Self::Attach(..)
            | Self::Join(..)
            | Self::Leave(_)
            | Self::Publish(_)
            | Self::BeginMove(..)
            | Self::EndMove(..)
            | Self::Stage(..)
            | Self::Booted(..)
            | Self::Delivered(..)
            | Self::Resume { .. } => true,
            Self::IsBusy(_)
            | Self::IsSettled(_)
            | Self::CutTurn(_)
            | Self::ReadStatus(_)
            | Self::ReadActivity(_)
            | Self::StopIfQuiet(..)
            | Self::Stop
            | Self::OverBudget(..)
            | Self::Feed(..)
            | Self::Liveness(..) => false,
        }
    }
}
