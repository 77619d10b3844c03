//! The conversation, as a new client is sent it. A fold over the log, so that it survives the sandbox and the process.
//! Bounded: of a very long conversation the oldest messages are left out.

use std::collections::VecDeque;

use domain::limits::{TRANSCRIPT_BYTES_MAX, TRANSCRIPT_MESSAGES_MAX};
use serde_json::Value;
use wire::live::{
    LiveMessage, MessagePart, MessageRole, ServerMessage, TextPart, Token, ToolCallStatus,
    ToolCallView, ToolEnd, ToolStart,
};

use super::call_args;
use crate::opencode::PromptIds;

/// The approximate size of a message without its texts.
const MESSAGE_BYTES: usize = 200;

/// The approximate size of a part without its text and id.
const PART_BYTES: usize = 100;

/// The messages so far.
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    messages: VecDeque<TranscriptMessage>,
    bytes: usize,
    /// Messages that were left out.
    left_out: usize,
}

#[derive(Debug, Clone)]
struct TranscriptMessage {
    message: LiveMessage,
    /// The ids of the message's parts, in the same order.
    marks: Vec<PartMark>,
    bytes: usize,
    is_cancelled: bool,
}

#[derive(Debug, Clone, Default)]
struct PartMark {
    id: String,
    /// The whole part was logged.
    is_whole: bool,
}

/// What the log has of a message of the agent.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedMessage {
    pub id: String,
    pub is_complete: bool,
    pub parts: Vec<LoggedPart>,
}

/// What the log has of a part.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedPart {
    pub id: String,
    pub is_whole: bool,
    pub part: MessagePart,
}

impl Transcript {
    /// Applies the messages of the log, in order. Those that are not of the conversation change nothing.
    pub fn apply(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::Message(message) => self.begin(message),
            ServerMessage::Token(token) => self.grow(token, false),
            ServerMessage::Thinking(token) => self.grow(token, true),
            ServerMessage::TextPartComplete(part) => self.replace(part, false),
            ServerMessage::ThinkingComplete(part) => self.replace(part, true),
            ServerMessage::TextVoid(part) => {
                self.change(&part.message_id, |entry| entry.remove(&part.part_id));
            }
            ServerMessage::ToolStart(start) => self.tool_start(start),
            ServerMessage::ToolEnd(end) => self.tool_end(end),
            ServerMessage::MessageComplete(of) => {
                self.change(&of.message_id, |entry| entry.message.is_complete = true);
            }
            ServerMessage::MessageCancelled(of) => {
                let id = of.message_id.as_deref().unwrap_or_default();
                self.change(id, |entry| entry.is_cancelled = true);
            }
            _ => {}
        }
        self.bound();
    }

    /// Returns all messages, oldest first.
    pub fn messages(&self) -> Vec<LiveMessage> {
        self.messages.iter().map(TranscriptMessage::view).collect()
    }

    /// Returns one message as it was logged.
    pub fn message(&self, id: &str) -> Option<&LiveMessage> {
        let mut newest_first = self.messages.iter().rev();
        let found = newest_first.find(|entry| entry.message.id == id);
        found.map(|entry| &entry.message)
    }

    /// Returns the id of the newest message.
    pub fn newest(&self) -> Option<&str> {
        self.messages.back().map(|entry| entry.message.id.as_str())
    }

    /// Returns the text that the agent is writing, as far as it is known.
    pub fn streaming(&self) -> Option<TextPart> {
        let entry = self.messages.back()?;
        let (mark, part) = (entry.marks.last()?, entry.message.parts.last()?);
        match part {
            MessagePart::Text { text } if !entry.message.is_complete => Some(TextPart {
                message_id: entry.message.id.clone(),
                part_id: mark.id.clone(),
                text: text.clone(),
            }),
            _ => None,
        }
    }

    /// Returns the prompts that the agent has not begun to answer, oldest first: it was not given them, or it ended before
    /// their turn. It begins them in their order.
    pub fn unanswered(&self) -> Vec<String> {
        let mut waiting: Vec<&TranscriptMessage> = Vec::new();
        // The prompts that have an answer, by the end of their ids.
        let mut answered: Vec<&str> = Vec::new();
        for entry in &self.messages {
            match (entry.message.role, &entry.message.prompt_id) {
                (MessageRole::User, _) => waiting.push(entry),
                (MessageRole::Assistant, Some(prompt)) => answered.extend(PromptIds::tail(prompt)),
                // An answer without the id of its prompt answers all before it.
                (MessageRole::Assistant, None) => waiting.clear(),
            }
        }
        let is_answered = |entry: &&TranscriptMessage| {
            let tail = PromptIds::tail(&entry.message.id);
            tail.is_some_and(|tail| answered.contains(&tail))
        };
        let begun = waiting.iter().rposition(is_answered);
        let left = waiting.split_off(begun.map_or(0, |last| last + 1));
        let left = left.into_iter().filter(|entry| !entry.is_cancelled);
        left.map(|entry| entry.message.id.clone()).collect()
    }

    /// Returns the prompt that an agent knows by this id.
    pub fn prompt_like(&self, given: &str) -> Option<&str> {
        let tail = PromptIds::tail(given)?;
        let mut newest_first = self.messages.iter().rev();
        let found = newest_first.find(|entry| {
            let message = &entry.message;
            message.role == MessageRole::User && PromptIds::tail(&message.id) == Some(tail)
        });
        found.map(|entry| entry.message.id.as_str())
    }

    /// Returns how many of the oldest messages are left out.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Returns the agent's last message that is complete, if all before it are.
    pub fn settled(&self) -> Option<&str> {
        let complete = self
            .messages
            .iter()
            .take_while(|entry| entry.message.is_complete);
        let of_agent = |entry: &&TranscriptMessage| entry.message.role == MessageRole::Assistant;
        let last = complete.filter(of_agent).last();
        last.map(|entry| entry.message.id.as_str())
    }

    /// Returns the agent's messages after the settled ones, oldest first: the rest of them is still to be logged.
    pub fn unsettled(&self) -> Vec<LoggedMessage> {
        let settled = self.settled();
        let after = self.messages.iter().filter(|entry| {
            entry.message.role == MessageRole::Assistant
                && settled.is_none_or(|settled| entry.message.id.as_str() > settled)
        });
        after.map(TranscriptMessage::logged).collect()
    }

    fn begin(&mut self, message: &LiveMessage) {
        // Logs of earlier versions may have it twice: what is known of it stays.
        if self
            .messages
            .iter()
            .any(|entry| entry.message.id == message.id)
        {
            return;
        }
        let images = message.parts.iter().map(|part| match part {
            MessagePart::Image { image } => image.len(),
            _ => 0,
        });
        let bytes = message.content.len() + images.sum::<usize>() + MESSAGE_BYTES;
        self.bytes += bytes;
        self.messages.push_back(TranscriptMessage {
            marks: vec![PartMark::default(); message.parts.len()],
            bytes,
            is_cancelled: false,
            message: message.clone(),
        });
    }

    /// Changes a message, usually the last, and updates the count of bytes.
    fn change(&mut self, id: &str, change: impl FnOnce(&mut TranscriptMessage)) {
        let found = self.messages.iter_mut().rev();
        let Some(entry) = found.into_iter().find(|entry| entry.message.id == id) else {
            return;
        };
        let before = entry.bytes;
        change(entry);
        self.bytes = self.bytes + entry.bytes - before;
    }

    fn grow(&mut self, token: &Token, is_thought: bool) {
        self.change(&token.message_id, |entry| {
            entry.bytes += token.token.len();
            let part = entry.part(&token.part_id, || text_part(is_thought, String::new()));
            if let MessagePart::Text { text } | MessagePart::Thinking { text } = part {
                text.push_str(&token.token);
            }
        });
    }

    fn replace(&mut self, whole: &TextPart, is_thought: bool) {
        self.change(&whole.message_id, |entry| {
            let part = entry.part(&whole.part_id, || text_part(is_thought, String::new()));
            let before = match &part {
                MessagePart::Text { text } | MessagePart::Thinking { text } => text.len(),
                _ => 0,
            };
            *part = text_part(is_thought, whole.text.clone());
            entry.bytes = entry.bytes + whole.text.len() - before;
            entry.mark_whole(&whole.part_id);
        });
    }

    fn tool_start(&mut self, start: &ToolStart) {
        let fresh = || {
            MessagePart::Tool(ToolCallView {
                tool_call_id: start.tool_call_id.clone(),
                tool_name: start.tool.clone(),
                args: Value::Null,
                result: None,
                status: ToolCallStatus::Running,
            })
        };
        let id = start.message_id.as_deref().unwrap_or_default();
        self.change(id, |entry| {
            let bytes = entry.bytes;
            if let MessagePart::Tool(call) = entry.part(&start.part_id, fresh) {
                let added = call_args::set(call, &start.args, bytes);
                entry.bytes = entry.bytes.saturating_add_signed(added);
            }
        });
    }

    fn tool_end(&mut self, end: &ToolEnd) {
        let mut newest_first = self.messages.iter().rev();
        let Some(of) = newest_first.find(|entry| entry.part_index(&end.part_id).is_some()) else {
            return;
        };
        let id = of.message.id.clone();
        self.change(&id, |entry| {
            entry.bytes += end.result.len();
            let fresh = || text_part(false, String::new());
            if let MessagePart::Tool(call) = entry.part(&end.part_id, fresh) {
                call.result = Some(end.result.clone());
                call.status = end.status;
            }
            entry.mark_whole(&end.part_id);
        });
    }

    /// Removes the oldest messages.
    ///
    /// INVARIANT: bounded, and what is left out is counted. The newest message always stays.
    fn bound(&mut self) {
        let is_over = |transcript: &Self| {
            transcript.messages.len() > TRANSCRIPT_MESSAGES_MAX
                || transcript.bytes > TRANSCRIPT_BYTES_MAX
        };
        while self.messages.len() > 1 && is_over(self) {
            if let Some(oldest) = self.messages.pop_front() {
                self.bytes -= oldest.bytes;
                self.left_out += 1;
            }
        }
    }
}

fn text_part(is_thought: bool, text: String) -> MessagePart {
    if is_thought {
        MessagePart::Thinking { text }
    } else {
        MessagePart::Text { text }
    }
}

impl TranscriptMessage {
    fn part(&mut self, id: &str, fresh: impl FnOnce() -> MessagePart) -> &mut MessagePart {
        let at = self.part_index(id).unwrap_or_else(|| {
            let (id, is_whole) = (id.to_owned(), false);
            self.bytes += PART_BYTES + id.len();
            self.marks.push(PartMark { id, is_whole });
            self.message.parts.push(fresh());
            self.marks.len() - 1
        });
        &mut self.message.parts[at]
    }

    fn part_index(&self, id: &str) -> Option<usize> {
        self.marks.iter().position(|mark| mark.id == id)
    }

    fn mark_whole(&mut self, id: &str) {
        if let Some(at) = self.part_index(id) {
            self.marks[at].is_whole = true;
        }
    }

    fn remove(&mut self, id: &str) {
        if let Some(at) = self.part_index(id) {
            self.marks.remove(at);
            self.message.parts.remove(at);
        }
    }

    fn logged(&self) -> LoggedMessage {
        let parts = self.marks.iter().zip(&self.message.parts);
        LoggedMessage {
            id: self.message.id.clone(),
            is_complete: self.message.is_complete,
            parts: parts
                .map(|(mark, part)| LoggedPart {
                    id: mark.id.clone(),
                    is_whole: mark.is_whole,
                    part: part.clone(),
                })
                .collect(),
        }
    }

    /// Returns the message with its texts as content and its calls in a list too, for clients that read those fields.
    fn view(&self) -> LiveMessage {
        let mut message = self.message.clone();
        if message.content.is_empty() {
            let texts: Vec<&str> = message
                .parts
                .iter()
                .filter_map(|part| match part {
                    MessagePart::Text { text } => Some(text.as_str()),
                    _ => None,
                })
                .collect();
            message.content = texts.join("\n\n");
        }
        let calls = message.parts.iter().filter_map(|part| match part {
            MessagePart::Tool(call) => Some(call.clone()),
            _ => None,
        });
        message.tool_calls = calls.collect();
        message
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(values: &[Value]) -> Transcript {
        let mut transcript = Transcript::default();
        for value in values {
            transcript.apply(&serde_json::from_value(value.clone()).unwrap());
        }
        transcript
    }

    fn message(id: &str, role: &str, content: &str) -> Value {
        json!({"type": "message", "payload":
            {"id": id, "role": role, "content": content, "isComplete": role == "user", "createdAt": 1}})
    }

    fn text(kind: &str, part: &str, text: &str) -> Value {
        let name = if kind.ends_with("complete") {
            "text"
        } else {
            "token"
        };
        json!({"type": kind, "payload": {"messageId": "m2", "partId": part, name: text}})
    }

    #[test]
    fn a_conversation_reads_as_it_was_told() {
        let transcript = told(&[
            message("m1", "user", "Please look."),
            message("m2", "assistant", ""),
            text("thinking", "p0", "Hm"),
            text("thinking_complete", "p0", "Hmm."),
            text("token", "p1", "In va"),
            json!({"type": "text_void", "payload": {"messageId": "m2", "partId": "p1"}}),
            text("token", "p2", "I lo"),
            text("token", "p2", "ok."),
            text("text_part_complete", "p2", "I look."),
            json!({"type": "tool_start", "payload": {"messageId": "m2", "partId": "p3", "toolCallId": "c1",
                "tool": "bash", "args": {}}}),
            json!({"type": "tool_start", "payload": {"messageId": "m2", "partId": "p3", "toolCallId": "c1",
                "tool": "bash", "args": {"command": "ls"}}}),
            json!({"type": "tool_end", "payload": {"partId": "p3", "toolCallId": "c1", "tool": "bash",
                "result": "a.rs", "durationMs": 3, "status": "completed"}}),
            json!({"type": "message_complete", "payload": {"messageId": "m2"}}),
            message("m3", "assistant", ""),
            // After a restart the same is told again.
            message("m2", "assistant", ""),
            json!({"type": "pong"}),
        ]);
        assert_eq!(transcript.settled(), Some("m2"));
        assert_eq!(transcript.left_out(), 0);
        insta::assert_json_snapshot!(transcript.messages());
    }

    /// What follows the time of an id is a prompt's own.
    fn id(time: u8, tail: u8) -> String {
        format!("msg_{time:012x}{tail:014}")
    }

    fn answer(time: u8, to: Option<&str>) -> Value {
        let mut answer = message(&id(time, 99), "assistant", "");
        if let Some(prompt) = to {
            answer["payload"]["promptId"] = prompt.into();
        }
        answer
    }

    #[test]
    fn prompts_that_no_answer_began_are_unanswered_in_their_order() {
        let prompts: Vec<String> = (1..=3).map(|n| id(n, n)).collect();
        let [first, second, third] = [&prompts[0], &prompts[1], &prompts[2]];
        let said = |then: &[Value]| {
            let prompts = prompts.iter().map(|id| message(id, "user", "Do."));
            told(&prompts.chain(then.iter().cloned()).collect::<Vec<_>>()).unanswered()
        };
        let cancelled =
            json!({"type": "message_cancelled", "payload": {"messageId": second.clone()}});
        // The second was given under a newer id, which ends the same.
        let anew = id(8, 2);
        for (then, left) in [
            (vec![], vec![first, second, third]),
            (vec![answer(5, Some(first))], vec![second, third]),
            (
                vec![answer(5, Some(first)), answer(9, Some(&anew))],
                vec![third],
            ),
            (vec![answer(5, Some(third))], vec![]),
            (vec![answer(5, Some(first)), cancelled], vec![third]),
            // An older log does not say what was answered.
            (vec![answer(5, None)], vec![]),
        ] {
            assert_eq!(said(&then).iter().collect::<Vec<_>>(), left, "{then:?}");
        }
        let transcript = told(&[message(second, "user", "Do.")]);
        assert_eq!(transcript.prompt_like(&anew), Some(second.as_str()));
    }

    #[test]
    fn of_a_long_conversation_the_oldest_is_left_out_and_counted() {
        let mut transcript = Transcript::default();
        let count = TRANSCRIPT_MESSAGES_MAX + 5;
        for index in 0..count {
            let message = message(&format!("m{index}"), "user", "x");
            transcript.apply(&serde_json::from_value(message).unwrap());
        }
        assert_eq!(transcript.messages().len(), TRANSCRIPT_MESSAGES_MAX);
        assert_eq!(transcript.left_out(), 5);
        let large = message("large", "user", &"x".repeat(TRANSCRIPT_BYTES_MAX));
        transcript.apply(&serde_json::from_value(large).unwrap());
        assert_eq!(transcript.messages().len(), 1);
        assert_eq!(transcript.left_out(), count);
    }
}
