//! One event of the log: its sequence number, and the bytes that every client is sent. They are made once, of the message's
//! kind and its serialized payload. Both are stored, so that a replay sends the same bytes.

use std::{ops::Range, sync::Arc};

use domain::{clock::Timestamp, limits::LIVE_EVENT_BYTES_MAX, session_event::SessionEvent};
use wire::live::ServerMessage;

/// What a frame has around its kind and payload, without its sequence number.
const ENVELOPE_BYTES: usize = r#"{"type":"","payload":}"#.len();

/// Why a message cannot be logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LogEntryError {
    #[error("a message is larger than {LIVE_EVENT_BYTES_MAX} bytes")]
    TooLarge,
    #[error("a message cannot be written as JSON")]
    NotJson,
}

/// An event of the log. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    seq: u64,
    kind: Arc<str>,
    frame: Arc<str>,
    payload: Range<usize>,
    created_at: Timestamp,
}

impl LogEntry {
    /// Serializes a message with its sequence number.
    pub fn new(seq: u64, message: &ServerMessage, now: Timestamp) -> Result<Self, LogEntryError> {
        let kind = message.kind();
        let payload = message.payload_json().map_err(|_| LogEntryError::NotJson)?;
        let payload = payload.unwrap_or_default();
        if ENVELOPE_BYTES + kind.len() + payload.len() > LIVE_EVENT_BYTES_MAX {
            return Err(LogEntryError::TooLarge);
        }
        Ok(Self::build(seq, kind.into(), &payload, now))
    }

    fn build(seq: u64, kind: Arc<str>, payload: &str, created_at: Timestamp) -> Self {
        let mut frame = format!("{{\"seq\":{seq},\"type\":\"{kind}\"");
        let mut range = frame.len()..frame.len();
        if !payload.is_empty() {
            frame.push_str(",\"payload\":");
            range = frame.len()..frame.len() + payload.len();
            frame.push_str(payload);
        }
        frame.push('}');
        Self {
            seq,
            kind,
            frame: frame.into(),
            payload: range,
            created_at,
        }
    }

    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Whether it is a piece of a text, which a later event has whole.
    pub fn is_text_piece(&self) -> bool {
        matches!(&*self.kind, "token" | "thinking")
    }

    /// Returns the bytes for a client.
    pub fn frame(&self) -> &Arc<str> {
        &self.frame
    }

    /// Returns the event as it is stored.
    pub fn stored(&self) -> SessionEvent {
        SessionEvent {
            seq: self.seq,
            kind: self.kind.to_string(),
            payload: self.frame[self.payload.clone()].to_owned(),
            created_at: self.created_at,
        }
    }
}

impl From<&SessionEvent> for LogEntry {
    fn from(event: &SessionEvent) -> Self {
        let kind = event.kind.as_str().into();
        Self::build(event.seq, kind, &event.payload, event.created_at)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire::live::{Frame, MessageRef, TextPart};

    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_micros(1).unwrap()
    }

    #[test]
    fn what_is_stored_gives_the_same_bytes_again() {
        let messages = [
            ServerMessage::MessageComplete(MessageRef {
                message_id: "m \"}, é \u{0}".into(),
            }),
            ServerMessage::SessionPaused,
        ];
        for message in messages {
            let entry = LogEntry::new(7, &message, now()).unwrap();
            let again = LogEntry::from(&entry.stored());
            assert_eq!(again, entry);
            let frame: Frame = serde_json::from_str(entry.frame()).unwrap();
            let seq = Some(7);
            assert_eq!(frame, Frame { seq, message });
            let own = serde_json::to_string(&frame).unwrap();
            assert_eq!(own, **entry.frame());
        }
        let entry = LogEntry::new(1, &ServerMessage::SessionPaused, now()).unwrap();
        assert_eq!(entry.stored().payload, "");
        let value: serde_json::Value = serde_json::from_str(entry.frame()).unwrap();
        assert_eq!(value, json!({"seq": 1, "type": "session_paused"}));
    }

    #[test]
    fn a_message_that_is_too_large_is_refused() {
        let text = "x".repeat(LIVE_EVENT_BYTES_MAX);
        let part = TextPart {
            message_id: String::new(),
            part_id: String::new(),
            text,
        };
        let message = ServerMessage::TextPartComplete(part);
        assert_eq!(
            LogEntry::new(1, &message, now()),
            Err(LogEntryError::TooLarge)
        );
    }
}
