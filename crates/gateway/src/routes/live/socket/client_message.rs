//! Handles a client's messages.

use app::{access::Steering, sessions};
use domain::{caller::Caller, id::SessionId};
use hub::{GitChange, SaveError};
use wire::{
    live::{ClientMessage, LiveError, LiveErrorCode, MessageSource, ServerMessage, StatusUpdate},
    problem::Code,
};

use super::{
    super::{hub_failure, new_prompt},
    message_loop::MessageLoop,
};
use crate::{error::Failure, rejections, state::Gateway};

impl MessageLoop {
    /// The immediate response. The effect of many messages appears in the stream instead.
    pub(super) async fn handle_message(&mut self, message: ClientMessage) -> Option<ServerMessage> {
        match message {
            ClientMessage::Ping => Some(ServerMessage::Pong),
            ClientMessage::GetStatus => Some(match self.watching.read_status().await {
                Ok(look) => ServerMessage::Status(StatusUpdate {
                    status: look.status,
                    is_idle: look.is_idle,
                    message: None,
                }),
                Err(error) => error_message(&hub_failure(error)),
            }),
            ClientMessage::GetMessages => {
                self.watching.request_init();
                None
            }
            ClientMessage::GetGitStatus(asked) => {
                let later = self.git_status(asked);
                later.unwrap_or_else(|failure| Some(error_message(&failure)))
            }
            // Handled by the connection, or not at all.
            ClientMessage::Auth(_) => None,
            change => self.handle_change(change).await,
        }
    }

    /// Messages that need permission to steer the session. A refusal is recorded before the response is sent.
    async fn handle_change(&mut self, message: ClientMessage) -> Option<ServerMessage> {
        let audited = audited_change(&message)?;
        let requested = RequestedChange {
            gateway: self.gateway.clone(),
            caller: self.insider.caller(),
            id: self.id,
            operation: audited.operation,
        };
        match self.apply_change(message, audited.event, &requested).await {
            Ok(answer) => answer,
            Err(failure) => Some(requested.reject(&failure).await),
        }
    }

    async fn apply_change(
        &mut self,
        message: ClientMessage,
        event: AuditEvent,
        requested: &RequestedChange,
    ) -> Result<Option<ServerMessage>, Failure> {
        let steering = sessions::steer(&self.gateway.app, &self.insider, self.id).await?;
        if event == AuditEvent::OfTheChange {
            let operation = requested.operation;
            let access = steering.access();
            sessions::record(&self.gateway.app, &self.insider, access, operation).await?;
        }
        match message {
            ClientMessage::Prompt(prompt) => {
                let prompt = new_prompt(&self.insider, prompt, MessageSource::Web);
                let handle = self.watching.steer(&steering).map_err(hub_failure)?;
                handle.prompt(prompt).await.map_err(hub_failure)?;
                Ok(None)
            }
            ClientMessage::Cancel(_) => self.cancel(&steering, requested.clone()),
            ClientMessage::SaveSnapshot(_) => self.save_snapshot(steering),
            ClientMessage::GitCreateBranch(asked) => {
                self.git_change(steering, GitChange::Branch(asked), requested.clone())
            }
            ClientMessage::GitCommit(asked) => {
                self.git_change(steering, GitChange::Commit(asked), requested.clone())
            }
            ClientMessage::GitPush(asked) => {
                self.git_change(steering, GitChange::Push(asked), requested.clone())
            }
            ClientMessage::GitCreatePr(asked) => {
                self.git_create_pr(steering, asked, requested.clone())
            }
            ClientMessage::RunAutoStart(asked) => {
                self.auto_start(steering, asked, requested.clone())
            }
            // These change nothing.
            ClientMessage::Auth(_)
            | ClientMessage::Ping
            | ClientMessage::GetStatus
            | ClientMessage::GetMessages
            | ClientMessage::GetGitStatus(_) => Ok(None),
        }
    }

    /// Saves the sandbox, which takes as long as it is large. All clients get the outcome; a failure to start is for
    /// this client only.
    fn save_snapshot(&self, steering: Steering) -> Result<Option<ServerMessage>, Failure> {
        let (Some(hub), Ok(later)) = (
            self.gateway.hub.clone(),
            self.later.clone().try_reserve_owned(),
        ) else {
            return Err(busy_failure());
        };
        tokio::spawn(async move {
            let saved = hub.sandboxes.save_snapshot(&steering).await;
            let failure = match saved {
                Err(SaveError::Boot(error)) => hub_failure(error.into()),
                Err(SaveError::LimitReached(message)) => Failure::new(Code::LimitReached, message),
                _ => return,
            };
            later.send(error_message(&failure));
        });
        Ok(None)
    }

    /// Stops the agent's turn; that takes as long as the agent needs.
    fn cancel(
        &self,
        steering: &Steering,
        requested: RequestedChange,
    ) -> Result<Option<ServerMessage>, Failure> {
        let later = self.later.clone().try_reserve_owned();
        let later = later.map_err(|_| busy_failure())?;
        let handle = self.watching.steer(steering).map_err(hub_failure)?.clone();
        tokio::spawn(async move {
            if let Err(error) = handle.cancel().await {
                later.send(requested.reject(&hub_failure(error)).await);
            }
        });
        Ok(None)
    }
}

/// A change that a client of a WebSocket requests, until its outcome is known.
#[derive(Debug, Clone)]
pub(super) struct RequestedChange {
    pub(super) gateway: Gateway,
    pub(super) caller: Caller,
    pub(super) id: SessionId,
    operation: &'static str,
}

impl RequestedChange {
    /// Records a refusal, and returns the message for the client.
    pub(super) async fn reject(&self, failure: &Failure) -> ServerMessage {
        self.record_rejection(failure).await;
        error_message(failure)
    }

    /// Records a refusal that the client gets in other words.
    pub(super) async fn record_rejection(&self, failure: &Failure) {
        let subject = ("session", self.id.uuid());
        rejections::record_rejection(
            &self.gateway,
            &self.caller,
            self.operation,
            subject,
            failure,
        )
        .await;
    }
}

/// How a message that changes something is audited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AuditedChange {
    /// The operation of its refusal, and of its event if the change itself has one.
    operation: &'static str,
    event: AuditEvent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AuditEvent {
    /// Recorded before the change is made.
    OfTheChange,
    /// The change is recorded separately: a prompt in the log of the session, a push and a pull request as mediated
    /// calls.
    Elsewhere,
}

/// `None` for a message that changes nothing. Without a `_`, so that a new message has to be
/// classified.
fn audited_change(message: &ClientMessage) -> Option<AuditedChange> {
    use AuditEvent::{Elsewhere, OfTheChange};
    let (operation, event) = match message {
        ClientMessage::Prompt(_) => ("session_message", Elsewhere),
        ClientMessage::Cancel(_) => ("session_cancel", OfTheChange),
        ClientMessage::SaveSnapshot(_) => ("session_snapshot_save", OfTheChange),
        ClientMessage::RunAutoStart(_) => ("session_services_start", OfTheChange),
        ClientMessage::GitCreateBranch(_) => ("session_branch_create", OfTheChange),
        ClientMessage::GitCommit(_) => ("session_commit_create", OfTheChange),
        ClientMessage::GitPush(_) => ("session_branch_push", Elsewhere),
        ClientMessage::GitCreatePr(_) => ("session_pull_request_create", Elsewhere),
        ClientMessage::Auth(_)
        | ClientMessage::Ping
        | ClientMessage::GetStatus
        | ClientMessage::GetMessages
        | ClientMessage::GetGitStatus(_) => return None,
    };
    Some(AuditedChange { operation, event })
}

pub(super) fn busy_failure() -> Failure {
    Failure::new(
        Code::RateLimited,
        "too many requests are under way on this connection",
    )
}

pub(super) fn error_message(failure: &Failure) -> ServerMessage {
    let code = match failure.code {
        Code::Forbidden => LiveErrorCode::Forbidden,
        Code::InvalidRequest => LiveErrorCode::InvalidFrame,
        Code::UpstreamUnavailable => LiveErrorCode::Agent,
        _ => LiveErrorCode::Refused,
    };
    ServerMessage::Error(LiveError {
        message: failure.problem.detail.clone(),
        code,
        retryable: failure.code.retryable(),
    })
}
