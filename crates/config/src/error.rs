//! Everything that is wrong with the settings. All problems are collected before any is reported, so
//! that one start shows everything there is to fix. No message repeats a secret.

use std::fmt;

use crate::{invalid::InvalidValue, sources::ValueSource};

/// Most problems shown at once; a file of nonsense must not scroll the first ones away.
const PROBLEMS_SHOWN_MAX: usize = 50;

/// One thing to fix: which setting, where it was set, what is wrong, what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    pub setting: String,
    pub source: ValueSource,
    pub message: String,
    pub hint: Option<String>,
}

impl ConfigProblem {
    pub(crate) fn new(
        setting: impl Into<String>,
        source: ValueSource,
        invalid: InvalidValue,
    ) -> Self {
        Self {
            setting: setting.into(),
            source,
            message: invalid.message,
            hint: (!invalid.hint.is_empty()).then_some(invalid.hint),
        }
    }
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.setting.is_empty() {
            write!(f, "`{}` ", self.setting)?;
        }
        write!(f, "{}", self.message)?;
        if self.source != ValueSource::Default {
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
    pub problems: Vec<ConfigProblem>,
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
