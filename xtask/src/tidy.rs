//! `cargo xtask tidy`: runs every check and prints what it finds. Each check is a pure function from
//! file texts to violations, so that each is tested on a few lines of input; only `tree` and
//! `direction::read` touch the machine.

mod actor_words;
mod architecture;
mod direction;
mod error_pages;
mod examples;
mod lockfiles;
mod machine_paths;
mod migrations;
mod modules;
mod opening;
mod security;
mod size;
mod todo;
mod tree;
mod type_names;
mod whitespace;

use std::fmt;
use std::path::Path;

/// A file of the repository, by its path from the root.
#[derive(Debug)]
pub(crate) struct SourceFile {
    path: String,
    text: String,
}

impl SourceFile {
    fn is_rust(&self) -> bool {
        self.extension() == "rs"
    }

    fn extension(&self) -> &str {
        Path::new(&self.path)
            .extension()
            .and_then(|text| text.to_str())
            .unwrap_or_default()
    }

    /// Lines with their numbers, counted from one. Splits on `\n` alone: a `\r` stays visible.
    fn numbered_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let text = self.text.strip_suffix('\n').unwrap_or(&self.text);
        text.split('\n')
            .enumerate()
            .map(|(index, line)| (index + 1, line))
    }
}

/// One broken rule: where, what, and how to mend it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    path: String,
    line: usize,
    problem: String,
}

impl Violation {
    fn new(path: impl Into<String>, line: usize, problem: impl Into<String>) -> Self {
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

/// Runs every check; `false` when a rule is broken.
pub(crate) fn run(root: &Path) -> anyhow::Result<bool> {
    let files = tree::read(root)?;
    let crates = direction::read(root)?;
    let mut violations: Vec<Violation> = [
        opening::check(&files),
        size::check(&files),
        whitespace::check(&files),
        direction::check(&crates, &files),
        actor_words::check(&files),
        architecture::check(&crates, &files),
        error_pages::check(&files),
        examples::check(&files),
        machine_paths::check(&files),
        lockfiles::check(&files),
        migrations::check(&files),
        modules::check(&files),
        security::check(&files),
        todo::check(&files),
        type_names::check(&files),
    ]
    .into_iter()
    .flatten()
    .collect();
    // By place, so that two runs print the same list.
    violations.sort();
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => println!("tidy: {} files, no violations", files.len()),
        1 => println!("tidy: 1 violation"),
        count => println!("tidy: {count} violations"),
    }
    Ok(violations.is_empty())
}

#[cfg(test)]
mod fixture {
    //! Inputs for the tests of the checks.

    use super::{SourceFile, Violation};

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
}
