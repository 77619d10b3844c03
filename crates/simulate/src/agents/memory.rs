//! What an agent knows: its session and the messages in it. A snapshot of its sandbox has this.

use hub::opencode::PromptIds;
use serde_json::{Value, json};

/// Ids made in one millisecond, and the digits of an id that tell its time.
const PER_MILLI: u64 = 4096;
const TIME_MASK: u64 = (1 << 48) - 1;

#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
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
    /// Of a prompt: the agent has it before its eyes.
    is_begun: bool,
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

    /// Begins a turn: the newest prompt, unless an answer sorts behind it, and the prompts that it begins.
    pub(super) fn begin(&mut self) -> Option<(String, Vec<String>)> {
        let of = |is_prompt: bool| {
            let all = self.messages.iter().rev();
            all.filter(move |message| message.answers.is_none() == is_prompt)
        };
        let newest = of(true).next()?.id.clone();
        if of(false).next().is_some_and(|answer| answer.id > newest) {
            return None;
        }
        // One that it passed over before and was then given anew is one all the same: the newer counts.
        let mut begun: Vec<String> = Vec::new();
        for message in &mut self.messages {
            if message.answers.is_none() && !message.is_begun {
                begun.retain(|other| PromptIds::tail(other) != PromptIds::tail(&message.id));
                begun.push(message.id.clone());
            }
        }
        Some((newest, begun))
    }

    /// Says that it has these before its eyes, and which of them it had before, under another id.
    pub(super) fn mark_begun(&mut self, prompts: &[String]) -> Vec<String> {
        let same = |one: &str, other: &str| PromptIds::tail(one) == PromptIds::tail(other);
        let knew = |id: &&String| {
            let mut begun = self.messages.iter().filter(|message| message.is_begun);
            begun.any(|message| same(&message.id, id))
        };
        let twice = prompts.iter().filter(knew).cloned().collect();
        for message in &mut self.messages {
            message.is_begun |= message.answers.is_none();
        }
        twice
    }

    /// What it has before its eyes, by what stays the same of an id.
    pub(crate) fn begun(&self) -> Vec<String> {
        let begun = self.messages.iter().filter(|message| message.is_begun);
        let tails = begun.filter_map(|message| PromptIds::tail(&message.id));
        tails.map(ToOwned::to_owned).collect()
    }

    pub(super) fn prompt(&mut self, id: &str, text: &str) {
        self.put(Message {
            id: id.to_owned(),
            answers: None,
            text: text.to_owned(),
            is_complete: true,
            is_aborted: false,
            is_begun: false,
        });
    }

    pub(super) fn begin_answer(&mut self, id: &str, prompt: &str) {
        self.put(Message {
            id: id.to_owned(),
            answers: Some(prompt.to_owned()),
            text: String::new(),
            is_complete: false,
            is_aborted: false,
            is_begun: false,
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
