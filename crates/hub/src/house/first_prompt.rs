//! What a session was made for, said to its agent once, when the session is first opened.
//!
//! INVARIANT: once. The log says whether it was said: it is the first thing in it, only the owner writes it, and this is
//! done before anybody else has the session. What is in the log and did not reach the agent is delivered under the same
//! id. When the agent has it, that is marked, so that the log may forget.

use app::Error;
use domain::{
    id::UserId,
    session::{ClientType, Session, SessionState},
};
use tokio::sync::broadcast::error::RecvError;
use wire::live::{Frame, MessageRole, MessageSource, ServerMessage};

use super::House;
use crate::session::{Attached, Handle, NewPrompt, Told};

/// The key of the prompt; those of clients have another beginning.
const KEY: &str = "initial";

impl House {
    pub(super) async fn first_prompt(
        &self,
        session: &Session,
        handle: &Handle,
    ) -> Result<(), Error> {
        let Some(text) = session.initial_prompt.clone() else {
            return Ok(());
        };
        let has_ended = matches!(
            session.state,
            SessionState::Stopped { .. } | SessionState::Failed { .. }
        );
        let has_agents = self.0.runtimes.is_some() || self.0.workshop.machine().await.is_ok();
        if has_ended || !has_agents {
            return Ok(());
        }
        let said = {
            let mut conn = self.0.app.db.read().await?;
            conn.session_first_prompt(&session.organization_id, session.id)
                .await?
        };
        let attached = match said {
            store::FirstPrompt::Delivered => return Ok(()),
            store::FirstPrompt::Recorded | store::FirstPrompt::Due => handle.attach(None).await,
        };
        let gone = |_| Error::Busy("the session is moving; try again");
        let attached = attached.map_err(gone)?;
        if said == store::FirstPrompt::Due {
            let prompt = NewPrompt {
                text,
                images: Vec::new(),
                sender_id: session.created_by.as_ref().map(UserId::to_string),
                source: Some(source(session.client_type)),
                key: Some(KEY.to_owned()),
            };
            handle.prompt(prompt).await.map_err(gone)?;
        } else {
            handle.wake().await.map_err(gone)?;
        }
        tokio::spawn(self.clone().mark(session.clone(), attached));
        Ok(())
    }

    /// Marks it when the agent has it, or when somebody took it back.
    async fn mark(self, session: Session, attached: Attached) {
        let mut live = attached.live;
        loop {
            match live.recv().await {
                Ok(Told::Logged(entry)) if has_reached(entry.frame()) => break,
                Ok(_) => {}
                // Whoever opens it next finds out from the log.
                Err(RecvError::Lagged(_) | RecvError::Closed) => return,
            }
        }
        let marked = async {
            let mut tx = self.0.app.db.write().await?;
            tx.session_first_prompt_delivered(&session, self.0.app.now())
                .await?;
            tx.commit().await
        };
        if let Err(error) = marked.await {
            tracing::warn!(%error, session_id = %session.id, "that a session was begun is not marked yet");
        }
    }
}

fn has_reached(frame: &str) -> bool {
    match serde_json::from_str::<Frame>(frame).map(|frame| frame.message) {
        Ok(ServerMessage::Message(message)) => message.role == MessageRole::Assistant,
        Ok(ServerMessage::MessageCancelled(_)) => true,
        _ => false,
    }
}

const fn source(client: ClientType) -> MessageSource {
    match client {
        ClientType::Web => MessageSource::Web,
        ClientType::Slack => MessageSource::Slack,
        ClientType::Cli => MessageSource::Cli,
        ClientType::Automation => MessageSource::Automation,
    }
}
