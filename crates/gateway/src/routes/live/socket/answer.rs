//! What a client asks for, done.

use app::sessions;
use hub::house::SaveError;
use wire::{
    live::{
        ClientMessage, GitAction, GitCode, GitResult, LiveError, LiveErrorCode, MessageSource,
        ServerMessage, StatusUpdate,
    },
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
            // Said by the connection, or not at all.
            ClientMessage::Auth(_) => None,
            other => Some(not_yet(&other)),
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

fn busy() -> ServerMessage {
    let message = "too much is asked for at once";
    failed(&Failure::new(Code::RateLimited, message))
}

fn failed(failure: &Failure) -> ServerMessage {
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

/// The answer to what no part of this gateway does. Whoever builds one answers its message above.
fn not_yet(message: &ClientMessage) -> ServerMessage {
    let what = "this gateway cannot do that yet";
    let git = |action| {
        ServerMessage::GitResult(GitResult {
            action,
            success: false,
            code: GitCode::UnknownError,
            message: what.to_owned(),
            pr_url: None,
        })
    };
    match message {
        ClientMessage::GitCreateBranch(_) => git(GitAction::CreateBranch),
        ClientMessage::GitCommit(_) => git(GitAction::Commit),
        ClientMessage::GitPush(_) => git(GitAction::Push),
        ClientMessage::GitCreatePr(_) => git(GitAction::CreatePr),
        _ => failed(&Failure::new(Code::Conflict, what)),
    }
}
