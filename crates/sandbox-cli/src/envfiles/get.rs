//! `env get`: one value, or the names of all. A value is printed only when its name is given.

use serde_json::{Value, json};

use super::{
    paths::EnvPaths,
    values::{self, ValueStore},
};
use crate::{cli::EnvGetArgs, exit::Exit, failure::Failure};

/// A document, or the bare bytes of a value.
#[derive(Debug)]
pub(crate) enum EnvOutput {
    Document(Value),
    Bare(wire::secret_text::SecretText),
}

pub(crate) fn run(paths: &EnvPaths, args: &EnvGetArgs) -> Result<EnvOutput, Failure> {
    let store = ValueStore::open(paths)?;
    let kept = store.read()?;
    let Some(name) = &args.name else {
        let mut names: Vec<(String, bool)> = kept.into_keys().map(|name| (name, true)).collect();
        for name in store.names() {
            if !names.iter().any(|(known, _)| *known == name) {
                names.push((name, false));
            }
        }
        names.sort();
        let list: Vec<Value> = names
            .into_iter()
            .map(|(name, has_value)| json!({"name": name, "hasValue": has_value}))
            .collect();
        return Ok(EnvOutput::Document(json!({"names": list})));
    };
    let value = kept.get(name).cloned().or_else(|| values::of_process(name));
    match value {
        Some(value) if args.raw => Ok(EnvOutput::Bare(value)),
        Some(value) => Ok(EnvOutput::Document(
            json!({"name": name, "value": value.expose()}),
        )),
        None => Err(Failure::new(Exit::Missing, format!("{name} has no value"))
            .hint("ask for it with the request_env_variables tool")),
    }
}
