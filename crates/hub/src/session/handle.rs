//! The handle of a live session.

use std::time::Duration;

use domain::clock::Timestamp;
use tokio::sync::{mpsc, oneshot};
use wire::live::{LiveStatus, MigrationReason, ServerMessage, StatusUpdate};

use super::{
    error::HubError,
    input::Input,
    move_report::MoveReport,
    stages::BootStages,
    view::{ActivityReport, ClientConnection, NewPrompt, StatusReport, StreamAttachment},
};

/// A live session. Clones address the same one.
#[derive(Debug, Clone)]
pub struct Handle(pub(super) mpsc::Sender<Input>);

impl Handle {
    /// Waits until the agent is ready, or its boot failed. Concurrent callers wait for the same boot.
    pub async fn ensure_ready(&self) -> Result<(), HubError> {
        self.ask(Input::EnsureReady).await?
    }

    /// Boots the agent without waiting for it. A boot that fails for now is retried, since no caller would; clients are told
    /// how it goes.
    pub async fn wake(&self) -> Result<(), HubError> {
        self.send(Input::Wake).await
    }

    /// Accepts a prompt and returns its id when it is in the log; it is delivered as soon as the agent is ready.
    pub async fn prompt(&self, prompt: NewPrompt) -> Result<String, HubError> {
        self.ask(|reply| Input::Prompt(prompt, reply)).await?
    }

    /// Stops the turn of the agent, and cancels prompts that wait.
    pub async fn cancel(&self) -> Result<(), HubError> {
        self.ask(Input::Cancel).await?
    }

    /// Whether the agent is in a turn. False if the hub is gone.
    pub async fn is_busy(&self) -> bool {
        self.ask(Input::IsBusy).await.unwrap_or(false)
    }

    /// Attaches to the stream: after an event, or with the conversation so far.
    pub async fn attach(&self, after: Option<u64>) -> Result<StreamAttachment, HubError> {
        self.ask(|reply| Input::Attach(after, reply)).await
    }

    /// Shows the other clients that one of this user is connected.
    pub async fn join(&self, user_id: Option<String>) -> Result<ClientConnection, HubError> {
        self.ask(|reply| Input::Join(user_id, reply)).await
    }

    /// Returns the status of the session.
    pub async fn read_status(&self) -> Result<StatusReport, HubError> {
        self.ask(Input::ReadStatus).await
    }

    /// Returns whether the session is in use.
    pub async fn read_activity(&self) -> Result<ActivityReport, HubError> {
        self.ask(Input::ReadActivity).await
    }

    /// Stops the hub if the session was unused for so long. Returns whether it does.
    pub async fn stop_if_quiet(
        &self,
        quiet: Duration,
        why: &'static str,
    ) -> Result<bool, HubError> {
        self.ask(|reply| Input::StopIfQuiet(quiet, why, reply))
            .await
    }

    /// Resumes the session if this hub paused it for its budget.
    pub async fn resume_if_paused(&self) -> Result<(), HubError> {
        let is_paused_elsewhere = false;
        self.send(Input::Resume {
            is_paused_elsewhere,
        })
        .await
    }

    /// Resumes the session, also if another owner paused it for its budget.
    pub async fn resume(&self) -> Result<(), HubError> {
        let is_paused_elsewhere = true;
        self.send(Input::Resume {
            is_paused_elsewhere,
        })
        .await
    }

    /// Whether the session is no longer live here.
    pub fn is_gone(&self) -> bool {
        self.0.is_closed()
    }

    /// Waits until the session is no longer live here.
    pub async fn wait_gone(&self) {
        self.0.closed().await;
    }

    /// Publishes a message that is not the agent's: an approval, a title, a snapshot. A notice that is in the log already is
    /// not published again.
    pub async fn publish(&self, message: ServerMessage) -> Result<(), HubError> {
        self.send(Input::Publish(Box::new(message))).await
    }

    /// Publishes a status that this process gives the session. A hub that has ended by itself has no clients.
    pub(crate) async fn publish_status(&self, status: LiveStatus, message: &str) {
        let message = Some(message.to_owned());
        let update = ServerMessage::Status(StatusUpdate {
            status,
            message,
            is_idle: false,
        });
        let _ = self.publish(update).await;
    }

    /// Stops the hub. What is not in the log yet is written first.
    pub async fn stop(&self) {
        // It may have ended by itself.
        let _ = self.0.send(Input::Stop).await;
    }

    async fn send(&self, input: Input) -> Result<(), HubError> {
        let sent = self.0.send(input).await;
        sent.map_err(|_| HubError::Gone)
    }

    /// Makes prompts wait while the session moves. Returns what reports the stages of the move.
    pub async fn begin_move(
        &self,
        reason: MigrationReason,
        expires_at: Option<Timestamp>,
    ) -> Result<BootStages, HubError> {
        self.ask(|reply| Input::BeginMove(reason, expires_at, reply))
            .await??;
        Ok(BootStages::of_move(self.0.clone()))
    }

    /// Whether the agent has ended its turn and no prompt is being delivered.
    pub async fn is_settled(&self) -> Result<bool, HubError> {
        self.ask(Input::IsSettled).await
    }

    /// Stops the agent's turn; prompts that wait go on waiting.
    pub async fn cut_turn(&self) -> Result<(), HubError> {
        self.ask(Input::CutTurn).await?
    }

    /// Ends the move: prompts that waited are delivered in their order.
    pub async fn end_move(&self, report: MoveReport) -> Result<(), HubError> {
        self.ask(|reply| Input::EndMove(Box::new(report), reply))
            .await
    }

    async fn ask<T>(&self, input: impl FnOnce(oneshot::Sender<T>) -> Input) -> Result<T, HubError> {
        let (reply, response) = oneshot::channel();
        self.0
            .send(input(reply))
            .await
            .map_err(|_| HubError::Gone)?;
        response.await.map_err(|_| HubError::Gone)
    }
}
