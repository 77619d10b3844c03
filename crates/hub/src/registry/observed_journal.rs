//! The log of a session, with what follows in the gateway from a message that is in it: lists are told that a session
//! waits for its users, and the first prompt is known to have reached the agent.

use std::sync::Arc;

use agent::tool::Tool;
use app::{App, news};
use async_trait::async_trait;
use domain::{news::News, session::Session, session_event::SessionEvent};
use wire::live::{MessageRole, ServerMessage};

use super::signal::Signal;
use crate::session::{Journal, JournalError, StoreJournal};

/// A journal in the database whose messages are observed.
#[derive(Debug)]
pub(super) struct ObservedJournal {
    app: App,
    log: StoreJournal,
    answers: Arc<AnswerCount>,
}

/// Counts the messages that show that the agent has its prompt, or that the prompt was cancelled.
#[derive(Debug, Default)]
pub(super) struct AnswerCount(Signal<u64>);

impl AnswerCount {
    pub(super) fn current(&self) -> u64 {
        self.0.get()
    }

    pub(super) async fn wait_above(&self, count: u64) {
        self.0.wait_until(|current| current > count).await;
    }
}

impl ObservedJournal {
    /// Opens the log of a session, in the name of its current owner epoch.
    pub(super) fn of_session(app: &App, session: &Session) -> Self {
        let log = StoreJournal {
            db: app.db.clone(),
            organization_id: session.organization_id.clone(),
            session_id: session.id,
            epoch: session.owner_epoch,
        };
        Self {
            app: app.clone(),
            log,
            answers: Arc::default(),
        }
    }

    pub(super) fn answers(&self) -> Arc<AnswerCount> {
        Arc::clone(&self.answers)
    }
}

#[async_trait]
impl Journal for ObservedJournal {
    async fn last(&self) -> Result<u64, JournalError> {
        self.log.last().await
    }

    async fn append(&self, events: &[SessionEvent]) -> Result<(), JournalError> {
        self.log.append(events).await
    }

    async fn after(&self, after: u64) -> Result<Vec<SessionEvent>, JournalError> {
        self.log.after(after).await
    }

    async fn trim(&self, kept: u64) -> Result<(), JournalError> {
        self.log.trim(kept).await
    }

    fn message_logged(&self, message: &ServerMessage) {
        if is_news(message) {
            let news = News::Session(self.log.session_id);
            news::publish_soon(&self.app, &self.log.organization_id, news);
        }
        if is_answer(message) {
            self.answers.0.set(self.answers.current() + 1);
        }
    }
}

/// Whether lists of sessions change: the agent asks its users for values, or a user writes.
fn is_news(message: &ServerMessage) -> bool {
    let asks_users = |tool: &str| Tool::find(tool) == Some(Tool::RequestEnvVariables);
    match message {
        ServerMessage::Message(message) => message.role == MessageRole::User,
        ServerMessage::ToolStart(start) => asks_users(&start.tool),
        ServerMessage::ToolEnd(end) => asks_users(&end.tool),
        _ => false,
    }
}

fn is_answer(message: &ServerMessage) -> bool {
    match message {
        ServerMessage::Message(message) => message.role == MessageRole::Assistant,
        ServerMessage::MessageCancelled(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn lists_hear_of_requests_for_values_and_of_user_messages() {
        let said = |role: &str| {
            json!({"type": "message", "payload":
                {"id": "m", "role": role, "content": "hello", "isComplete": true, "createdAt": 1}})
        };
        let start = |tool: &str| {
            json!({"type": "tool_start", "payload":
                {"partId": "p", "toolCallId": "c", "tool": tool, "args": {}}})
        };
        let end = |tool: &str| {
            json!({"type": "tool_end", "payload": {"partId": "p", "toolCallId": "c", "tool": tool,
                "result": "", "durationMs": 1, "status": "error"}})
        };
        let token = json!({"type": "token", "payload":
            {"messageId": "m", "partId": "p", "token": "request_env_variables"}});
        let table: [(Value, bool, bool); 6] = [
            (said("user"), true, false),
            (said("assistant"), false, true),
            (start("request_env_variables"), true, false),
            (end("request_env_variables"), true, false),
            (start("bash"), false, false),
            (token, false, false),
        ];
        for (value, news, answer) in table {
            let message: ServerMessage = serde_json::from_value(value).unwrap();
            assert_eq!(is_news(&message), news, "{message:?}");
            assert_eq!(is_answer(&message), answer, "{message:?}");
        }
    }
}
