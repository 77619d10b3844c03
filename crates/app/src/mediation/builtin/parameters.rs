//! What builtin tools are given besides stored inputs. A closed list: what is not asked for is refused,
//! because it was hashed and would be silently ignored.

use std::str::FromStr;

use serde_json::{Map, Value};
use tools::Failure;

use super::invalid;

type Given = Map<String, Value>;

pub(super) fn only(given: &Given, names: &[&str]) -> Result<(), Failure> {
    let unknown = given.keys().any(|name| !names.contains(&name.as_str()));
    if !unknown {
        return Ok(());
    }
    let known = names.join(", ");
    Err(invalid(format!("the tool's parameters are {known}")))
}

/// A text that is one of a kind, such as an id.
pub(super) fn optional<T: FromStr>(given: &Given, name: &str) -> Result<Option<T>, Failure> {
    match given.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => text.parse().map(Some).map_err(|_| wrong(name)),
        Some(_) => Err(wrong(name)),
    }
}

pub(super) fn required<T: FromStr>(given: &Given, name: &str) -> Result<T, Failure> {
    optional(given, name)?.ok_or_else(|| invalid(format!("parameters.{name} is missing")))
}

fn wrong(name: &str) -> Failure {
    invalid(format!("parameters.{name} is not what it should be"))
}
