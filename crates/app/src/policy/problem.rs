//! Mistakes in policy files: in which file, on which line, and what is wrong. Collected, so that
//! the author of a file sees all of them at once.

use std::{fmt, ops::Range};

use domain::limits::POLICY_PROBLEMS_MAX;

domain::text_enum! {
    /// The files of a policy.
    PolicyFile {
        Lanes = "lanes.yaml",
        Roles = "roles.yaml",
        Tools = "tools.yaml",
    }
}

/// One mistake.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    pub file: PolicyFile,
    /// Counted from one; `None` if it is about the file as a whole.
    pub line: Option<usize>,
    pub reason: String,
}

/// Why a policy was not put in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    /// By file and line. Never empty.
    pub all: Vec<Problem>,
}

impl Problems {
    pub(super) fn new(mut all: Vec<Problem>) -> Self {
        all.sort();
        Self { all }
    }
}

impl std::error::Error for Problems {}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.all.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.reason),
            None => write!(f, "{}: {}", self.file, self.reason),
        }
    }
}

/// The mistakes of one file while it is read.
#[derive(Debug)]
pub(super) struct Report {
    file: PolicyFile,
    problems: Vec<Problem>,
    found: usize,
}

impl Report {
    pub(super) fn of(file: PolicyFile) -> Self {
        Self {
            file,
            problems: Vec::new(),
            found: 0,
        }
    }

    pub(super) fn at(&mut self, line: usize, reason: impl Into<String>) {
        self.push(Some(line), reason.into());
    }

    pub(super) fn whole(&mut self, reason: impl Into<String>) {
        self.push(None, reason.into());
    }

    /// How many so far.
    pub(super) fn found(&self) -> usize {
        self.found
    }

    /// Whether a mistake was found on one of these lines. Where mistakes are no longer listed, it may be.
    pub(super) fn touches(&self, lines: &Range<usize>) -> bool {
        let within = |problem: &Problem| problem.line.is_some_and(|line| lines.contains(&line));
        self.problems.iter().any(within) || self.found > self.problems.len()
    }

    pub(super) fn finish(mut self) -> Vec<Problem> {
        let left_out = self.found - self.problems.len();
        if left_out > 0 {
            let reason = format!("{left_out} more mistakes are not listed");
            let (file, line) = (self.file, None);
            self.problems.push(Problem { file, line, reason });
        }
        self.problems
    }

    fn push(&mut self, line: Option<usize>, reason: String) {
        let file = self.file;
        let problem = Problem { file, line, reason };
        if self.problems.contains(&problem) {
            return;
        }
        self.found += 1;
        if self.problems.len() < POLICY_PROBLEMS_MAX {
            self.problems.push(problem);
        }
    }
}
