//! Builds the schemas of our own actions: every text has a maximum length, every list a maximum size, and every param a
//! description.

use domain::limits::{
    SOURCE_LIST_MAX, SOURCE_NAME_LENGTH_MAX, SOURCE_PAGE_MAX, SOURCE_QUERY_LENGTH_MAX,
    SOURCE_TEXT_LENGTH_MAX, SOURCE_TITLE_LENGTH_MAX,
};
use serde_json::{Map, Value, json};

/// A param of an object.
pub(crate) struct Property {
    name: &'static str,
    required: bool,
    schema: Value,
}

pub(crate) fn required(name: &'static str, schema: Value, description: &str) -> Property {
    property(name, true, schema, description)
}

pub(crate) fn optional(name: &'static str, schema: Value, description: &str) -> Property {
    property(name, false, schema, description)
}

fn property(name: &'static str, required: bool, mut schema: Value, description: &str) -> Property {
    schema["description"] = description.into();
    Property {
        name,
        required,
        schema,
    }
}

/// An object with these params and no others.
pub(crate) fn object<const N: usize>(properties: [Property; N]) -> Value {
    let required: Vec<&str> = properties
        .iter()
        .filter(|property| property.required)
        .map(|property| property.name)
        .collect();
    let members: Map<String, Value> = properties
        .into_iter()
        .map(|property| (property.name.to_owned(), property.schema))
        .collect();
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": members,
    })
}

/// The same for a change: at least one param besides the required ones.
pub(crate) fn change<const N: usize>(properties: [Property; N]) -> Value {
    let required = properties.iter().filter(|property| property.required);
    let least = required.count() + 1;
    let mut schema = object(properties);
    schema["minProperties"] = least.into();
    schema
}

/// An id, a slug or a name of a service's own.
pub(crate) fn name() -> Value {
    text(SOURCE_NAME_LENGTH_MAX)
}

pub(crate) fn title() -> Value {
    text(SOURCE_TITLE_LENGTH_MAX)
}

/// A description, comment or message.
pub(crate) fn body() -> Value {
    text(SOURCE_TEXT_LENGTH_MAX)
}

/// The same, which may be empty.
pub(crate) fn optional_body() -> Value {
    json!({"type": "string", "maxLength": SOURCE_TEXT_LENGTH_MAX})
}

pub(crate) fn query() -> Value {
    text(SOURCE_QUERY_LENGTH_MAX)
}

fn text(length_max: usize) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": length_max})
}

/// A name; empty to remove it.
pub(crate) fn name_or_empty() -> Value {
    json!({"type": "string", "maxLength": SOURCE_NAME_LENGTH_MAX})
}

/// A name; `null` to remove it.
pub(crate) fn name_or_null() -> Value {
    json!({"type": ["string", "null"], "minLength": 1, "maxLength": SOURCE_NAME_LENGTH_MAX})
}

pub(crate) fn one_of(choices: &[&str]) -> Value {
    json!({"type": "string", "enum": choices})
}

pub(crate) fn flag() -> Value {
    json!({"type": "boolean"})
}

pub(crate) fn integer(min: i64, max: i64) -> Value {
    json!({"type": "integer", "minimum": min, "maximum": max})
}

/// How many entries a page may have.
pub(crate) fn page_size() -> Value {
    integer(1, SOURCE_PAGE_MAX.into())
}

pub(crate) fn names() -> Value {
    json!({"type": "array", "items": name(), "maxItems": SOURCE_LIST_MAX})
}
