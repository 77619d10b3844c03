//! The value of a setting that no source sets.

use std::{borrow::Cow, time::Duration};

use crate::value::duration::show_duration;

/// Shown for a setting without a value.
pub(crate) const NOT_SET: &str = "(not set)";

/// What holds when no source sets a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultValue {
    /// As a flag or a variable would spell it; nothing is an empty list.
    Text(&'static str),
    Number(usize),
    Duration(Duration),
    /// The section computes it from other settings, as this text says.
    Computed(&'static str),
    /// The setting has no value; this text says what happens then.
    Absent(&'static str),
    /// The setting has no value, and its help says what that means.
    Unset,
}

impl DefaultValue {
    /// The default as a source would spell it; `None` without a fixed one.
    pub(crate) fn text(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Text(text) => Some((*text).into()),
            Self::Number(number) => Some(number.to_string().into()),
            Self::Duration(duration) => Some(show_duration(*duration).into()),
            Self::Computed(_) | Self::Absent(_) | Self::Unset => None,
        }
    }

    /// As `config check` shows a setting without a value.
    pub(crate) fn absence(&self) -> String {
        match self {
            Self::Absent(text) => format!("({text})"),
            _ => NOT_SET.to_owned(),
        }
    }

    /// For the help of a flag; empty if the setting's help covers it.
    pub fn summary(&self) -> String {
        match self {
            Self::Text("") => "none".to_owned(),
            Self::Text(text) | Self::Computed(text) | Self::Absent(text) => (*text).to_owned(),
            Self::Number(number) => number.to_string(),
            Self::Duration(duration) => show_duration(*duration),
            Self::Unset => String::new(),
        }
    }

    /// For the schema and the page of variables; empty if the setting's help covers it.
    pub(crate) fn sentence(&self) -> String {
        let summary = self.summary();
        match self {
            Self::Unset => String::new(),
            Self::Text("") | Self::Computed(_) | Self::Absent(_) => format!("Default: {summary}."),
            Self::Number(_) => format!("Default {summary}."),
            Self::Text(_) | Self::Duration(_) => format!("Default `{summary}`."),
        }
    }
}
