//! Environment variables of a sandbox and of its programs.

use std::{collections::BTreeMap, fmt};

use secrecy::{ExposeSecret as _, SecretString};

use crate::{Error, Result};

/// Variables, whose values are never printed.
#[derive(Clone, Default)]
pub struct Env(BTreeMap<String, SecretString>);

impl Env {
    /// Sets a variable. A later value of the same name replaces the earlier one.
    pub fn set(&mut self, name: &str, value: impl Into<String>) -> Result<()> {
        let mut bytes = name.bytes();
        let first = bytes.next();
        let good = first.is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
            && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !good {
            return Err(Error::invalid("not the name of a variable"));
        }
        let value = value.into();
        if value.contains('\0') {
            return Err(Error::invalid(format!("{name} has a NUL byte")));
        }
        self.0.insert(name.to_owned(), value.into());
        Ok(())
    }

    pub fn of<T: Into<String>>(pairs: impl IntoIterator<Item = (&'static str, T)>) -> Result<Self> {
        let mut env = Self::default();
        for (name, value) in pairs {
            env.set(name, value)?;
        }
        Ok(env)
    }

    /// The values, for passing them to a program.
    pub fn exposed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.expose_secret()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
