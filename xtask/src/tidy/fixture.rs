//! Inputs for the tests of the checks.

use super::{source_file::SourceFile, violation::Violation};

pub(super) fn file(path: &str, text: impl Into<String>) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: text.into(),
    }
}

/// `path:line` of each violation, for tests that care about the place alone.
pub(super) fn places(violations: &[Violation]) -> Vec<String> {
    violations
        .iter()
        .map(|found| format!("{}:{}", found.path, found.line))
        .collect()
}
