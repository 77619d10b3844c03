//! The prompt that a session was created with, sent to its agent once, when the session is first opened.
//!
//! INVARIANT: once. The log says whether it was sent: it is the first message, only the owner writes it, and this is done
//! before any caller has the session. A prompt that is in the log and did not reach the agent is delivered under the same
//! id. When the agent has it, that is recorded, so that the log may be trimmed.

use std::sync::Arc;

use app::{App, Error};
use domain::{
    id::UserId,
    session::{ClientType, Session, SessionState},
};
use wire::live::MessageSource;

use super::observed_journal::AnswerCount;
use crate::session::{Handle, NewPrompt};

/// The idempotency key of the prompt. Keys of clients have another beginning.
const KEY: &str = "initial";

/// Whether the session has a prompt that its agent may still need.
pub(super) fn has_first_prompt(session: &Session) -> bool {
    let has_ended = matches!(
        session.state,
        SessionState::Stopped { .. } | SessionState::Failed { .. }
    );
    session.initial_prompt.is_some() && !has_ended
}

/// Sends the session's first prompt, or wakes its agent if the prompt is on record and not delivered.
pub(super) async fn send_first_prompt(
    app: &App,
    session: &Session,
    handle: &Handle,
    answers: Arc<AnswerCount>,
) -> Result<(), Error> {
    let Some(text) = session.initial_prompt.clone() else {
        return Ok(());
    };
    let state = {
        let mut conn = app.db.read().await?;
        store::session_first_prompt(&mut conn, &session.organization_id, session.id).await?
    };
    let answered = answers.current();
    let gone = |_| Error::SessionInTransition;
    match state {
        store::FirstPrompt::Delivered => return Ok(()),
        store::FirstPrompt::Recorded => handle.wake().await.map_err(gone)?,
        store::FirstPrompt::Due => {
            let prompt = NewPrompt {
                text,
                images: Vec::new(),
                sender_id: session.created_by.as_ref().map(UserId::to_string),
                source: Some(source(session.client_type)),
                key: Some(KEY.to_owned()),
            };
            handle.prompt(prompt).await.map_err(gone)?;
        }
    }
    let marking = mark_delivered(
        app.clone(),
        session.clone(),
        handle.clone(),
        answers,
        answered,
    );
    tokio::spawn(marking);
    Ok(())
}

/// Records the delivery when the agent has the prompt, or when it was cancelled. If the session leaves before, the next
/// owner finds out from the log.
async fn mark_delivered(
    app: App,
    session: Session,
    handle: Handle,
    answers: Arc<AnswerCount>,
    answered: u64,
) {
    tokio::select! {
        biased;
        () = answers.wait_above(answered) => {}
        () = handle.wait_gone() => return,
    }
    let marked = async {
        let mut tx = app.db.write().await?;
        store::session_first_prompt_mark_delivered(&mut tx, &session, app.now()).await?;
        tx.commit().await
    };
    if let Err(error) = marked.await {
        tracing::warn!(%error, session_id = %session.id, "cannot record that a first prompt was delivered");
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
