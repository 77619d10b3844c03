//! What a client asks for, done.

use app::sessions;
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
        if message.is_mutation() {
            let steered = sessions::steer(&self.gateway.app, &self.insider, self.id).await;
            if let Err(error) = steered {
                return Some(failed(&error.into()));
            }
        }
        let handle = &self.watching.handle;
        match message {
            ClientMessage::Ping => Some(ServerMessage::Pong),
            ClientMessage::GetStatus => Some(match handle.look().await {
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
            ClientMessage::Prompt(prompt) => {
                let prompt = new_prompt(&self.insider, prompt, MessageSource::Web);
                let taken = handle.prompt(prompt).await;
                taken.err().map(|error| failed(&refused(error)))
            }
            ClientMessage::Cancel(_) => self.cancel(),
            ClientMessage::SaveSnapshot(_) => self.save_snapshot(),
            ClientMessage::GetGitStatus(asked) => self.git_status(asked),
            ClientMessage::GitCreateBranch(asked) => self.git_change(GitChange::Branch(asked)),
            ClientMessage::GitCommit(asked) => self.git_change(GitChange::Commit(asked)),
            ClientMessage::GitPush(asked) => self.git_change(GitChange::Push(asked)),
            ClientMessage::GitCreatePr(asked) => self.git_create_pr(asked),
            ClientMessage::RunAutoStart(asked) => self.auto_start(asked),
            // Said by the connection, or not at all.
            ClientMessage::Auth(_) => None,
        }
    }

    /// Saves the sandbox, which takes as long as it is large. Whoever watches is told of the outcome; that it did not
    /// come so far is for this client.
    fn save_snapshot(&self) -> Option<ServerMessage> {
        let (Some(house), Ok(later)) = (
            self.gateway.house.clone(),
            self.later.clone().try_reserve_owned(),
        ) else {
            return Some(busy());
        };
        let (organization_id, id) = (self.insider.organization_id().clone(), self.id);
        tokio::spawn(async move {
            let saved = house.save_snapshot(&organization_id, id).await;
            if let Err(SaveError::Boot(error)) = saved {
                let failure = Failure::new(Code::UpstreamUnavailable, error.to_string());
                later.send(failed(&failure));
            }
        });
        None
    }

    /// Stops what the agent does; that takes as long as the agent takes.
    fn cancel(&self) -> Option<ServerMessage> {
        let Ok(later) = self.later.clone().try_reserve_owned() else {
            return Some(busy());
        };
        let handle = self.watching.handle.clone();
        tokio::spawn(async move {
            if let Err(error) = handle.cancel().await {
                later.send(failed(&refused(error)));
            }
        });
        None
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
