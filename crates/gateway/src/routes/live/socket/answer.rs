//! What a client asks for, done.

use app::{access::Steering, sessions};
use hub::house::{GitChange, SaveError};
use wire::{
    live::{ClientMessage, LiveError, LiveErrorCode, MessageSource, ServerMessage, StatusUpdate},
    problem::Code,
};

use super::{
    super::{new_prompt, refused},
    talk::Talk,
};
use crate::error::Failure;

impl Talk {
    /// What the client is told at once. Much of what it asks for shows in the stream instead.
    pub(super) async fn answer(&mut self, message: ClientMessage) -> Option<ServerMessage> {
        match message {
            ClientMessage::Ping => Some(ServerMessage::Pong),
            ClientMessage::GetStatus => Some(match self.watching.look().await {
                Ok(look) => ServerMessage::Status(StatusUpdate {
                    status: look.status,
                    is_idle: look.is_idle,
                    message: None,
                }),
                Err(error) => failed(&refused(error)),
            }),
            ClientMessage::GetMessages => {
                self.watching.again();
                None
            }
            ClientMessage::GetGitStatus(asked) => self.git_status(asked),
            // Said by the connection, or not at all.
            ClientMessage::Auth(_) => None,
            change => self.change(change).await,
        }
    }

    /// What only a caller that may steer the session may ask for.
    async fn change(&mut self, message: ClientMessage) -> Option<ServerMessage> {
        let steered = sessions::steer(&self.gateway.app, &self.insider, self.id).await;
        let steering = match steered {
            Ok(steering) => steering,
            Err(error) => return Some(failed(&error.into())),
        };
        if let Some(operation) = recorded_as(&message) {
            let recorded = sessions::record(&self.gateway.app, &self.insider, self.id, operation);
            if let Err(error) = recorded.await {
                return Some(failed(&error.into()));
            }
        }
        match message {
            ClientMessage::Prompt(prompt) => {
                let prompt = new_prompt(&self.insider, prompt, MessageSource::Web);
                let taken = match self.watching.steered(&steering) {
                    Ok(handle) => handle.prompt(prompt).await,
                    Err(error) => Err(error),
                };
                taken.err().map(|error| failed(&refused(error)))
            }
            ClientMessage::Cancel(_) => self.cancel(&steering),
            ClientMessage::SaveSnapshot(_) => self.save_snapshot(steering),
            ClientMessage::GitCreateBranch(asked) => {
                self.git_change(steering, GitChange::Branch(asked))
            }
            ClientMessage::GitCommit(asked) => self.git_change(steering, GitChange::Commit(asked)),
            ClientMessage::GitPush(asked) => self.git_change(steering, GitChange::Push(asked)),
            ClientMessage::GitCreatePr(asked) => self.git_create_pr(steering, asked),
            ClientMessage::RunAutoStart(asked) => self.auto_start(steering, asked),
            // These change nothing.
            ClientMessage::Auth(_)
            | ClientMessage::Ping
            | ClientMessage::GetStatus
            | ClientMessage::GetMessages
            | ClientMessage::GetGitStatus(_) => None,
        }
    }

    /// Saves the sandbox, which takes as long as it is large. Whoever watches is told of the outcome; that it did not
    /// come so far is for this client.
    fn save_snapshot(&self, steering: Steering) -> Option<ServerMessage> {
        let (Some(house), Ok(later)) = (
            self.gateway.house.clone(),
            self.later.clone().try_reserve_owned(),
        ) else {
            return Some(busy());
        };
        tokio::spawn(async move {
            let saved = house.save_snapshot(&steering).await;
            if let Err(SaveError::Boot(error)) = saved {
                let failure = Failure::new(Code::UpstreamUnavailable, error.to_string());
                later.send(failed(&failure));
            }
        });
        None
    }

    /// Stops what the agent does; that takes as long as the agent takes.
    fn cancel(&self, steering: &Steering) -> Option<ServerMessage> {
        let Ok(later) = self.later.clone().try_reserve_owned() else {
            return Some(busy());
        };
        let handle = match self.watching.steered(steering) {
            Ok(handle) => handle.clone(),
            Err(error) => return Some(failed(&refused(error))),
        };
        tokio::spawn(async move {
            if let Err(error) = handle.cancel().await {
                later.send(failed(&refused(error)));
            }
        });
        None
    }
}

/// What a message is in the audit log. The others change nothing, or leave their own record: a prompt in the log of the
/// session, a push as the mediated call that it is.
fn recorded_as(message: &ClientMessage) -> Option<&'static str> {
    match message {
        ClientMessage::Cancel(_) => Some("session_cancel"),
        ClientMessage::SaveSnapshot(_) => Some("session_snapshot_save"),
        ClientMessage::RunAutoStart(_) => Some("session_services_start"),
        _ => None,
    }
}

pub(super) fn busy() -> ServerMessage {
    let message = "too much is asked for at once";
    failed(&Failure::new(Code::RateLimited, message))
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
