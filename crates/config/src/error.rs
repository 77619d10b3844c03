//! What is wrong with the settings. All problems are collected before anything is reported, so that
//! one start shows everything there is to fix. No message repeats a secret.

use std::fmt;

use crate::setting::Source;

/// Most problems shown at once; a file of nonsense must not scroll the first ones away.
const PROBLEMS_SHOWN_MAX: usize = 50;
/// Longest part of a refused value that is repeated.
const ECHO_LENGTH_MAX: usize = 60;

/// Why a value is not acceptable and what to write instead; does not yet know where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub message: String,
    pub hint: String,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: hint.into(),
        }
    }
}

/// A [`Refusal`] of a section's `validate()`, with the setting it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// Full name, e.g. `server.listen`.
    pub setting: &'static str,
    pub refusal: Refusal,
}

impl Complaint {
    pub(crate) fn new(
        setting: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            setting,
            refusal: Refusal::new(message, hint),
        }
    }
}

/// One thing to fix: which setting, where it was set, what is wrong, what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub setting: String,
    pub source: Source,
    pub message: String,
    pub hint: Option<String>,
}

impl Problem {
    pub(crate) fn new(setting: impl Into<String>, source: Source, refusal: Refusal) -> Self {
        Self {
            setting: setting.into(),
            source,
            message: refusal.message,
            hint: (!refusal.hint.is_empty()).then_some(refusal.hint),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.setting.is_empty() {
            write!(f, "`{}` ", self.setting)?;
        }
        write!(f, "{}", self.message)?;
        if self.source != Source::Default {
            write!(f, " ({})", self.source)?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

/// Every problem found, never none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    pub problems: Vec<Problem>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.len() {
            1 => write!(f, "1 problem in the settings")?,
            count => write!(f, "{count} problems in the settings")?,
        }
        for problem in self.problems.iter().take(PROBLEMS_SHOWN_MAX) {
            write!(f, "\n\n{problem}")?;
        }
        match self.problems.len().checked_sub(PROBLEMS_SHOWN_MAX) {
            None | Some(0) => Ok(()),
            Some(more) => write!(f, "\n\n... and {more} more"),
        }
    }
}

/// A refused value as it may be shown: bounded, and without control characters that would confuse
/// a terminal.
pub(crate) fn echo(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(ECHO_LENGTH_MAX)
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    if text.chars().count() > ECHO_LENGTH_MAX {
        shown.push_str("...");
    }
    format!("`{shown}`")
}
