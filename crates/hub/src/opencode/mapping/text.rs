//! A text or a thought of the agent, as it grows.

use domain::limits::AGENT_TEXT_BYTES_MAX;
use wire::live::{ServerMessage, TextPart, TextRef, Token};

use super::live_event::LiveEvent;

const CUT: &str = "\n[The rest is too long to show.]";

#[derive(Debug, Clone)]
pub(super) struct TrackedText {
    is_thought: bool,
    /// What was emitted of it.
    so_far: String,
    /// Something of it may be missing: only the whole text is emitted.
    is_incomplete: bool,
}

impl TrackedText {
    pub(super) fn said() -> Self {
        Self {
            is_thought: false,
            so_far: String::new(),
            is_incomplete: false,
        }
    }

    pub(super) fn thought() -> Self {
        Self {
            is_thought: true,
            ..Self::said()
        }
    }

    /// Continues a text of which this was emitted, and something may be missing since.
    pub(super) fn continuing(self, so_far: String) -> Self {
        Self {
            so_far,
            is_incomplete: true,
            ..self
        }
    }

    pub(super) fn mark_incomplete(&mut self) {
        self.is_incomplete = true;
    }

    pub(super) fn grow(&mut self, message: &str, part: &str, delta: &str) -> Option<LiveEvent> {
        if self.so_far.len() + delta.len() > AGENT_TEXT_BYTES_MAX {
            self.is_incomplete = true;
        }
        if self.is_incomplete || delta.is_empty() {
            return None;
        }
        self.so_far.push_str(delta);
        let token = Token {
            message_id: message.to_owned(),
            part_id: part.to_owned(),
            token: delta.to_owned(),
        };
        Some(LiveEvent::Show(if self.is_thought {
            ServerMessage::Thinking(token)
        } else {
            ServerMessage::Token(token)
        }))
    }

    /// Applies the text as the agent stores it. While it grows the agent stores an empty one.
    pub(super) fn update(
        &mut self,
        message: &str,
        part: &str,
        text: &str,
        is_whole: bool,
    ) -> Option<LiveEvent> {
        if is_whole {
            return self.whole(message, part, text);
        }
        match text.strip_prefix(self.so_far.as_str()) {
            Some(rest) => self.grow(message, part, rest),
            None => None,
        }
    }

    /// Voids the text; what follows starts it again.
    pub(super) fn void(&mut self, message: &str, part: &str) -> Option<LiveEvent> {
        self.is_incomplete = false;
        if std::mem::take(&mut self.so_far).is_empty() {
            return None;
        }
        Some(LiveEvent::Show(ServerMessage::TextVoid(TextRef {
            message_id: message.to_owned(),
            part_id: part.to_owned(),
        })))
    }

    /// The message ended without the whole text: what was emitted stays, if nothing is missing of it.
    pub(super) fn close(&mut self, message: &str, part: &str) -> Option<LiveEvent> {
        if self.is_incomplete {
            return None;
        }
        let text = self.so_far.clone();
        self.whole(message, part, &text)
    }

    fn whole(&mut self, message: &str, part: &str, text: &str) -> Option<LiveEvent> {
        // Void, and started again in another part.
        if text.is_empty() {
            return self.void(message, part);
        }
        let whole = TextPart {
            message_id: message.to_owned(),
            part_id: part.to_owned(),
            text: cut(text),
        };
        Some(LiveEvent::Show(if self.is_thought {
            ServerMessage::ThinkingComplete(whole)
        } else {
            ServerMessage::TextPartComplete(whole)
        }))
    }
}

fn cut(text: &str) -> String {
    if text.len() <= AGENT_TEXT_BYTES_MAX {
        return text.to_owned();
    }
    format!(
        "{}{CUT}",
        &text[..text.floor_char_boundary(AGENT_TEXT_BYTES_MAX)]
    )
}
