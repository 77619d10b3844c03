//! What must not be in the log twice: notices, which may be received again, and prompts, which may be sent again. It follows
//! from the log, so that a hub that is opened again knows it too. Bounded: the oldest are forgotten.

use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
};

use chrono::{DateTime, Utc};
use domain::{audit::Sha256Hex, limits::HUB_ONCE_KEYS_MAX};
use uuid::Uuid;
use wire::live::{LiveMessage, MessagePart, MessageRole, ServerMessage};

use crate::opencode::PromptIds;

/// The notices and prompts that are in the log.
#[derive(Debug, Default)]
pub struct LoggedOnce {
    invocations: RecentMap<Uuid, LoggedNotices>,
    prompts: RecentMap<String, AcceptedPrompt>,
}

/// A prompt that was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedPrompt {
    pub message_id: String,
    pub digest: Sha256Hex,
}

/// The notices of one invocation that are in the log.
#[derive(Debug, Clone, Copy, Default)]
struct LoggedNotices {
    /// When the last request expires: approval can be requested again.
    request_expires_at: Option<DateTime<Utc>>,
    is_answered: bool,
    is_over: bool,
}

impl LoggedOnce {
    /// Whether the message is to be logged, and notes that it is. One that is not a notice always is.
    pub fn is_new(&mut self, message: &ServerMessage) -> bool {
        match message {
            ServerMessage::ActionApprovalRequest(request) => {
                let logged = self.invocations.entry(request.invocation_id);
                let request_expires_at = Some(request.expires_at);
                if logged.is_over || logged.request_expires_at == request_expires_at {
                    return false;
                }
                *logged = LoggedNotices {
                    request_expires_at,
                    ..LoggedNotices::default()
                };
                true
            }
            ServerMessage::ActionApprovalResult(result) => {
                let logged = self.invocations.entry(result.invocation_id);
                !std::mem::replace(&mut logged.is_answered, true)
            }
            ServerMessage::ActionCompleted(completed) => {
                let logged = self.invocations.entry(completed.invocation_id);
                !std::mem::replace(&mut logged.is_over, true)
            }
            ServerMessage::Message(message) => {
                self.note_prompt(message);
                true
            }
            _ => true,
        }
    }

    /// Returns the prompt that was accepted under an idempotency key.
    pub fn accepted_prompt(&self, key: &str) -> Option<&AcceptedPrompt> {
        self.prompts.map.get(&PromptIds::tail_of_key(key))
    }

    fn note_prompt(&mut self, message: &LiveMessage) {
        if message.role != MessageRole::User {
            return;
        }
        if let Some(tail) = PromptIds::tail(&message.id) {
            let images = message.parts.iter().filter_map(|part| match part {
                MessagePart::Image { image } => Some(image.as_str()),
                _ => None,
            });
            *self.prompts.entry(tail.to_owned()) = AcceptedPrompt {
                message_id: message.id.clone(),
                digest: prompt_digest(&message.content, images),
            };
        }
    }
}

/// Returns the digest of a prompt's content.
pub fn prompt_digest<'a>(text: &'a str, images: impl Iterator<Item = &'a str>) -> Sha256Hex {
    // With lengths, so that the end of one cannot be the beginning of the next.
    let all = std::iter::once(text).chain(images);
    let all: Vec<String> = all.map(|one| format!("{}:{one}", one.len())).collect();
    Sha256Hex::of(all.join(",").as_bytes())
}

impl Default for AcceptedPrompt {
    fn default() -> Self {
        Self {
            message_id: String::new(),
            digest: Sha256Hex::of(b""),
        }
    }
}

/// A map that forgets its oldest key. Not `moka`: which key is forgotten must follow from the log alone, on every instance.
#[derive(Debug)]
struct RecentMap<K, V> {
    map: HashMap<K, V>,
    order: VecDeque<K>,
}

impl<K, V> Default for RecentMap<K, V> {
    fn default() -> Self {
        Self {
            map: HashMap::new(),
            order: VecDeque::new(),
        }
    }
}

impl<K: Clone + Eq + Hash, V: Default> RecentMap<K, V> {
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
    fn each_notice_is_logged_once_and_a_repeated_request_once_more() {
        let ask = |at: &str| {
            notice(
                "action_approval_request",
                &json!({"params": {}, "expiresAt": at}),
            )
        };
        let result = notice("action_approval_result", &json!({"status": "approved"}));
        let completed = notice("action_completed", &json!({"status": "completed"}));
        let mut once = LoggedOnce::default();
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
    fn the_map_is_bounded() {
        let mut recent: RecentMap<usize, usize> = RecentMap::default();
        for n in 0..HUB_ONCE_KEYS_MAX + 3 {
            *recent.entry(n) = n;
        }
        assert_eq!(recent.map.len(), HUB_ONCE_KEYS_MAX);
        assert!(!recent.map.contains_key(&2) && recent.map.contains_key(&3));
    }

    #[test]
    fn contents_do_not_run_into_each_other() {
        let of = |text: &'static str, images: &[&'static str]| {
            prompt_digest(text, images.iter().copied())
        };
        assert_eq!(of("a", &["b"]), of("a", &["b"]));
        assert_ne!(of("a", &["b"]), of("a", &["b", ""]));
        assert_ne!(of("a,1:b", &[]), of("a", &["b"]));
    }
}
