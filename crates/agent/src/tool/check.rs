//! The check of arguments against their shape. The first error is named with its position, so that the
//! agent can correct it.

use domain::{
    invalid::{Invalid, bounded_text, relative_path},
    secret, startup_variable,
};
use serde_json::{Map, Value};

use super::shape::{Field, Presence, Rule, Shape};

/// Checks the members of a record and returns them with defaults and without nulls.
pub(super) fn record(fields: &[Field], value: &Value) -> Result<Map<String, Value>, Invalid> {
    let Value::Object(given) = value else {
        return Err(Invalid::new("", wrong("an object", value)));
    };
    if let Some(unknown) = given
        .keys()
        .find(|name| fields.iter().all(|field| field.name != *name))
    {
        let known: Vec<_> = fields.iter().map(|field| field.name).collect();
        let name: String = unknown.chars().take(100).collect();
        let message = format!("is not a known member; known are {}", known.join(", "));
        return Err(Invalid::new(name, message));
    }
    let mut checked = Map::new();
    for field in fields {
        match (given.get(field.name), field.presence) {
            (None | Some(Value::Null), Presence::Required) => {
                return Err(Invalid::new(field.name, "is missing"));
            }
            (None | Some(Value::Null), Presence::Optional) => {}
            (None | Some(Value::Null), Presence::Default(fallback)) => {
                checked.insert(field.name.to_owned(), fallback.value());
            }
            (Some(value), _) => {
                let value = shape(&field.shape, value).map_err(|fault| below(field.name, fault))?;
                checked.insert(field.name.to_owned(), value);
            }
        }
    }
    Ok(checked)
}

/// Errors of the value itself have an empty position; `record` and the list add it.
fn shape(shape: &Shape, value: &Value) -> Result<Value, Invalid> {
    match shape {
        Shape::Text { min, max, rule } => {
            let Value::String(text) = value else {
                return Err(Invalid::new("", wrong("a text", value)));
            };
            bounded_text("", text, *min, *max)?;
            match rule {
                Rule::Free => {}
                Rule::RelativePath => relative_path("", text, *max)?,
                Rule::EnvName => {
                    secret::validate_key("", text)?;
                    // No agent is an admin.
                    startup_variable::refuse("", text, false)?;
                }
            }
        }
        Shape::Flag if !value.is_boolean() => {
            return Err(Invalid::new("", wrong("true or false", value)));
        }
        Shape::Flag => {}
        Shape::OneOf(words) => {
            if !value.as_str().is_some_and(|text| words.contains(&text)) {
                let message = format!("must be one of: {}", words.join(", "));
                return Err(Invalid::new("", message));
            }
        }
        Shape::List { of, min, max } => return list(of, *min, *max, value),
        Shape::Record(fields) => return record(fields, value).map(Value::Object),
    }
    Ok(value.clone())
}

fn list(of: &Shape, min: usize, max: usize, value: &Value) -> Result<Value, Invalid> {
    let Value::Array(entries) = value else {
        return Err(Invalid::new("", wrong("a list", value)));
    };
    if entries.len() < min {
        return Err(Invalid::new("", format!("must have at least {min} entry")));
    }
    domain::invalid::bounded_count("", entries.len(), max)?;
    let checked: Result<Vec<_>, _> = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| shape(of, entry).map_err(|fault| below(&format!("[{at}]"), fault)))
        .collect();
    checked.map(Value::Array)
}

/// `outer` and the position within it: `files`, then `files[2]`, then `files[2].path`.
fn below(outer: &str, fault: Invalid) -> Invalid {
    let field = if fault.field.is_empty() {
        outer.to_owned()
    } else if fault.field.starts_with('[') {
        format!("{outer}{}", fault.field)
    } else {
        format!("{outer}.{}", fault.field)
    };
    Invalid { field, ..fault }
}

fn wrong(wanted: &str, value: &Value) -> String {
    let given = match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    format!("must be {wanted}, is {given}")
}
