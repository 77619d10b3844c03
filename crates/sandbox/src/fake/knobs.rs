//! How the fake fails. All knobs are off at first.

use std::{collections::BTreeMap, time::Duration};

use crate::{Error, Liveness};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    Create,
    Reattach,
    Liveness,
    Exec,
    Start,
    Process,
    Stop,
    Log,
    Write,
    Read,
    List,
    Remove,
    Endpoint,
    Snapshot,
    Destroy,
    Collect,
    ListSandboxes,
}

#[derive(Debug, Clone, Default)]
pub struct Knobs {
    /// How long an operation takes.
    pub slow: BTreeMap<Operation, Duration>,
    /// The next calls of an operation fail, one with each error; then it works again.
    pub fail: BTreeMap<Operation, Vec<Error>>,
    /// The operation with this number from now on fails, whatever it is: 0 is the next one.
    pub fail_at: Option<(u64, Error)>,
    /// All sandboxes are dead after this many operations.
    pub die_after: Option<u64>,
    /// Started programs of these names run until they are stopped, whatever they are.
    pub keep_running: Vec<&'static str>,
    /// What `liveness` returns, true or not.
    pub liveness: Option<Liveness>,
}

impl Knobs {
    /// The next call of the operation fails like this.
    pub fn fail_next(&mut self, operation: Operation, error: Error) {
        self.fail.entry(operation).or_default().push(error);
    }

    pub(super) fn wait(&self, operation: Operation) -> Duration {
        self.slow.get(&operation).copied().unwrap_or_default()
    }

    pub(super) fn count_down_to_death(&mut self) -> bool {
        match &mut self.die_after {
            Some(0) => {
                self.die_after = None;
                true
            }
            Some(left) => {
                *left -= 1;
                false
            }
            None => false,
        }
    }

    pub(super) fn failure(&mut self, operation: Operation) -> Option<Error> {
        match &mut self.fail_at {
            Some((0, _)) => return self.fail_at.take().map(|(_, error)| error),
            Some((left, _)) => *left -= 1,
            None => {}
        }
        let waiting = self.fail.get_mut(&operation)?;
        (!waiting.is_empty()).then(|| waiting.remove(0))
    }
}
