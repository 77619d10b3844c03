//! What happened, in order: hashed, so that two runs of a seed can be compared, and the end of it kept for developers.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt::Write as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use sha2::{Digest as _, Sha256};

use crate::time::Time;

/// Lines that are kept for developers: more than a world has.
const KEPT: usize = 200_000;

/// Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Trace {
    time: Arc<Time>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    hash: Sha256,
    lines: u64,
    tail: VecDeque<String>,
    faults: BTreeMap<&'static str, u64>,
    violation: Option<String>,
}

impl Trace {
    pub(crate) fn new(time: Arc<Time>) -> Self {
        Self {
            time,
            state: Arc::default(),
        }
    }

    pub(crate) fn note(&self, what: impl AsRef<str>) {
        let line = format!("{:>10.3} {}", self.time.now().as_secs_f64(), what.as_ref());
        let mut state = self.state();
        state.hash.update(line.as_bytes());
        state.hash.update(b"\n");
        state.lines += 1;
        if state.tail.len() == KEPT {
            state.tail.pop_front();
        }
        state.tail.push_back(line);
    }

    /// Something that was done to the system.
    pub(crate) fn fault(&self, kind: &'static str, what: impl AsRef<str>) {
        *self.state().faults.entry(kind).or_default() += 1;
        self.note(format!("FAULT {kind} {}", what.as_ref()));
    }

    /// Something that must not be. The first one is the reason; what follows may follow from it.
    pub(crate) fn violation(&self, what: impl Into<String>) {
        let what = what.into();
        self.note(format!("VIOLATION {what}"));
        self.state().violation.get_or_insert(what);
    }

    pub(crate) fn violated(&self) -> Option<String> {
        self.state().violation.clone()
    }

    pub(crate) fn faults(&self) -> BTreeMap<&'static str, u64> {
        self.state().faults.clone()
    }

    pub(crate) fn tail(&self) -> Vec<String> {
        self.state().tail.iter().cloned().collect()
    }

    /// The same for two runs in which the same happened at the same times.
    pub(crate) fn digest(&self) -> String {
        let state = self.state();
        let mut text = String::new();
        for byte in &state.hash.clone().finalize()[..8] {
            // Writing to a text does not fail.
            _ = write!(text, "{byte:02x}");
        }
        format!("{text}-{}", state.lines)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
