//! An agent at work: prompts one after the other, each with an answer of its own words.

use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Agent, memory::part_id};

impl Agent {
    /// Until nothing waits.
    pub(super) async fn work(self) {
        self.say_status("busy");
        while let Some(prompt) = self.next() {
            self.answer(&prompt).await;
            if self.is_dead() {
                return;
            }
        }
        self.say_status("idle");
        let session = self.state().memory.session.clone();
        self.say("session.idle", &json!({"sessionID": session}));
    }

    /// The newest prompt, unless an answer sorts behind it; with all that are not begun yet and sort before it.
    fn next(&self) -> Option<String> {
        let mut state = self.state();
        state.is_aborted = false;
        let next = (!state.is_dead).then(|| state.memory.begin()).flatten();
        state.busy = next.as_ref().map(|(prompt, _)| prompt.clone());
        let (prompt, begun) = next?;
        let twice = state.memory.mark_begun(&begun);
        drop(state);
        for prompt in begun {
            self.context.trace.note(format!("agent begins {prompt}"));
            if let Ok(mut list) = self.context.begun.lock() {
                list.push((self.session, prompt));
            }
        }
        for prompt in twice {
            let what = format!("the agent was given {prompt} twice and does it twice");
            self.context.trace.violation(what);
        }
        Some(prompt)
    }

    async fn answer(&self, prompt: &str) {
        let unix_millis = 1_767_225_600_000 + self.context.time.now().as_millis();
        let (id, words) = {
            let mut state = self.state();
            let now = u64::try_from(unix_millis).unwrap_or_default();
            let id = state.memory.next_id(now);
            state.memory.begin_answer(&id, prompt);
            (id, state.memory.text(prompt))
        };
        self.say_message(&id);
        self.say_part(&id, false);
        for word in words.split_inclusive(' ') {
            sleep(self.context.rng.millis(5, 400)).await;
            let (is_over, is_aborted) = {
                let mut state = self.state();
                if state.is_aborted {
                    state.memory.complete(&id, true);
                } else if !state.is_dead {
                    state.memory.write(&id, word);
                }
                (state.is_dead, state.is_aborted)
            };
            if is_over {
                return;
            }
            if is_aborted {
                return self.say_message(&id);
            }
            let session = self.state().memory.session.clone();
            let delta = json!({"sessionID": session, "messageID": id, "partID": part_id(&id),
                "field": "text", "delta": word});
            self.say("message.part.delta", &delta);
        }
        self.state().memory.complete(&id, false);
        self.say_part(&id, true);
        self.say_message(&id);
    }

    pub(super) fn say_message(&self, id: &str) {
        let info = self.state().memory.info(id);
        let session = info["sessionID"].clone();
        self.say(
            "message.updated",
            &json!({"sessionID": session, "info": info}),
        );
    }

    fn say_part(&self, id: &str, is_whole: bool) {
        let part = self.state().memory.part(id, is_whole);
        let session = part["sessionID"].clone();
        let said = json!({"sessionID": session, "part": part});
        self.say("message.part.updated", &said);
    }

    fn say_status(&self, kind: &str) {
        let session: Value = json!(self.state().memory.session);
        let status = json!({"sessionID": session, "status": {"type": kind}});
        self.say("session.status", &status);
    }
}
