//! The conditions of a grant, what it was given for, and why an approval did not hold, as stored JSON.

use domain::{
    action::{Bound, BuiltInActions, Condition, JsonPointer, Mismatch, Predicate},
    audit::Sha256Hex,
};
use serde_json::{Value, json};

use crate::json::{Parsed, array, text};

pub(super) fn predicates_to(predicates: &[Predicate]) -> Value {
    let one = |predicate: &Predicate| {
        let pointer = predicate.pointer().as_str();
        match predicate.condition() {
            Condition::Equals(value) => json!({"pointer": pointer, "equals": value}),
            Condition::OneOf(values) => json!({"pointer": pointer, "oneOf": values}),
            Condition::Prefix(prefix) => json!({"pointer": pointer, "prefix": prefix}),
        }
    };
    predicates.iter().map(one).collect()
}

pub(super) fn predicates_from(json: &Value) -> Parsed<Vec<Predicate>> {
    let one = |item: &Value| {
        let condition = match (item.get("equals"), item.get("oneOf"), item.get("prefix")) {
            (Some(value), None, None) => Condition::Equals(value.clone()),
            (None, Some(values), None) => Condition::OneOf(array(values)?.clone()),
            (None, None, Some(_)) => Condition::Prefix(text(item, "prefix")?),
            _ => return Err("a condition is equals, oneOf or prefix".to_owned()),
        };
        let pointer = JsonPointer::new("pointer", text(item, "pointer")?);
        let pointer = pointer.map_err(|error| error.to_string())?;
        Predicate::new(pointer, condition).map_err(|error| error.to_string())
    };
    array(json)?.iter().map(one).collect()
}

/// By `integration/action`.
pub(super) fn built_in_to(actions: &BuiltInActions) -> Value {
    let one = |((integration, action), digest): (&(_, _), &Sha256Hex)| {
        let name = format!("{integration}/{action}");
        (name, Value::from(digest.as_str()))
    };
    Value::Object(actions.0.iter().map(one).collect())
}

pub(super) fn built_in_from(json: &Value) -> Parsed<BuiltInActions> {
    let one = |(name, digest): (&String, &Value)| {
        let (integration, action) = name.split_once('/').ok_or("a name is of two parts")?;
        let integration = integration.parse().map_err(wrong)?;
        let action = action.parse().map_err(wrong)?;
        let digest = digest.as_str().unwrap_or_default();
        let digest = Sha256Hex::new("built_in", digest).map_err(wrong)?;
        Ok(((integration, action), digest))
    };
    let members = json.as_object().ok_or("is not an object")?;
    Ok(BuiltInActions(
        members.iter().map(one).collect::<Parsed<_>>()?,
    ))
}

fn wrong(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub(super) fn mismatch_to(mismatch: &Mismatch) -> Value {
    mismatch
        .changed
        .iter()
        .map(|bound| bound.as_str())
        .collect()
}

pub(super) fn mismatch_from(json: &Value) -> Parsed<Mismatch> {
    let bound = |item: &Value| {
        let word = item.as_str().ok_or("a word is missing")?;
        word.parse::<Bound>().map_err(|error| error.to_string())
    };
    let changed = array(json)?.iter().map(bound).collect::<Parsed<Vec<_>>>()?;
    if changed.is_empty() {
        return Err("says nothing".to_owned());
    }
    Ok(Mismatch { changed })
}
