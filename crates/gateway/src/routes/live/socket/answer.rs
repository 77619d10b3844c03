//! Handles a client's messages.

use app::{access::Steering, sessions};
use domain::{caller::Caller, id::SessionId};
use hub::{GitChange, SaveError};
use wire::{
    live::{ClientMessage, LiveError, LiveErrorCode, MessageSource, ServerMessage, StatusUpdate},
    problem::Code,
};

use super::{
    super::{new_prompt, refused},
    message_loop::MessageLoop,
};
use crate::{error::Failure, refusals, state::Gateway};

impl MessageLoop {
    /// The immediate response. The effect of many messages appears in the stream instead.
    pub(super) async fn answer(&mut self, message: ClientMessage) -> Option<ServerMessage> {
        match message {
            ClientMessage::Ping => Some(ServerMessage::Pong),
            ClientMessage::GetStatus => Some(match self.watching.read_status().await {
                Ok(look) => ServerMessage::Status(StatusUpdate {
                    status: look.status,
                    is_idle: look.is_idle,
                    message: None,
                }),
                Err(error) => failed(&refused(error)),
            }),
            ClientMessage::GetMessages => {
                self.watching.request_init();
                None
            }
            ClientMessage::GetGitStatus(asked) => {
                let later = self.git_status(asked);
                later.unwrap_or_else(|failure| Some(failed(&failure)))
            }
            // Handled by the connection, or not at all.
            ClientMessage::Auth(_) => None,
            change => self.change(change).await,
        }
    }

    /// Messages that need permission to steer the session. A refusal is recorded before the response is sent.
    async fn change(&mut self, message: ClientMessage) -> Option<ServerMessage> {
        let audited = audited(&message)?;
        let wanted = WantedChange {
            gateway: self.gateway.clone(),
            caller: self.insider.caller(),
            id: self.id,
            operation: audited.operation,
        };
        match self.make_change(message, audited.event, &wanted).await {
            Ok(answer) => answer,
            Err(failure) => Some(wanted.refused(&failure).await),
        }
    }

    async fn make_change(
        &mut self,
        message: ClientMessage,
        event: AuditEvent,
        wanted: &WantedChange,
    ) -> Result<Option<ServerMessage>, Failure> {
        let steering = sessions::steer(&self.gateway.app, &self.insider, self.id).await?;
        if event == AuditEvent::OfTheChange {
            let operation = wanted.operation;
            sessions::record(&self.gateway.app, &self.insider, self.id, operation).await?;
        }
        match message {
            ClientMessage::Prompt(prompt) => {
                let prompt = new_prompt(&self.insider, prompt, MessageSource::Web);
                let handle = self.watching.steer(&steering).map_err(refused)?;
                handle.prompt(prompt).await.map_err(refused)?;
                Ok(None)
            }
            ClientMessage::Cancel(_) => self.cancel(&steering, wanted.clone()),
            ClientMessage::SaveSnapshot(_) => self.save_snapshot(steering),
            ClientMessage::GitCreateBranch(asked) => {
                self.git_change(steering, GitChange::Branch(asked), wanted.clone())
            }
            ClientMessage::GitCommit(asked) => {
                self.git_change(steering, GitChange::Commit(asked), wanted.clone())
            }
            ClientMessage::GitPush(asked) => {
                self.git_change(steering, GitChange::Push(asked), wanted.clone())
            }
            ClientMessage::GitCreatePr(asked) => {
                self.git_create_pr(steering, asked, wanted.clone())
            }
            ClientMessage::RunAutoStart(asked) => self.auto_start(steering, asked, wanted.clone()),
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
            return Err(busy());
        };
        tokio::spawn(async move {
            let saved = hub.sandboxes.save_snapshot(&steering).await;
            if let Err(SaveError::Boot(error)) = saved {
                let failure = Failure::new(Code::UpstreamUnavailable, error.to_string());
                later.send(failed(&failure));
            }
        });
        Ok(None)
    }

    /// Stops the agent's turn; that takes as long as the agent needs.
    fn cancel(
        &self,
        steering: &Steering,
        wanted: WantedChange,
    ) -> Result<Option<ServerMessage>, Failure> {
        let later = self.later.clone().try_reserve_owned();
        let later = later.map_err(|_| busy())?;
        let handle = self.watching.steer(steering).map_err(refused)?.clone();
        tokio::spawn(async move {
            if let Err(error) = handle.cancel().await {
                later.send(wanted.refused(&refused(error)).await);
            }
        });
        Ok(None)
    }
}

/// A change that a client of a WebSocket requests, until its outcome is known.
#[derive(Debug, Clone)]
pub(super) struct WantedChange {
    pub(super) gateway: Gateway,
    pub(super) caller: Caller,
    pub(super) id: SessionId,
    operation: &'static str,
}

impl WantedChange {
    /// Records a refusal, and returns the message for the client.
    pub(super) async fn refused(&self, failure: &Failure) -> ServerMessage {
        self.note(failure).await;
        failed(failure)
    }

    /// Records a refusal that the client gets in other words.
    pub(super) async fn note(&self, failure: &Failure) {
        let subject = ("session", self.id.uuid());
        refusals::note(
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
struct Audited {
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
fn audited(message: &ClientMessage) -> Option<Audited> {
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
    Some(Audited { operation, event })
}

pub(super) fn busy() -> Failure {
    Failure::new(
        Code::RateLimited,
        "too many requests are under way on this connection",
    )
}

pub(super) fn failed(failure: &Failure) -> ServerMessage {
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
