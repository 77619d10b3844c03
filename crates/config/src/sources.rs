//! Where values come from: what the command line and the file said, and for each effective value
//! which of them it was taken from.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use crate::setting::Setting;

/// Where an effective value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueSource {
    Flag(&'static str),
    Env(&'static str),
    File { path: PathBuf, line: Option<usize> },
    Default,
}

impl fmt::Display for ValueSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "flag {name}"),
            Self::Env(name) => write!(f, "env {name}"),
            Self::File {
                path,
                line: Some(line),
            } => write!(f, "file {}:{line}", path.display()),
            Self::File { path, line: None } => write!(f, "file {}", path.display()),
            Self::Default => write!(f, "default"),
        }
    }
}

/// A row of `config check`. `value` is safe to print: secrets and passwords are hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectiveSetting {
    pub setting: &'static str,
    pub value: String,
    pub source: ValueSource,
}

/// What the command line said, as text; parsed like every other source so that a bad flag is
/// reported together with the rest.
#[derive(Clone, Default)]
pub struct Overrides {
    values: BTreeMap<&'static str, String>,
}

impl Overrides {
    /// Sets `setting`, replacing an earlier value.
    pub fn set(&mut self, setting: &Setting, value: impl Into<String>) {
        self.values.insert(setting.path, value.into());
    }

    /// Sets `setting` if the flag was given.
    pub fn set_if(&mut self, setting: &Setting, value: Option<impl Into<String>>) {
        if let Some(value) = value {
            self.set(setting, value);
        }
    }

    #[must_use]
    pub fn with(mut self, setting: &Setting, value: impl Into<String>) -> Self {
        self.set(setting, value);
        self
    }

    pub(crate) fn get(&self, setting: &Setting) -> Option<&str> {
        self.values.get(setting.path).map(String::as_str)
    }
}

/// Names only: a database URL may carry a password.
impl fmt::Debug for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.values.keys()).finish()
    }
}

/// What the file said, as text by setting, and on which line each name stands.
#[derive(Default)]
pub(crate) struct FileValues {
    path: Option<PathBuf>,
    values: BTreeMap<&'static str, String>,
    lines: BTreeMap<String, usize>,
}

impl FileValues {
    pub(crate) fn of_file(path: &Path) -> Self {
        Self {
            path: Some(path.to_owned()),
            ..Self::default()
        }
    }

    pub(crate) fn set(&mut self, setting: &Setting, value: String) {
        self.values.insert(setting.path, value);
    }

    pub(crate) fn get(&self, setting: &Setting) -> Option<&str> {
        self.values.get(setting.path).map(String::as_str)
    }

    /// Notes the line of a name, known or not.
    pub(crate) fn set_line(&mut self, name: String, line: usize) {
        self.lines.insert(name, line);
    }

    /// The file as the source of this name.
    pub(crate) fn source(&self, name: &str) -> ValueSource {
        self.source_at(self.lines.get(name).copied())
    }

    pub(crate) fn source_at(&self, line: Option<usize>) -> ValueSource {
        match &self.path {
            Some(path) => ValueSource::File {
                path: path.clone(),
                line,
            },
            None => ValueSource::Default,
        }
    }

    /// The directory of the file.
    pub(crate) fn directory(&self) -> Option<&Path> {
        self.path.as_deref().and_then(Path::parent)
    }
}
