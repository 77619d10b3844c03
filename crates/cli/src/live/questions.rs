//! The calls that wait for a person who watches: which one a bare `y` decides, and what of each was on the screen.
//!
//! INVARIANT: an answer decides a call that was on the screen, all of it, before the answer was typed. A call that begins
//! to wait or ends never changes which call an answer that was typed before decides.

use std::time::Duration;

use uuid::Uuid;
use wire::{action::OpenedCall, notice::ActionApprovalRequest};

use crate::call_text::CallText;

/// A line of input and when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Typed {
    pub(crate) text: String,
    /// On the clock that says what was shown when.
    pub(crate) at: Duration,
}

/// A call that waits.
#[derive(Debug)]
pub(crate) struct Question {
    /// What it is called here; never given twice.
    pub(crate) label: u32,
    pub(crate) asked: ActionApprovalRequest,
    pub(crate) text: CallText,
    /// The digest of the call in `text`; `None` while parts of it are left out.
    pub(crate) call_sha256: Option<String>,
    /// When the last part of it came onto the screen.
    shown_at: Duration,
}

/// Those that wait, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    waiting: Vec<Question>,
    labels: u32,
    /// The one that a bare answer decides, and since when.
    named: Option<(u32, Duration)>,
    /// When one last stopped waiting.
    ended_at: Option<Duration>,
}

impl Questions {
    /// Adds a call whose text takes so many columns, and says what it is called; `None` if it is known. One that is asked
    /// again is another question.
    pub(crate) fn add(
        &mut self,
        asked: &ActionApprovalRequest,
        now: Duration,
        columns: usize,
    ) -> Option<u32> {
        let known = self
            .waiting
            .iter()
            .any(|it| it.asked.invocation_id == asked.invocation_id && it.asked == *asked);
        if known {
            return None;
        }
        self.end(asked.invocation_id, now);
        self.labels += 1;
        let is_complete = asked.params_complete && !asked.call_sha256.is_empty();
        self.waiting.push(Question {
            label: self.labels,
            text: CallText::new(&asked.params, columns),
            call_sha256: is_complete.then(|| asked.call_sha256.clone()),
            asked: asked.clone(),
            shown_at: now,
        });
        Some(self.labels)
    }

    /// It was decided, or can no longer be.
    pub(crate) fn end(&mut self, id: Uuid, now: Duration) {
        let before = self.waiting.len();
        self.waiting.retain(|it| it.asked.invocation_id != id);
        if self.waiting.len() < before {
            self.ended_at = Some(now);
        }
        let named = self.named.map(|(label, _)| label);
        if named.is_some_and(|label| self.find(label).is_none()) {
            self.named = None;
        }
    }

    /// Those that are not among these wait no more.
    pub(crate) fn keep(&mut self, ids: &[Uuid], now: Duration) {
        let waiting: Vec<Uuid> = self
            .waiting
            .iter()
            .map(|it| it.asked.invocation_id)
            .collect();
        for id in waiting.into_iter().filter(|id| !ids.contains(id)) {
            self.end(id, now);
        }
    }

    /// The one that a bare answer decides from now on, if there is none yet: the oldest.
    pub(crate) fn name_next(&mut self, now: Duration) -> Option<&Question> {
        if self.named.is_some() {
            return None;
        }
        let oldest = self.waiting.first_mut()?;
        oldest.shown_at = now;
        self.named = Some((oldest.label, now));
        self.waiting.first()
    }

    pub(crate) fn named(&self) -> Option<u32> {
        self.named.map(|(label, _)| label)
    }

    /// All of them, oldest first.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Question> {
        self.waiting.iter()
    }

    pub(crate) fn find(&self, label: u32) -> Option<&Question> {
        self.waiting.iter().find(|it| it.label == label)
    }

    /// Whether a line that was read then may be an answer and not words for the agent.
    pub(crate) fn may_be_answered(&self, at: Duration) -> bool {
        !self.waiting.is_empty() || self.ended_at.is_some_and(|ended| at < ended)
    }

    /// The one that an answer means, or why it means none.
    pub(crate) fn meant(
        &mut self,
        label: Option<u32>,
        typed: Duration,
    ) -> Result<&mut Question, String> {
        let since = match (label, self.named) {
            (Some(_), _) => Duration::ZERO,
            (None, Some((_, since))) => since,
            (None, None) => return Err("the call that was asked about waits no more".to_owned()),
        };
        let label = label.or(self.named()).unwrap_or_default();
        let found = self.waiting.iter_mut().find(|it| it.label == label);
        let question = found.ok_or_else(|| format!("no call {label} waits"))?;
        if typed < since.max(question.shown_at) {
            return Err(format!(
                "call {label} was shown after that was typed: look at it, then say `y {label}` or `n {label}`"
            ));
        }
        Ok(question)
    }
}

impl Question {
    /// The digest of all that was shown, or why it cannot be approved yet.
    pub(crate) fn seen(&self) -> Result<&str, String> {
        let label = self.label;
        let Some(digest) = &self.call_sha256 else {
            return Err(format!(
                "parts of call {label} are left out: `v {label}` opens all of it"
            ));
        };
        match self.text.unseen() {
            None => Ok(digest),
            Some(size) => Err(format!(
                "{size} of call {label} were not shown: `v {label}` shows the next"
            )),
        }
    }

    /// All of the call, instead of the copy with parts left out.
    pub(crate) fn open(&mut self, opened: &OpenedCall, now: Duration, columns: usize) {
        self.text = CallText::new(&opened.params, columns);
        self.call_sha256 = Some(opened.call_sha256.clone());
        self.shown_at = now;
    }

    /// The next page of what is folded.
    pub(crate) fn next_page(&mut self, now: Duration) -> Option<(String, Vec<String>)> {
        self.shown_at = now;
        self.text.next_page()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use wire::action::RiskLevel;

    use super::*;

    const COLUMNS: usize = 162;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn asked(id: u128, params: Value) -> ActionApprovalRequest {
        ActionApprovalRequest {
            invocation_id: Uuid::from_u128(id),
            integration: "linear".into(),
            action: "create_issue".into(),
            risk_level: RiskLevel::Write,
            params,
            params_complete: true,
            call_sha256: format!("{id:064x}"),
            expires_at: "2026-01-05T09:35:00Z".parse().unwrap(),
            returned_because: Vec::new(),
        }
    }

    fn label(meant: Result<&mut Question, String>) -> Result<u32, String> {
        meant.map(|question| question.label)
    }

    #[test]
    fn a_call_that_begins_to_wait_does_not_take_the_answer_of_the_one_that_was_named() {
        let mut questions = Questions::default();
        assert_eq!(questions.add(&asked(1, json!({})), at(1), COLUMNS), Some(1));
        assert_eq!(questions.name_next(at(1)).unwrap().label, 1);
        assert_eq!(questions.add(&asked(2, json!({})), at(2), COLUMNS), Some(2));
        assert!(questions.name_next(at(2)).is_none());
        assert_eq!(label(questions.meant(None, at(3))), Ok(1));
        assert_eq!(label(questions.meant(Some(2), at(3))), Ok(2));
        assert_eq!(questions.add(&asked(2, json!({})), at(4), COLUMNS), None);
    }

    #[test]
    fn what_was_typed_before_a_call_was_shown_does_not_decide_it() {
        let mut questions = Questions::default();
        questions.add(&asked(1, json!({})), at(1), COLUMNS);
        questions.name_next(at(1));
        questions.add(&asked(2, json!({})), at(2), COLUMNS);
        // Another person decided the first, and the second is named in its place.
        questions.end(Uuid::from_u128(1), at(5));
        assert_eq!(questions.name_next(at(5)).unwrap().label, 2);
        assert!(
            label(questions.meant(None, at(4)))
                .unwrap_err()
                .contains("after that was typed")
        );
        assert!(label(questions.meant(Some(2), at(4))).is_err());
        assert_eq!(
            label(questions.meant(Some(1), at(6))),
            Err("no call 1 waits".to_owned())
        );
        assert_eq!(label(questions.meant(None, at(6))), Ok(2));
        questions.end(Uuid::from_u128(2), at(8));
        assert!(questions.may_be_answered(at(7)), "not a word for the agent");
        assert!(label(questions.meant(None, at(7))).is_err());
        assert!(!questions.may_be_answered(at(9)));
    }

    #[test]
    fn a_call_that_is_asked_again_is_another_question() {
        let mut questions = Questions::default();
        questions.add(&asked(1, json!({})), at(1), COLUMNS);
        questions.name_next(at(1));
        let again = ActionApprovalRequest {
            returned_because: vec!["tool_definition_changed".into()],
            ..asked(1, json!({}))
        };
        assert_eq!(questions.add(&again, at(5), COLUMNS), Some(2));
        questions.name_next(at(5));
        assert!(label(questions.meant(None, at(4))).is_err());
        assert_eq!(label(questions.meant(None, at(6))), Ok(2));
    }

    #[test]
    fn nothing_is_approved_that_was_not_shown() {
        let mut questions = Questions::default();
        let long = asked(1, json!({"body": "a".repeat(40_000)}));
        questions.add(&long, at(1), COLUMNS);
        questions.name_next(at(1));
        let question = questions.meant(None, at(2)).unwrap();
        assert!(question.seen().unwrap_err().starts_with("221 lines"));
        while question.next_page(at(3)).is_some() {}
        assert_eq!(question.seen(), Ok(long.call_sha256.as_str()));
        assert!(
            label(questions.meant(None, at(2))).is_err(),
            "typed before the last page"
        );
        let redacted = ActionApprovalRequest {
            params_complete: false,
            ..asked(2, json!({"body": "token=[redacted]"}))
        };
        questions.add(&redacted, at(4), COLUMNS);
        let question = questions.meant(Some(2), at(5)).unwrap();
        assert!(
            question
                .seen()
                .unwrap_err()
                .contains("`v 2` opens all of it")
        );
        let opened = OpenedCall {
            invocation_id: Uuid::from_u128(2),
            session_id: Uuid::from_u128(9),
            integration: "linear".into(),
            action: "create_issue".into(),
            risk_level: RiskLevel::Write,
            params: json!({"body": "token=\"rm -rf /\""}),
            left_out: 0,
            call_sha256: "f".repeat(64),
        };
        question.open(&opened, at(6), COLUMNS);
        assert!(question.text.first()[0].contains("rm -rf /"));
        assert_eq!(question.seen(), Ok(opened.call_sha256.as_str()));
    }
}
