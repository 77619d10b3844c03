//! The ids of a prompt, in the agent's own format. To the agent, a prompt with the same ids is the same prompt, which makes
//! delivery idempotent. The agent orders messages by their ids: it takes one that sorts before its last answer for answered.

use domain::{
    audit::Sha256Hex,
    clock::{Entropy, Timestamp, random_bytes},
};

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TIME_DIGITS: usize = 12;
const TAIL_DIGITS: usize = 14;
/// Ids made in one millisecond.
const PER_MILLI: u64 = 4096;
const TIME_MASK: u64 = (1 << 48) - 1;

/// The ids under which a prompt is known to the agent. Kept with the prompt before it is first sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptIds {
    pub message: String,
    /// The id of the text; the ids of pictures are derived from it.
    pub part: String,
}

impl PromptIds {
    /// Makes ids for now, or just after `after`, the last message that the agent is known to have: its clock may be ahead of
    /// ours.
    pub fn new(now: Timestamp, after: Option<&str>, entropy: &dyn Entropy) -> Self {
        Self::at(now, after, &random_tail(entropy))
    }

    /// Makes ids for a prompt with an idempotency key: the end of the id is derived from the key, so that the key is found in
    /// the log.
    pub fn for_key(now: Timestamp, after: Option<&str>, key: &str) -> Self {
        Self::at(now, after, &Self::tail_of_key(key))
    }

    /// Returns the end of the ids of prompts with this key.
    pub fn tail_of_key(key: &str) -> String {
        let digest = Sha256Hex::of(format!("prompt-key:{key}").as_bytes());
        digest.as_str()[..TAIL_DIGITS].to_owned()
    }

    /// Returns the end of an id, if it is one.
    pub fn tail(id: &str) -> Option<&str> {
        id.strip_prefix("msg_")?.get(TIME_DIGITS..)
    }

    fn at(now: Timestamp, after: Option<&str>, tail: &str) -> Self {
        let millis = u64::try_from(now.micros() / 1000).unwrap_or_default();
        let ours = millis.wrapping_mul(PER_MILLI) & TIME_MASK;
        let theirs = after.and_then(time_of).map_or(0, |time| time + 1);
        let time = ours.max(theirs) & TIME_MASK;
        Self::of_message(format!("msg_{time:0TIME_DIGITS$x}{tail}"))
    }

    /// Returns the ids of a prompt whose message id is known.
    pub fn of_message(message: String) -> Self {
        let rest = message.strip_prefix("msg_").unwrap_or(&message);
        Self {
            part: format!("prt_{rest}"),
            message,
        }
    }

    /// Returns the ids under which an agent is given a logged prompt: its own, unless the agent has newer messages. Then they
    /// sort just after those, because the agent would take the prompt for answered, and have the same end.
    pub fn given(message: &str, newest: Option<&str>) -> Self {
        let passed = newest.filter(|newest| *newest > message).and_then(time_of);
        match (passed, Self::tail(message)) {
            (Some(passed), Some(tail)) => {
                let time = (passed + 1) & TIME_MASK;
                Self::of_message(format!("msg_{time:0TIME_DIGITS$x}{tail}"))
            }
            _ => Self::of_message(message.to_owned()),
        }
    }

    /// Returns the id of the nth picture: the text's with the last digits replaced, so that it is always the same.
    pub(super) fn picture(&self, index: usize) -> String {
        let kept = self.part.len().saturating_sub(2);
        format!("{}{:02}", &self.part[..kept], index % 100)
    }
}

fn random_tail(entropy: &dyn Entropy) -> String {
    let random: [u8; TAIL_DIGITS] = random_bytes(entropy);
    let random = random.map(|byte| char::from(BASE62[usize::from(byte) % BASE62.len()]));
    random.iter().collect()
}

/// Returns the time part of an id.
fn time_of(id: &str) -> Option<u64> {
    let (_, digits) = id.split_once('_')?;
    u64::from_str_radix(digits.get(..TIME_DIGITS)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Fixed(u8);

    impl Entropy for Fixed {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(self.0);
        }
    }

    #[test]
    fn ids_have_the_agents_form_and_sort_by_time() {
        let at = |millis: i64| Timestamp::from_micros(millis * 1000).unwrap();
        let first = PromptIds::new(at(1_700_000_000_000), None, &Fixed(1));
        let second = PromptIds::new(at(1_700_000_000_001), None, &Fixed(0));
        assert_eq!(first.message, "msg_bcfe5680000011111111111111");
        assert_eq!(first.part, "prt_bcfe5680000011111111111111");
        assert_eq!(first.message.len(), 4 + 12 + 14);
        assert!(first.message < second.message);
        assert_eq!(first.picture(3), "prt_bcfe5680000011111111111103");
    }

    #[test]
    fn the_same_key_ends_ids_the_same_way() {
        let at = |millis: i64| Timestamp::from_micros(millis * 1000).unwrap();
        let first = PromptIds::for_key(at(1_700_000_000_000), None, "a key");
        let later = PromptIds::for_key(at(1_700_000_000_009), Some(&first.message), "a key");
        assert_ne!(first, later);
        assert_eq!(first.message.len(), 4 + 12 + 14);
        let tail = PromptIds::tail_of_key("a key");
        assert_eq!(PromptIds::tail(&first.message), Some(tail.as_str()));
        assert_eq!(PromptIds::tail(&later.message), Some(tail.as_str()));
        assert_ne!(PromptIds::tail_of_key("another"), tail);
        assert_eq!(PromptIds::tail("something else"), None);
    }

    #[test]
    fn a_prompt_is_given_after_what_the_agent_has_and_is_known_by_its_end() {
        let prompt = "msg_bcfe5680000011111111111111";
        let own = PromptIds::given(prompt, Some("msg_bcfe5600000000000000000000"));
        assert_eq!(own, PromptIds::of_message(prompt.to_owned()));
        let answer = "msg_bcfe56ffffffzzzzzzzzzzzzzz";
        let later = PromptIds::given(prompt, Some(answer));
        assert!(later.message.as_str() > answer, "{}", later.message);
        assert_eq!(PromptIds::tail(&later.message), PromptIds::tail(prompt));
        assert_eq!(later, PromptIds::given(prompt, Some(answer)));
    }

    #[test]
    fn an_id_sorts_after_what_the_agent_already_has() {
        let now = Timestamp::from_micros(1_700_000_000_000_000).unwrap();
        let ahead = "msg_bcfe56ffffffzzzzzzzzzzzzzz";
        let ids = PromptIds::new(now, Some(ahead), &Fixed(0));
        assert!(ids.message.as_str() > ahead, "{}", ids.message);
        let behind = "msg_bcfe5600000000000000000000";
        let ids = PromptIds::new(now, Some(behind), &Fixed(0));
        assert_eq!(ids, PromptIds::new(now, None, &Fixed(0)));
        assert_eq!(ids, PromptIds::new(now, Some("not an id"), &Fixed(0)));
    }
}
