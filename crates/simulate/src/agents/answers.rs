//! What an agent's server answers.

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::Agent;

/// An answer.
#[derive(Debug)]
pub(crate) enum Said {
    Json(u16, Value),
    /// The stream of events.
    Events(mpsc::UnboundedReceiver<String>),
}

impl Agent {
    /// Answers a request. What it changes is changed, whether or not the answer arrives.
    pub(crate) fn asked(&self, method: &str, path: &str, body: &Value) -> Said {
        let pieces: Vec<&str> = path.trim_matches('/').split('/').collect();
        match (method, pieces.as_slice()) {
            ("GET", ["global", "health"]) => {
                Said::Json(200, json!({"healthy": true, "version": "simulated"}))
            }
            ("GET", ["event"]) => self.listened(),
            ("POST", ["session"]) => self.made(),
            ("GET", ["session", "status"]) => self.status(),
            ("GET", ["session", id]) => self.session(id),
            ("GET", ["session", _, "message"]) => Said::Json(200, self.state().memory.listed()),
            ("POST", ["session", _, "prompt_async"]) => self.prompted(body),
            ("POST", ["session", _, "abort"]) => {
                self.state().is_aborted = true;
                Said::Json(200, json!(true))
            }
            _ => Said::Json(200, json!({})),
        }
    }

    fn listened(&self) -> Said {
        let (sender, receiver) = mpsc::unbounded_channel();
        let hello = json!({"type": "server.connected", "properties": {}});
        // Its receiver is here.
        _ = sender.send(format!("data: {hello}\n\n"));
        self.state().listeners.push(sender);
        Said::Events(receiver)
    }

    fn made(&self) -> Said {
        let id = format!("ses_{:012x}", self.context.rng.below(1 << 48));
        let mut state = self.state();
        let id = state.memory.session.get_or_insert(id).clone();
        Said::Json(200, json!({"id": id, "title": "A session"}))
    }

    fn session(&self, id: &str) -> Said {
        if self.state().memory.session.as_deref() == Some(id) {
            return Said::Json(200, json!({"id": id, "title": "A session"}));
        }
        Said::Json(404, json!({"name": "NotFoundError"}))
    }

    fn status(&self) -> Said {
        let state = self.state();
        let mut all = json!({});
        if let (Some(_), Some(id)) = (&state.busy, &state.memory.session) {
            all[id] = json!({"type": "busy"});
        }
        Said::Json(200, all)
    }

    fn prompted(&self, body: &Value) -> Said {
        let id = body["messageID"].as_str().unwrap_or_default().to_owned();
        let text = body["parts"][0]["text"].as_str().unwrap_or_default();
        let (is_new, is_idle) = {
            let mut state = self.state();
            let is_new = !state.memory.has(&id);
            if is_new {
                state.memory.prompt(&id, text);
            }
            // Its loop looks once more before it ends.
            let is_idle = state.busy.is_none();
            state.busy.get_or_insert_with(|| id.clone());
            (is_new, is_idle)
        };
        if is_new {
            self.say_message(&id);
        }
        if is_idle {
            self.context.world.spawn(self.clone().work());
        }
        Said::Json(204, Value::Null)
    }
}
