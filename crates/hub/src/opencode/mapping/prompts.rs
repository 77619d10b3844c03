//! Which prompts the agent has, by which ids, and which of them it has begun to answer. A prompt is identified by the end of
//! its id: the agent may have been given it under a newer one.

use std::collections::BTreeMap;

use domain::limits::HUB_ONCE_KEYS_MAX;

use crate::opencode::{
    id::PromptIds,
    shapes::{MessageInfo, Role},
};

#[derive(Debug, Clone, Default)]
pub(super) struct KnownPrompts {
    /// Prompts by the ends of their ids.
    known: BTreeMap<String, KnownPrompt>,
    /// The newest message of the agent.
    answer: Option<String>,
}

#[derive(Debug, Clone)]
struct KnownPrompt {
    id: String,
    is_begun: bool,
}

impl KnownPrompts {
    pub(super) fn new(answer: Option<String>) -> Self {
        let known = BTreeMap::new();
        Self { known, answer }
    }

    /// Notes a message that the agent has. One of its own shows that it began the prompt that it answers, and all before it.
    pub(super) fn note_message(&mut self, info: &MessageInfo) {
        match (info.role, &info.parent) {
            (Role::User, _) => self.note_prompt(&info.id),
            (Role::Assistant, parent) => {
                if self.answer.as_ref() < Some(&info.id) {
                    self.answer = Some(info.id.clone());
                }
                if let Some(parent) = parent {
                    self.note_prompt(parent);
                    for known in self.known.values_mut() {
                        known.is_begun |= known.id <= *parent;
                    }
                }
            }
        }
    }

    fn note_prompt(&mut self, id: &str) {
        let Some(tail) = PromptIds::tail(id) else {
            return;
        };
        if let Some(known) = self.known.get_mut(tail) {
            if known.id.as_str() < id {
                id.clone_into(&mut known.id);
            }
            return;
        }
        if self.known.len() >= HUB_ONCE_KEYS_MAX {
            let oldest = self.known.iter().min_by_key(|(_, known)| &known.id);
            let oldest = oldest.map(|(tail, _)| tail.clone());
            oldest.map(|tail| self.known.remove(&tail));
        }
        let known = KnownPrompt {
            id: id.to_owned(),
            is_begun: false,
        };
        self.known.insert(tail.to_owned(), known);
    }

    fn known(&self, prompt: &str) -> Option<&KnownPrompt> {
        self.known.get(PromptIds::tail(prompt)?)
    }

    pub(super) fn has_begun(&self, prompt: &str) -> bool {
        self.known(prompt).is_some_and(|known| known.is_begun)
    }

    /// Whether the agent takes the prompt for answered and has not answered it: it sorts before an answer.
    pub(super) fn is_passed_over(&self, prompt: &str) -> bool {
        let id = self.known(prompt).map_or(prompt, |known| &known.id);
        !self.has_begun(prompt) && self.answer.as_deref().is_some_and(|answer| id < answer)
    }

    /// Returns the ids to deliver a prompt under: those that the agent knows it by, unless it would skip them. The next prompt
    /// sorts after it, even if the agent has not confirmed this one yet.
    pub(super) fn ids_for(&mut self, prompt: &str, newest: Option<&str>) -> PromptIds {
        if let Some(known) = self.known(prompt)
            && !self.is_passed_over(prompt)
        {
            return PromptIds::of_message(known.id.clone());
        }
        let given = self.known.values().map(|known| known.id.as_str()).max();
        let newest = newest.max(self.answer.as_deref()).max(given);
        let ids = PromptIds::given(prompt, newest);
        self.note_prompt(&ids.message);
        ids
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FIRST: &str = "msg_00000000000100000000000001";
    const SECOND: &str = "msg_00000000000200000000000002";
    const ANSWER: &str = "msg_00000000000500000000000009";

    fn heard(prompts: &mut KnownPrompts, id: &str, parent: Option<&str>) {
        let role = if parent.is_some() {
            "assistant"
        } else {
            "user"
        };
        let info =
            json!({"id": id, "sessionID": "s", "role": role, "parentID": parent, "time": {}});
        prompts.note_message(&serde_json::from_value(info).unwrap());
    }

    #[test]
    fn a_prompt_that_came_after_an_answer_began_is_given_anew_behind_it_once() {
        let mut prompts = KnownPrompts::default();
        heard(&mut prompts, FIRST, None);
        assert_eq!(prompts.ids_for(FIRST, Some(FIRST)).message, FIRST);
        heard(&mut prompts, ANSWER, Some(FIRST));
        assert!(prompts.has_begun(FIRST) && !prompts.is_passed_over(FIRST));
        // Given under its own id it would never be answered.
        heard(&mut prompts, SECOND, None);
        assert!(prompts.is_passed_over(SECOND));
        let given = prompts.ids_for(SECOND, Some(ANSWER)).message;
        assert!(given.as_str() > ANSWER, "{given}");
        // The agent has it now: the same again, whatever else it has.
        heard(&mut prompts, &given, None);
        assert!(!prompts.is_passed_over(SECOND));
        let newer = Some("msg_00000000000900000000000009");
        assert_eq!(prompts.ids_for(SECOND, newer).message, given);
    }

    #[test]
    fn prompts_are_given_in_their_order_before_the_agent_says_that_it_has_them() {
        let mut prompts = KnownPrompts::default();
        heard(&mut prompts, ANSWER, Some(FIRST));
        let third = "msg_00000000000300000000000000";
        let given = [SECOND, third].map(|id| prompts.ids_for(id, Some(ANSWER)).message);
        assert!(
            ANSWER < given[0].as_str() && given[0] < given[1],
            "{given:?}"
        );
        assert_eq!(prompts.ids_for(SECOND, None).message, given[0]);
    }

    #[test]
    fn an_answer_begins_all_that_was_given_before_it() {
        let mut prompts = KnownPrompts::default();
        heard(&mut prompts, FIRST, None);
        heard(&mut prompts, SECOND, None);
        heard(&mut prompts, ANSWER, Some(SECOND));
        assert!(prompts.has_begun(FIRST) && prompts.has_begun(SECOND));
    }
}
