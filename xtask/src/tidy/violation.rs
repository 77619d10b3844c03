//! What a check finds: one broken rule at one place.

use std::fmt;

/// One broken rule: where, what, and how to mend it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Violation {
    pub(super) path: String,
    pub(super) line: usize,
    pub(super) problem: String,
}

impl Violation {
    pub(super) fn new(path: impl Into<String>, line: usize, problem: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            line,
            problem: problem.into(),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.problem)
    }
}
