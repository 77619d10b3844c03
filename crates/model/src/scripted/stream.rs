//! A response as the API's stream of events, in pieces, with the requested pauses and faults.

use std::{io, time::Duration};

use bytes::Bytes;
use domain::limits::SCRIPT_PAUSE_MAX;
use futures::{Stream, stream};
use serde_json::{Value, json};

use super::{
    answer::{Answer, AnswerBlock},
    error::envelope,
    fault::Fault,
};

/// Replaces the API's signature of reasoning.
pub(super) const SIGNATURE: &str = "c2NyaXB0ZWQ=";
/// How long the client has to read what was sent before the connection breaks.
const READ_FIRST: Duration = Duration::from_millis(100);
/// Longest piece of a text, in characters.
const PIECE_CHARS_MAX: u64 = 12;

/// One event. A piece of content is what pauses and faults count.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Frame {
    pub(super) data: Value,
    is_piece: bool,
}

impl Frame {
    fn new(data: Value) -> Self {
        Self {
            data,
            is_piece: false,
        }
    }

    fn piece(index: usize, delta: &Value) -> Self {
        Self {
            data: json!({"type": "content_block_delta", "index": index, "delta": delta}),
            is_piece: true,
        }
    }

    pub(super) fn bytes(&self) -> Bytes {
        let name = self.data["type"].as_str().unwrap_or_default();
        format!("event: {name}\ndata: {}\n\n", self.data).into()
    }
}

/// The events of an answer. The same seed cuts it into the same pieces.
pub(super) fn frames(answer: &Answer, seed: u64) -> Vec<Frame> {
    let mut dice = Dice(seed);
    let mut frames = vec![Frame::new(json!({
        "type": "message_start",
        "message": {
            "id": answer.id, "type": "message", "role": "assistant", "model": answer.model,
            "content": [], "stop_reason": null, "stop_sequence": null,
            "usage": {"input_tokens": answer.input_tokens, "output_tokens": 1},
        },
    }))];
    for (index, block) in answer.blocks.iter().enumerate() {
        let start = match block {
            AnswerBlock::Thinking(_) => {
                json!({"type": "thinking", "thinking": "", "signature": ""})
            }
            AnswerBlock::Text(_) => json!({"type": "text", "text": ""}),
            AnswerBlock::ToolUse { id, name, .. } => {
                json!({"type": "tool_use", "id": id, "name": name, "input": {}})
            }
        };
        frames.push(Frame::new(
            json!({"type": "content_block_start", "index": index, "content_block": start}),
        ));
        if index == 0 {
            frames.push(Frame::new(json!({"type": "ping"})));
        }
        pieces(&mut frames, index, block, &mut dice);
        frames.push(Frame::new(
            json!({"type": "content_block_stop", "index": index}),
        ));
    }
    frames.push(Frame::new(json!({
        "type": "message_delta",
        "delta": {"stop_reason": answer.stop_reason(), "stop_sequence": null},
        "usage": {"output_tokens": answer.output_tokens()},
    })));
    frames.push(Frame::new(json!({"type": "message_stop"})));
    frames
}

fn pieces(frames: &mut Vec<Frame>, index: usize, block: &AnswerBlock, dice: &mut Dice) {
    match block {
        AnswerBlock::Thinking(text) => {
            for part in dice.cut(text) {
                let delta = json!({"type": "thinking_delta", "thinking": part});
                frames.push(Frame::piece(index, &delta));
            }
            let delta = json!({"type": "signature_delta", "signature": SIGNATURE});
            frames.push(Frame::piece(index, &delta));
        }
        AnswerBlock::Text(text) => {
            for part in dice.cut(text) {
                let delta = json!({"type": "text_delta", "text": part});
                frames.push(Frame::piece(index, &delta));
            }
        }
        AnswerBlock::ToolUse { input, .. } => {
            let text = input.to_string();
            // The API starts with an empty part.
            for part in std::iter::once(String::new()).chain(dice.cut(&text)) {
                let delta = json!({"type": "input_json_delta", "partial_json": part});
                frames.push(Frame::piece(index, &delta));
            }
        }
    }
}

/// How the frames are sent.
#[derive(Debug)]
pub(super) struct Delivery {
    frames: std::vec::IntoIter<Frame>,
    pace: Duration,
    fault: Option<Fault>,
    pieces: usize,
}

/// Sends the frames; an error breaks the connection.
pub(super) fn deliver(
    frames: Vec<Frame>,
    pace: Duration,
    fault: Option<Fault>,
) -> impl Stream<Item = io::Result<Bytes>> {
    let delivery = Delivery {
        frames: frames.into_iter(),
        pace,
        fault,
        pieces: 0,
    };
    stream::unfold(delivery, async |mut delivery| {
        let item = delivery.next().await?;
        Some((item, delivery))
    })
}

impl Delivery {
    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        match self.fault {
            Some(Fault::Drop { after }) if self.pieces >= after => {
                // A reset discards bytes that the client has not read yet.
                tokio::time::sleep(READ_FIRST).await;
                self.end();
                return Some(Err(io::ErrorKind::ConnectionReset.into()));
            }
            Some(Fault::Break { after }) if self.pieces >= after => {
                self.end();
                return Some(Ok(Frame::new(envelope(529, "Overloaded")).bytes()));
            }
            Some(Fault::Hang { after }) if self.pieces >= after => {
                tokio::time::sleep(SCRIPT_PAUSE_MAX).await;
                self.end();
                return Some(Err(io::ErrorKind::TimedOut.into()));
            }
            _ => {}
        }
        let frame = self.frames.next()?;
        if frame.is_piece {
            self.pieces += 1;
            if !self.pace.is_zero() {
                tokio::time::sleep(self.pace).await;
            }
        }
        Some(Ok(frame.bytes()))
    }

    fn end(&mut self) {
        self.frames = Vec::new().into_iter();
        self.fault = None;
    }
}

/// SplitMix64: small, and the same on every machine.
#[derive(Debug)]
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Cuts a text into pieces of some characters each.
    fn cut(&mut self, text: &str) -> Vec<String> {
        let mut pieces = Vec::new();
        let mut chars = text.chars().peekable();
        while chars.peek().is_some() {
            let length = usize::try_from(1 + self.roll() % PIECE_CHARS_MAX).unwrap_or(1);
            pieces.push(chars.by_ref().take(length).collect());
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pieces_are_the_text_and_the_same_for_the_same_seed(text in "(?s).{0,200}", seed: u64) {
            let pieces = Dice(seed).cut(&text);
            prop_assert_eq!(pieces.concat(), text.clone());
            prop_assert_eq!(pieces, Dice(seed).cut(&text));
        }
    }
}
