//! What must not be in the log twice: notices, which may be heard again or made up for, and prompts, which may be sent
//! again. Known from the log itself, so a hub that is opened anew knows it too. Bounded: the oldest are forgotten.

use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
};

use chrono::{DateTime, Utc};
use domain::{audit::Sha256Hex, limits::HUB_ONCE_KEYS_MAX};
use uuid::Uuid;
use wire::live::{LiveMessage, MessagePart, MessageRole, ServerMessage};

use crate::opencode::PromptIds;

/// What was told and taken.
#[derive(Debug, Default)]
pub struct Once {
    invocations: Recent<Uuid, Told>,
    prompts: Recent<String, Taken>,
}

/// A prompt that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub message_id: String,
    pub digest: Sha256Hex,
}

/// What of an invocation was told.
#[derive(Debug, Clone, Copy, Default)]
struct Told {
    /// The last question: an invocation can be asked for again.
    question: Option<DateTime<Utc>>,
    is_answered: bool,
    is_over: bool,
}

impl Once {
    /// Whether this is to be told. What is no notice always is.
    pub fn is_new(&mut self, message: &ServerMessage) -> bool {
        match message {
            ServerMessage::ActionApprovalRequest(request) => {
                let told = self.invocations.entry(request.invocation_id);
                let question = Some(request.expires_at);
                if told.is_over || told.question == question {
                    return false;
                }
                *told = Told {
                    question,
                    ..Told::default()
                };
                true
            }
            ServerMessage::ActionApprovalResult(result) => {
                let told = self.invocations.entry(result.invocation_id);
                !std::mem::replace(&mut told.is_answered, true)
            }
            ServerMessage::ActionCompleted(completed) => {
                let told = self.invocations.entry(completed.invocation_id);
                !std::mem::replace(&mut told.is_over, true)
            }
            ServerMessage::Message(message) => {
                self.take(message);
                true
            }
            _ => true,
        }
    }

    /// The prompt that was taken under a key.
    pub fn taken(&self, key: &str) -> Option<&Taken> {
        self.prompts.map.get(&PromptIds::tail_of_key(key))
    }

    fn take(&mut self, message: &LiveMessage) {
        if message.role != MessageRole::User {
            return;
        }
        if let Some(tail) = PromptIds::tail(&message.id) {
            let images = message.parts.iter().filter_map(|part| match part {
                MessagePart::Image { image } => Some(image.as_str()),
                _ => None,
            });
            *self.prompts.entry(tail.to_owned()) = Taken {
                message_id: message.id.clone(),
                digest: digest(&message.content, images),
            };
        }
    }
}

/// What tells the content of one prompt from another's.
pub fn digest<'a>(text: &'a str, images: impl Iterator<Item = &'a str>) -> Sha256Hex {
    // With lengths, so that nothing moves from one to the next.
    let all = std::iter::once(text).chain(images);
    let all: Vec<String> = all.map(|one| format!("{}:{one}", one.len())).collect();
    Sha256Hex::of(all.join(",").as_bytes())
}

impl Default for Taken {
    fn default() -> Self {
        Self {
            message_id: String::new(),
            digest: Sha256Hex::of(b""),
        }
    }
}

/// A map that forgets what came first.
#[derive(Debug)]
struct Recent<K, V> {
    map: HashMap<K, V>,
    order: VecDeque<K>,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self {
            map: HashMap::new(),
            order: VecDeque::new(),
        }
    }
}

impl<K: Clone + Eq + Hash, V: Default> Recent<K, V> {
    fn entry(&mut self, key: K) -> &mut V {
        if !self.map.contains_key(&key) {
            if self.order.len() == HUB_ONCE_KEYS_MAX
                && let Some(oldest) = self.order.pop_front()
            {
                self.map.remove(&oldest);
            }
            self.order.push_back(key.clone());
        }
        self.map.entry(key).or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn notice(kind: &str, more: &Value) -> ServerMessage {
        let mut payload = json!({"invocationId": Uuid::from_u128(1), "integration": "linear",
            "action": "create_issue", "riskLevel": "write"});
        let (Some(payload), Some(more)) = (payload.as_object_mut(), more.as_object()) else {
            panic!("objects");
        };
        payload.extend(more.clone());
        serde_json::from_value(json!({"type": kind, "payload": payload})).unwrap()
    }

    #[test]
    fn each_notice_is_told_once_and_a_question_that_is_asked_again_once_more() {
        let ask = |at: &str| {
            notice(
                "action_approval_request",
                &json!({"params": {}, "expiresAt": at}),
            )
        };
        let result = notice("action_approval_result", &json!({"status": "approved"}));
        let completed = notice("action_completed", &json!({"status": "completed"}));
        let mut once = Once::default();
        let first = ask("2026-01-01T00:05:00Z");
        let again = ask("2026-01-01T00:10:00Z");
        for (message, is_new) in [
            (&first, true),
            (&first, false),
            (&result, true),
            (&result, false),
            (&again, true),
            (&result, true),
            (&again, false),
            (&completed, true),
            (&completed, false),
            (&result, false),
            (&first, false),
        ] {
            assert_eq!(once.is_new(message), is_new, "{message:?}");
        }
        assert!(once.is_new(&ServerMessage::SessionPaused));
        assert!(once.is_new(&ServerMessage::SessionPaused));
    }

    #[test]
    fn what_is_known_is_bounded() {
        let mut recent: Recent<usize, usize> = Recent::default();
        for n in 0..HUB_ONCE_KEYS_MAX + 3 {
            *recent.entry(n) = n;
        }
        assert_eq!(recent.map.len(), HUB_ONCE_KEYS_MAX);
        assert!(!recent.map.contains_key(&2) && recent.map.contains_key(&3));
    }

    #[test]
    fn contents_do_not_run_into_each_other() {
        let of = |text: &'static str, images: &[&'static str]| digest(text, images.iter().copied());
        assert_eq!(of("a", &["b"]), of("a", &["b"]));
        assert_ne!(of("a", &["b"]), of("a", &["b", ""]));
        assert_ne!(of("a,1:b", &[]), of("a", &["b"]));
    }
}
