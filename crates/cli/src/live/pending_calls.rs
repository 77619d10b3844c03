//! The calls that wait for a decision of the user who watches: which one a bare `y` decides, and what of each was on the
//! screen.
//!
//! INVARIANT: an answer decides a call that was on the screen, all of it, before the answer was typed. A call that begins
//! to wait or ends never changes which call an answer that was typed before decides.

use std::time::Duration;

use uuid::Uuid;
use wire::{action::OpenedCall, notice::ActionApprovalRequest};

use crate::call_text::CallText;

/// A call that waits.
#[derive(Debug)]
pub(crate) struct PendingCall {
    /// What it is called here; never given twice.
    pub(crate) label: u32,
    pub(crate) request: ActionApprovalRequest,
    pub(crate) text: CallText,
    /// The digest of the call in `text`; `None` while parts of it are left out.
    pub(crate) call_sha256: Option<String>,
    /// When the last part of it came onto the screen.
    shown_at: Duration,
}

/// The calls that wait, oldest first.
#[derive(Debug, Default)]
pub(crate) struct PendingCalls {
    waiting: Vec<PendingCall>,
    labels: u32,
    /// The label of the current call, which a bare answer decides, and since when.
    current: Option<(u32, Duration)>,
    /// When one last stopped waiting.
    ended_at: Option<Duration>,
}

impl PendingCalls {
    /// Adds a call whose text takes so many columns, and says what it is called; `None` if it is known. A
    /// request that is repeated with other content is another call.
    pub(crate) fn add(
        &mut self,
        request: &ActionApprovalRequest,
        now: Duration,
        columns: usize,
    ) -> Option<u32> {
        let known = self
            .waiting
            .iter()
            .any(|it| it.request.invocation_id == request.invocation_id && it.request == *request);
        if known {
            return None;
        }
        self.end(request.invocation_id, now);
        self.labels += 1;
        let is_complete = request.params_complete && !request.call_sha256.is_empty();
        self.waiting.push(PendingCall {
            label: self.labels,
            text: CallText::new(&request.params, columns),
            call_sha256: is_complete.then(|| request.call_sha256.clone()),
            request: request.clone(),
            shown_at: now,
        });
        Some(self.labels)
    }

    /// Removes a call that was decided, or can no longer be.
    pub(crate) fn end(&mut self, id: Uuid, now: Duration) {
        let before = self.waiting.len();
        self.waiting.retain(|it| it.request.invocation_id != id);
        if self.waiting.len() < before {
            self.ended_at = Some(now);
        }
        if self
            .current()
            .is_some_and(|label| self.find(label).is_none())
        {
            self.current = None;
        }
    }

    /// Removes the calls that are not among these.
    pub(crate) fn keep(&mut self, ids: &[Uuid], now: Duration) {
        let waiting: Vec<Uuid> = self
            .waiting
            .iter()
            .map(|it| it.request.invocation_id)
            .collect();
        for id in waiting.into_iter().filter(|id| !ids.contains(id)) {
            self.end(id, now);
        }
    }

    /// Makes the oldest call the current one, unless there is one.
    pub(crate) fn select_next(&mut self, now: Duration) -> Option<&PendingCall> {
        if self.current.is_some() {
            return None;
        }
        let oldest = self.waiting.first_mut()?;
        oldest.shown_at = now;
        self.current = Some((oldest.label, now));
        self.waiting.first()
    }

    pub(crate) fn current(&self) -> Option<u32> {
        self.current.map(|(label, _)| label)
    }

    /// All of them, oldest first.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &PendingCall> {
        self.waiting.iter()
    }

    pub(crate) fn find(&self, label: u32) -> Option<&PendingCall> {
        self.waiting.iter().find(|it| it.label == label)
    }

    /// Whether a line that was read then may be an answer and not words for the agent.
    pub(crate) fn may_be_answered(&self, at: Duration) -> bool {
        !self.waiting.is_empty() || self.ended_at.is_some_and(|ended| at < ended)
    }

    /// The call that an answer decides, or why it decides none.
    pub(crate) fn resolve(
        &mut self,
        label: Option<u32>,
        typed: Duration,
    ) -> Result<&mut PendingCall, String> {
        let since = match (label, self.current) {
            (Some(_), _) => Duration::ZERO,
            (None, Some((_, since))) => since,
            (None, None) => return Err("the call that was asked about waits no more".to_owned()),
        };
        let label = label.or(self.current()).unwrap_or_default();
        let found = self.waiting.iter_mut().find(|it| it.label == label);
        let call = found.ok_or_else(|| format!("no call {label} waits"))?;
        if typed < since.max(call.shown_at) {
            return Err(format!(
                "call {label} was shown after that was typed: look at it, then say `y {label}` or `n {label}`"
            ));
        }
        Ok(call)
    }
}

impl PendingCall {
    /// The digest of all that was shown, or why it cannot be approved yet.
    pub(crate) fn seen_digest(&self) -> Result<&str, String> {
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

    fn label(meant: Result<&mut PendingCall, String>) -> Result<u32, String> {
        meant.map(|call| call.label)
    }

    #[test]
    fn a_call_that_begins_to_wait_does_not_take_the_answer_of_the_current_one() {
        let mut pending = PendingCalls::default();
        assert_eq!(pending.add(&asked(1, json!({})), at(1), COLUMNS), Some(1));
        assert_eq!(pending.select_next(at(1)).unwrap().label, 1);
        assert_eq!(pending.add(&asked(2, json!({})), at(2), COLUMNS), Some(2));
        assert!(pending.select_next(at(2)).is_none());
        assert_eq!(label(pending.resolve(None, at(3))), Ok(1));
        assert_eq!(label(pending.resolve(Some(2), at(3))), Ok(2));
        assert_eq!(pending.add(&asked(2, json!({})), at(4), COLUMNS), None);
    }

    #[test]
    fn what_was_typed_before_a_call_was_shown_does_not_decide_it() {
        let mut pending = PendingCalls::default();
        pending.add(&asked(1, json!({})), at(1), COLUMNS);
        pending.select_next(at(1));
        pending.add(&asked(2, json!({})), at(2), COLUMNS);
        // Another admin decided the first, and the second becomes the current one.
        pending.end(Uuid::from_u128(1), at(5));
        assert_eq!(pending.select_next(at(5)).unwrap().label, 2);
        assert!(
            label(pending.resolve(None, at(4)))
                .unwrap_err()
                .contains("after that was typed")
        );
        assert!(label(pending.resolve(Some(2), at(4))).is_err());
        assert_eq!(
            label(pending.resolve(Some(1), at(6))),
            Err("no call 1 waits".to_owned())
        );
        assert_eq!(label(pending.resolve(None, at(6))), Ok(2));
        pending.end(Uuid::from_u128(2), at(8));
        assert!(pending.may_be_answered(at(7)), "not a word for the agent");
        assert!(label(pending.resolve(None, at(7))).is_err());
        assert!(!pending.may_be_answered(at(9)));
    }

    #[test]
    fn a_call_that_is_asked_again_is_another_call() {
        let mut pending = PendingCalls::default();
        pending.add(&asked(1, json!({})), at(1), COLUMNS);
        pending.select_next(at(1));
        let again = ActionApprovalRequest {
            returned_because: vec!["tool_definition_changed".into()],
            ..asked(1, json!({}))
        };
        assert_eq!(pending.add(&again, at(5), COLUMNS), Some(2));
        pending.select_next(at(5));
        assert!(label(pending.resolve(None, at(4))).is_err());
        assert_eq!(label(pending.resolve(None, at(6))), Ok(2));
    }

    #[test]
    fn nothing_is_approved_that_was_not_shown() {
        let mut pending = PendingCalls::default();
        let long = asked(1, json!({"body": "a".repeat(40_000)}));
        pending.add(&long, at(1), COLUMNS);
        pending.select_next(at(1));
        let call = pending.resolve(None, at(2)).unwrap();
        assert!(call.seen_digest().unwrap_err().starts_with("221 lines"));
        while call.next_page(at(3)).is_some() {}
        assert_eq!(call.seen_digest(), Ok(long.call_sha256.as_str()));
        assert!(
            label(pending.resolve(None, at(2))).is_err(),
            "typed before the last page"
        );
        let redacted = ActionApprovalRequest {
            params_complete: false,
            ..asked(2, json!({"body": "token=[redacted]"}))
        };
        pending.add(&redacted, at(4), COLUMNS);
        let call = pending.resolve(Some(2), at(5)).unwrap();
        assert!(
            call.seen_digest()
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
        call.open(&opened, at(6), COLUMNS);
        assert!(call.text.first()[0].contains("rm -rf /"));
        assert_eq!(call.seen_digest(), Ok(opened.call_sha256.as_str()));
    }
}
