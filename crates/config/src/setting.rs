//! What a setting is: a name that is the same in the file, in messages and in `config check`, the
//! flag and the environment variables that set it, and the place a value was taken from.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use crate::env::EnvVar;

/// One setting. The constants of this type live with their sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Section and key as in the file, e.g. `server.listen`.
    pub path: &'static str,
    /// The flag, e.g. `--listen`; empty for secrets, which would show in a process list.
    pub flag: &'static str,
    /// Variables that set it, the preferred name first.
    pub env: &'static [EnvVar],
}

/// A secret: never written in the file or given by flag, only by variable or in a file of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretSetting {
    /// The secret's text itself.
    pub value: Setting,
    /// The path of a file that holds it.
    pub file: Setting,
}

/// Where an effective value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Flag(&'static str),
    Env(&'static str),
    File { path: PathBuf, line: Option<usize> },
    Default,
}

impl fmt::Display for Source {
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
pub struct Effective {
    pub setting: &'static str,
    pub value: String,
    pub source: Source,
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
