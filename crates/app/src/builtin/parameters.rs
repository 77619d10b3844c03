//! The case, the inputs and the parameters of a call of a builtin tool. Parameters are a closed list: an unknown one is
//! refused, because it was hashed and would be silently ignored.

use std::str::FromStr;

use domain::policy::CaseId;
use serde_json::{Map, Value};
use tools::{Failure, Input, PermittedCall};

type ParameterMap = Map<String, Value>;

pub(super) fn only(given: &ParameterMap, names: &[&str]) -> Result<(), Failure> {
    let unknown = given.keys().any(|name| !names.contains(&name.as_str()));
    if !unknown {
        return Ok(());
    }
    let known = names.join(", ");
    Err(invalid(format!("the tool's parameters are {known}")))
}

/// Parses a text parameter, such as an id.
pub(super) fn optional<T: FromStr>(given: &ParameterMap, name: &str) -> Result<Option<T>, Failure> {
    match given.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => text.parse().map(Some).map_err(|_| wrong(name)),
        Some(_) => Err(wrong(name)),
    }
}

pub(super) fn required<T: FromStr>(given: &ParameterMap, name: &str) -> Result<T, Failure> {
    optional(given, name)?.ok_or_else(|| invalid(format!("parameters.{name} is missing")))
}

fn wrong(name: &str) -> Failure {
    invalid(format!("parameters.{name} is not what it should be"))
}

/// The case of a call that needs one. The built-in lanes require it; another policy may not.
pub(super) fn case(call: &PermittedCall) -> Result<&CaseId, Failure> {
    let case_id = call.scope.case_id.as_ref();
    case_id.ok_or_else(|| invalid("the tool works on a case, and the call names none"))
}

pub(super) fn one_input(call: &PermittedCall) -> Result<&Input, Failure> {
    match &call.inputs[..] {
        [input] => Ok(input),
        _ => Err(invalid("the tool takes exactly one input")),
    }
}

pub(super) fn no_input(call: &PermittedCall) -> Result<(), Failure> {
    if call.inputs.is_empty() {
        return Ok(());
    }
    Err(invalid("the tool takes no input"))
}

pub(super) fn invalid(message: impl Into<String>) -> Failure {
    Failure::Invalid(message.into())
}

/// The failure of a tool whose tables cannot be read or written. The details go to the log.
#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
pub(super) fn database(error: store::Error) -> Failure {
    tracing::warn!(%error, "a tool could not read or write its tables");
    Failure::Unavailable {
        hint: "the database does not answer; try again later".to_owned(),
    }
}
