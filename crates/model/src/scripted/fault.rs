//! Faults that a script or a test requests, and how often each has happened.

use std::{
    collections::{BTreeMap, VecDeque},
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use domain::limits::{SCRIPT_FAULTS_KEPT_MAX, SCRIPT_FAULTS_QUEUED_MAX};
use serde::Deserialize;

use super::conversation::Conversation;

/// What happens instead of a response, or within one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// An error with this status, optionally with a retry hint.
    Status {
        code: u16,
        #[serde(default)]
        retry_after_ms: Option<u64>,
    },
    /// The connection breaks after so many pieces.
    Drop { after: usize },
    /// The stream says after so many pieces that the model is overloaded, and ends.
    Break { after: usize },
    /// The stream stops after so many pieces, and the connection stays open.
    Hang { after: usize },
}

/// How often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", untagged)]
pub enum Times {
    Count(u32),
    Word(Always),
}

/// `always`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Always {
    Always,
}

impl Times {
    pub const ALWAYS: Self = Self::Word(Always::Always);

    fn is_left(self, happened: u32) -> bool {
        match self {
            Self::Count(count) => happened < count,
            Self::Word(Always::Always) => true,
        }
    }
}

impl Default for Times {
    fn default() -> Self {
        Self::Count(1)
    }
}

/// The position of a fault in a conversation: the step of its script.
pub(super) fn place(session: &str, conversation: &Conversation, step: usize) -> u64 {
    let Conversation {
        prompt,
        blocks_before,
        done,
    } = conversation;
    let mut hasher = DefaultHasher::new();
    (session, prompt, blocks_before, done.len(), step).hash(&mut hasher);
    hasher.finish()
}

/// Faults that happened, and faults queued from outside.
#[derive(Debug, Default)]
pub(super) struct Faults {
    queue: VecDeque<Fault>,
    happened: BTreeMap<u64, u32>,
    order: VecDeque<u64>,
}

impl Faults {
    /// False if the queue is full.
    pub(super) fn line_up(&mut self, fault: Fault) -> bool {
        let has_room = self.queue.len() < SCRIPT_FAULTS_QUEUED_MAX;
        if has_room {
            self.queue.push_back(fault);
        }
        has_room
    }

    pub(super) fn lined_up(&mut self) -> Option<Fault> {
        self.queue.pop_front()
    }

    /// Whether it happens now; if so, it is counted.
    pub(super) fn happens(&mut self, place: u64, times: Times) -> bool {
        if !times.is_left(self.happened.get(&place).copied().unwrap_or(0)) {
            return false;
        }
        if !self.happened.contains_key(&place) {
            self.order.push_back(place);
            if self.order.len() > SCRIPT_FAULTS_KEPT_MAX
                && let Some(oldest) = self.order.pop_front()
            {
                self.happened.remove(&oldest);
            }
        }
        let count = self.happened.entry(place).or_default();
        *count = count.saturating_add(1);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_happens_as_often_as_it_is_to_and_each_place_counts_for_itself() {
        let mut faults = Faults::default();
        let talk = Conversation::default();
        let (here, there) = (place("a", &talk, 1), place("b", &talk, 1));
        let twice = Times::Count(2);
        assert!(faults.happens(here, twice) && faults.happens(here, twice));
        assert!(!faults.happens(here, twice));
        assert!(faults.happens(there, twice));
        assert!((0..50).all(|_| faults.happens(here, Times::ALWAYS)));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut faults = Faults::default();
        for place in 0..2 * SCRIPT_FAULTS_KEPT_MAX as u64 {
            faults.happens(place, Times::default());
        }
        assert_eq!(faults.happened.len(), SCRIPT_FAULTS_KEPT_MAX);
        for _ in 0..SCRIPT_FAULTS_QUEUED_MAX {
            assert!(faults.line_up(Fault::Drop { after: 0 }));
        }
        assert!(!faults.line_up(Fault::Drop { after: 0 }));
    }
}
