//! Reads what an answer says it used, while it passes. Works on whatever pieces the network makes of it, keeps
//! no more than one event, and changes nothing.

use domain::{
    event_stream::{EventData, EventStreamParser},
    limits::{MODEL_BYTES_PER_TOKEN, MODEL_EVENT_BYTES_MAX, MODEL_WHOLE_BYTES_MAX},
    model_usage::Tokens,
};
use serde::Deserialize;

/// Bytes around the text in the data of an event that carries a piece of it.
const EVENT_FRAME_BYTES: usize = 74;

/// What was seen of one answer.
#[derive(Debug)]
pub(super) struct Scanner {
    form: Form,
    reported: Option<Tokens>,
    /// Whether the answer has said how much it is in the end.
    is_complete: bool,
    /// Output so far by its length.
    output_guess: usize,
}

#[derive(Debug)]
enum Form {
    /// Server-sent events.
    Events(EventStreamParser),
    /// One JSON object; `None` once it is too large to keep.
    Whole(Option<Vec<u8>>),
}

#[derive(Deserialize)]
struct Event {
    usage: Option<Counts>,
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    usage: Option<Counts>,
}

/// As the provider says it; members come and go with its versions.
#[derive(Deserialize)]
struct Counts {
    #[serde(rename = "input_tokens")]
    input: Option<i64>,
    #[serde(rename = "output_tokens")]
    output: Option<i64>,
    #[serde(rename = "cache_read_input_tokens")]
    cache_read: Option<i64>,
    #[serde(rename = "cache_creation_input_tokens")]
    cache_write: Option<i64>,
}

impl From<Counts> for Tokens {
    fn from(counts: Counts) -> Self {
        Self {
            input: counts.input.unwrap_or(0),
            output: counts.output.unwrap_or(0),
            cache_read: counts.cache_read.unwrap_or(0),
            cache_write: counts.cache_write.unwrap_or(0),
        }
        .bounded()
    }
}

impl Scanner {
    /// For an answer of this content type.
    pub(super) fn new(content_type: &str) -> Self {
        let form = if content_type.starts_with("text/event-stream") {
            Form::Events(EventStreamParser::bounded(MODEL_EVENT_BYTES_MAX))
        } else {
            Form::Whole(Some(Vec::new()))
        };
        Self {
            form,
            reported: None,
            is_complete: false,
            output_guess: 0,
        }
    }

    pub(super) fn feed(&mut self, piece: &[u8]) {
        let events = match &mut self.form {
            Form::Events(parser) => parser.push_cut(piece),
            Form::Whole(kept) => {
                self.output_guess += piece.len() / MODEL_BYTES_PER_TOKEN;
                match kept {
                    Some(bytes) if bytes.len() + piece.len() <= MODEL_WHOLE_BYTES_MAX => {
                        bytes.extend_from_slice(piece);
                    }
                    _ => *kept = None,
                }
                return;
            }
        };
        for event in &events {
            self.read_event(event);
        }
    }

    /// The provider has said everything.
    pub(super) fn finish(&mut self) {
        match std::mem::replace(&mut self.form, Form::Whole(None)) {
            Form::Events(mut parser) => {
                if let Some(event) = parser.finish() {
                    self.read_event(&event);
                }
            }
            Form::Whole(Some(bytes)) => {
                if let Ok(Event {
                    usage: Some(usage), ..
                }) = serde_json::from_slice(&bytes)
                {
                    self.report(usage.into());
                    self.is_complete = true;
                }
            }
            Form::Whole(None) => {}
        }
    }

    /// Whether the answer has said how much it is in the end.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Whether anything of the model's came.
    pub(super) fn has_content(&self) -> bool {
        self.output_guess > 0
    }

    /// What was reported; `None` if nothing was.
    pub(super) fn reported(&self) -> Option<Tokens> {
        self.reported
    }

    /// What an answer that was cut off is taken to have used. `input_guess` counts where it had not said.
    pub(super) fn estimate(&self, input_guess: i64) -> Tokens {
        let reported = self.reported.unwrap_or(Tokens {
            input: input_guess,
            ..Tokens::default()
        });
        let output = i64::try_from(self.output_guess).unwrap_or(i64::MAX);
        Tokens {
            output: reported.output.max(output),
            ..reported
        }
        .bounded()
    }

    fn read_event(&mut self, event: &EventData) {
        // A quote within a text is written with a backslash: this is found in no text.
        if !event.is_cut() && contains(&event.bytes, b"\"usage\"") {
            if let Ok(event) = serde_json::from_slice::<Event>(&event.bytes) {
                self.is_complete |= event.usage.is_some();
                let begun = event.message.and_then(|message| message.usage);
                for counts in [begun, event.usage].into_iter().flatten() {
                    self.report(counts.into());
                }
            }
        } else if contains(&event.bytes, b"\"content_block_delta\"") {
            let text = event.length.saturating_sub(EVENT_FRAME_BYTES);
            self.output_guess += (text / MODEL_BYTES_PER_TOKEN).max(1);
        }
    }

    fn report(&mut self, tokens: Tokens) {
        self.reported = Some(self.reported.unwrap_or_default().max(tokens));
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests;
