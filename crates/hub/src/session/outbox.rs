//! What is to be written, in order. Bounded by number and bytes: beyond it the hub reads nothing more, and what the agent
//! says waits.

use std::collections::VecDeque;

use domain::limits::{
    HUB_OUTBOX_BYTES_MAX, HUB_OUTBOX_MAX, LIVE_APPEND_BYTES_MAX, LIVE_APPEND_MAX,
};
use wire::live::ServerMessage;

use crate::sandbox_http;

/// What a message takes without its texts, about.
const MESSAGE_BYTES: usize = 300;

#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// With what each takes.
    waiting: VecDeque<(usize, ServerMessage)>,
    bytes: usize,
}

impl Outbox {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn has_room(&self) -> bool {
        self.waiting.len() < HUB_OUTBOX_MAX && self.bytes < HUB_OUTBOX_BYTES_MAX
    }

    pub(super) fn extend(&mut self, messages: impl IntoIterator<Item = ServerMessage>) {
        for message in messages {
            let weight = weight(&message);
            self.bytes += weight;
            self.waiting.push_back((weight, message));
        }
    }

    /// The next that are written at once: one at least.
    pub(super) fn batch(&mut self) -> Vec<ServerMessage> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while let Some((more, _)) = self.waiting.front() {
            let more = *more;
            let is_full = batch.len() >= LIVE_APPEND_MAX || bytes + more > LIVE_APPEND_BYTES_MAX;
            if is_full && !batch.is_empty() {
                break;
            }
            bytes += more;
            self.bytes -= more;
            batch.extend(self.waiting.pop_front().map(|(_, message)| message));
        }
        batch
    }
}

/// What it takes, about.
fn weight(message: &ServerMessage) -> usize {
    let texts = match message {
        ServerMessage::Token(token) | ServerMessage::Thinking(token) => token.token.len(),
        ServerMessage::TextPartComplete(part) | ServerMessage::ThinkingComplete(part) => {
            part.text.len()
        }
        ServerMessage::ToolStart(start) => sandbox_http::value_memory(&start.args),
        ServerMessage::ToolEnd(end) => end.result.len(),
        ServerMessage::ToolMetadata(progress) => MESSAGE_BYTES * progress.metadata.summary.len(),
        ServerMessage::Message(message) => message.content.len(),
        _ => 0,
    };
    MESSAGE_BYTES + texts
}

#[cfg(test)]
mod tests {
    use wire::live::TextPart;

    use super::*;

    fn text(length: usize) -> ServerMessage {
        ServerMessage::TextPartComplete(TextPart {
            message_id: "m".into(),
            part_id: "p".into(),
            text: "x".repeat(length),
        })
    }

    #[test]
    fn a_few_large_messages_fill_it_and_are_written_in_several_batches() {
        let mut outbox = Outbox::default();
        let size = LIVE_APPEND_BYTES_MAX / 4;
        let count = HUB_OUTBOX_BYTES_MAX / size;
        outbox.extend((0..count).map(|_| text(size)));
        assert!(!outbox.has_room());
        let mut batches = Vec::new();
        while !outbox.is_empty() {
            batches.push(outbox.batch().len());
        }
        assert_eq!(batches.iter().sum::<usize>(), count);
        assert!(
            batches.iter().all(|batch| (1..=4).contains(batch)),
            "{batches:?}"
        );
        assert!(outbox.has_room() && outbox.bytes == 0);
        outbox.extend([text(2 * LIVE_APPEND_BYTES_MAX)]);
        assert_eq!(outbox.batch().len(), 1);
    }

    #[test]
    fn many_small_messages_fill_it_too() {
        let mut outbox = Outbox::default();
        outbox.extend((0..HUB_OUTBOX_MAX).map(|_| ServerMessage::Pong));
        assert!(!outbox.has_room());
        assert_eq!(outbox.batch().len(), LIVE_APPEND_MAX);
    }
}
