//! What an agent knows: its session and the messages in it. A snapshot of its sandbox has this.

use serde_json::{Value, json};

/// Ids made in one millisecond, and the digits of an id that tell its time.
const PER_MILLI: u64 = 4096;
const TIME_MASK: u64 = (1 << 48) - 1;

#[derive(Debug, Clone, Default)]
pub struct Memory {
    pub(super) session: Option<String>,
    messages: Vec<Message>,
}

#[derive(Debug, Clone)]
struct Message {
    id: String,
    /// The prompt that it answers; `None` for a prompt.
    answers: Option<String>,
    text: String,
    is_complete: bool,
    is_aborted: bool,
}

impl Memory {
    /// The next id in the agent's form, after all that it has.
    pub(super) fn next_id(&self, unix_millis: u64) -> String {
        let ours = unix_millis.wrapping_mul(PER_MILLI) & TIME_MASK;
        let last = self.messages.iter().filter_map(|message| {
            let digits = message.id.get(4..16)?;
            u64::from_str_radix(digits, 16).ok()
        });
        let time = last.max().map_or(ours, |last| ours.max(last + 1));
        format!("msg_{time:012x}simulatedagent")
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.messages.iter().any(|message| message.id == id)
    }

    /// Whether nothing is left to do about a prompt.
    pub(super) fn is_answered(&self, id: &str) -> bool {
        let answers = |message: &&Message| message.answers.is_some() && message.id.as_str() > id;
        self.messages
            .iter()
            .find(answers)
            .is_some_and(|answer| answer.is_complete)
    }

    pub(super) fn prompt(&mut self, id: &str, text: &str) {
        self.put(Message {
            id: id.to_owned(),
            answers: None,
            text: text.to_owned(),
            is_complete: true,
            is_aborted: false,
        });
    }

    pub(super) fn begin_answer(&mut self, id: &str, prompt: &str) {
        self.put(Message {
            id: id.to_owned(),
            answers: Some(prompt.to_owned()),
            text: String::new(),
            is_complete: false,
            is_aborted: false,
        });
    }

    fn put(&mut self, message: Message) {
        self.messages.push(message);
        self.messages.sort_by(|one, other| one.id.cmp(&other.id));
    }

    pub(super) fn text(&self, id: &str) -> String {
        let found = self.messages.iter().find(|message| message.id == id);
        found
            .map(|message| message.text.clone())
            .unwrap_or_default()
    }

    pub(super) fn write(&mut self, id: &str, piece: &str) {
        if let Some(message) = self.messages.iter_mut().find(|message| message.id == id) {
            message.text.push_str(piece);
        }
    }

    pub(super) fn complete(&mut self, id: &str, is_aborted: bool) {
        if let Some(message) = self.messages.iter_mut().find(|message| message.id == id) {
            message.is_complete = true;
            message.is_aborted = is_aborted;
        }
    }

    /// As the agent lists them, oldest first.
    pub(super) fn listed(&self) -> Value {
        let one = |message: &Message| {
            let part = self.part(&message.id, message.is_complete);
            json!({"info": self.info(&message.id), "parts": [part]})
        };
        self.messages.iter().map(one).collect()
    }

    pub(super) fn info(&self, id: &str) -> Value {
        let Some(message) = self.messages.iter().find(|message| message.id == id) else {
            return Value::Null;
        };
        let role = match message.answers {
            Some(_) => "assistant",
            None => "user",
        };
        let is_over = message.answers.is_some() && message.is_complete;
        let error = message
            .is_aborted
            .then(|| json!({"name": "MessageAbortedError", "data": {}}));
        json!({"id": id, "sessionID": self.session, "role": role, "parentID": message.answers,
            "time": {"created": 1, "completed": is_over.then_some(2)},
            "finish": is_over.then_some("stop"), "error": error})
    }

    pub(super) fn part(&self, id: &str, is_whole: bool) -> Value {
        json!({"id": part_id(id), "messageID": id, "sessionID": self.session, "type": "text",
            "text": self.text(id), "time": {"start": 1, "end": is_whole.then_some(2)}})
    }
}

pub(super) fn part_id(message: &str) -> String {
    message.replacen("msg_", "prt_", 1)
}
