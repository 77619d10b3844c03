//! The log of a session, whose organization is told when it asks people for something or is spoken to: lists show what
//! waits for somebody.

use agent::tool::Tool;
use app::{App, news};
use async_trait::async_trait;
use domain::{news::News, session_event::SessionEvent};

use crate::session::{Journal, JournalError, StoreJournal};

#[derive(Debug)]
pub(super) struct ToldJournal {
    app: App,
    log: StoreJournal,
}

impl ToldJournal {
    pub(super) fn new(app: App, log: StoreJournal) -> Self {
        Self { app, log }
    }
}

#[async_trait]
impl Journal for ToldJournal {
    async fn last(&self) -> Result<u64, JournalError> {
        self.log.last().await
    }

    async fn append(&self, events: &[SessionEvent]) -> Result<(), JournalError> {
        self.log.append(events).await?;
        if events.iter().any(is_news) {
            let news = News::Session(self.log.session_id);
            news::tell(&self.app, &self.log.organization_id, news);
        }
        Ok(())
    }

    async fn after(&self, after: u64) -> Result<Vec<SessionEvent>, JournalError> {
        self.log.after(after).await
    }

    async fn trim(&self, kept: u64) -> Result<(), JournalError> {
        self.log.trim(kept).await
    }
}

/// A form for people, or something said. One that only may be either does no harm: whoever hears of it looks.
fn is_news(event: &SessionEvent) -> bool {
    match event.kind.as_str() {
        "message" => event.payload.contains(r#""role":"user""#),
        "tool_start" | "tool_end" => event.payload.contains(Tool::RequestEnvVariables.as_str()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use domain::clock::Timestamp;

    use super::*;

    #[test]
    fn lists_hear_of_what_waits_and_of_who_answers() {
        let table = [
            (
                "message",
                r#"{"id":"m","role":"user","content":"hello"}"#,
                true,
            ),
            (
                "message",
                r#"{"id":"m","role":"assistant","content":""}"#,
                false,
            ),
            (
                "tool_start",
                r#"{"tool":"request_env_variables","args":{}}"#,
                true,
            ),
            (
                "tool_end",
                r#"{"tool":"request_env_variables","status":"error"}"#,
                true,
            ),
            ("tool_start", r#"{"tool":"bash","args":{}}"#, false),
            ("token", r#"{"token":"request_env_variables"}"#, false),
        ];
        for (kind, payload, expected) in table {
            let event = SessionEvent {
                seq: 1,
                kind: kind.to_owned(),
                payload: payload.to_owned(),
                created_at: Timestamp::from_micros(0).unwrap(),
            };
            assert_eq!(is_news(&event), expected, "{kind} {payload}");
        }
    }
}
