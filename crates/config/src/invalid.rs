//! Why a value is not acceptable, said without repeating a secret.

/// Longest part of a refused value that is repeated.
const ECHO_LENGTH_MAX: usize = 60;

/// Why a value is not acceptable and what to write instead; does not yet know which setting it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidValue {
    pub message: String,
    pub hint: String,
}

impl InvalidValue {
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: hint.into(),
        }
    }
}

/// What a section's `validate()` found: an [`InvalidValue`] and the setting that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidSetting {
    /// Full name, e.g. `server.listen`.
    pub setting: &'static str,
    pub invalid: InvalidValue,
}

impl InvalidSetting {
    pub(crate) fn new(
        setting: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            setting,
            invalid: InvalidValue::new(message, hint),
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
