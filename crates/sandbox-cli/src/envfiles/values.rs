//! The values that users and the gateway gave: one JSON object of texts in a file of the owner alone.

use std::{collections::BTreeMap, path::PathBuf};

use serde_json::{Map, Value, json};
use wire::secret_text::SecretText;

use super::paths::{EnvPaths, PRIVATE, path_failure};
use crate::{
    dotenv,
    env::TOKEN,
    failure::Failure,
    jail::{Escape, Jail},
    limits::{ENV_BYTES_MAX, ENV_VALUE_BYTES_MAX, ENV_VALUES_MAX},
    strict_json,
};

/// Values by name.
pub(super) type Values = BTreeMap<String, SecretText>;

/// The directory of the values, and the names of the files in it.
#[derive(Debug)]
pub(super) struct ValueStore {
    jail: Jail,
    values: PathBuf,
    /// What is remembered of values that were scrubbed.
    names: PathBuf,
}

impl ValueStore {
    pub(super) fn open(paths: &EnvPaths) -> Result<Self, Failure> {
        let unusable = || Failure::usage("the path of the values is no path of a file");
        let parent = paths.values.parent().ok_or_else(unusable)?;
        let values = PathBuf::from(paths.values.file_name().ok_or_else(unusable)?);
        let jail = Jail::new(parent).map_err(|_| unusable())?;
        let names = values.with_extension("names.json");
        Ok(Self {
            jail,
            values,
            names,
        })
    }

    pub(super) fn read(&self) -> Result<Values, Failure> {
        match self.jail.read(&self.values, ENV_BYTES_MAX) {
            Ok(bytes) => checked(&bytes, "the file of values"),
            Err(Escape::NotFound) => Ok(Values::new()),
            Err(escape) => Err(path_failure("the file of values", &escape)),
        }
    }

    pub(super) fn write(&self, values: &Values) -> Result<(), Failure> {
        let object: Map<String, Value> = values
            .iter()
            .map(|(name, value)| (name.clone(), Value::from(value.expose())))
            .collect();
        let text = Value::Object(object).to_string();
        if u64::try_from(text.len()).unwrap_or(u64::MAX) > ENV_BYTES_MAX {
            let message = format!("all values together have more than {ENV_BYTES_MAX} bytes");
            return Err(Failure::usage(message));
        }
        let written = self.jail.write(&self.values, text.as_bytes(), PRIVATE);
        written.map_err(|escape| path_failure("the file of values", &escape))
    }

    /// The names of values that were scrubbed and have not come back.
    pub(super) fn names(&self) -> Vec<String> {
        let bytes = self.jail.read(&self.names, ENV_BYTES_MAX);
        let names = bytes
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        names.unwrap_or_default()
    }

    /// Forgets the values and remembers their names, these first: a crash between leaves both.
    pub(super) fn forget(&self, names: &[String]) -> Result<(), Failure> {
        let text = json!(names).to_string();
        let remembered = self.jail.write(&self.names, text.as_bytes(), PRIVATE);
        let forgotten = remembered.and_then(|()| self.jail.remove(&self.values));
        forgotten.map_err(|escape| path_failure("the file of values", &escape))
    }
}

/// Values as they are given. What is wrong is said by name, never by value.
pub(super) fn checked(text: &[u8], what: &str) -> Result<Values, Failure> {
    let parsed = strict_json::parse(text)
        .map_err(|why| Failure::usage(format!("{what}: not valid JSON: {why}")))?;
    let Value::Object(object) = parsed else {
        return Err(Failure::usage(format!("{what}: not a JSON object")));
    };
    if object.len() > ENV_VALUES_MAX {
        let message = format!("{what}: more than {ENV_VALUES_MAX} values");
        return Err(Failure::usage(message));
    }
    let mut values = Values::new();
    for (name, value) in object {
        if !dotenv::is_name(&name) {
            let message = format!("{what}: {name:?} is not a name of a variable");
            return Err(Failure::usage(message).hint("letters, digits and _, no digit first"));
        }
        let refused = |why: &str| Failure::usage(format!("{what}: the value of {name} {why}"));
        match value {
            Value::String(text) if text.contains('\0') => return Err(refused("has a NUL in it")),
            Value::String(text) if text.len() > ENV_VALUE_BYTES_MAX => {
                return Err(refused("is too long"));
            }
            Value::String(text) => values.insert(name, SecretText::new(text)),
            _ => return Err(refused("is not a text")),
        };
    }
    Ok(values)
}

/// A variable of this process, but not the sandbox's token: that is for no file.
pub(super) fn of_process(name: &str) -> Option<SecretText> {
    if name == TOKEN {
        return None;
    }
    std::env::var(name).ok().map(SecretText::new)
}
