//! The terms of a schema: its keywords that check something, without descriptions for readers. Two schemas with the same
//! terms accept the same.

use serde_json::{Map, Value};

/// Keywords that describe and check nothing.
const DESCRIPTIONS: [&str; 4] = ["description", "title", "examples", "$comment"];
/// Keywords whose value is a schema, a list of schemas, or schemas by name. What any other keyword holds is left as it
/// is: a value in `enum` may have a member that reads like a keyword.
const SCHEMA: [&str; 9] = [
    "items",
    "additionalProperties",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedProperties",
];
const SCHEMAS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED_SCHEMAS: [&str; 5] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
];

/// Removes the descriptions. The parser has bounded the depth.
pub(super) fn terms(schema: &Value) -> Value {
    let Value::Object(keywords) = schema else {
        return schema.clone();
    };
    let of_keyword = |(keyword, value): (&String, &Value)| {
        let word = keyword.as_str();
        if DESCRIPTIONS.contains(&word) {
            return None;
        }
        let value = match value {
            Value::Object(named) if NAMED_SCHEMAS.contains(&word) => by_name(named),
            Value::Array(listed) if SCHEMAS.contains(&word) => listed.iter().map(terms).collect(),
            schema if SCHEMA.contains(&word) => terms(schema),
            other => other.clone(),
        };
        Some((keyword.clone(), value))
    };
    Value::Object(keywords.iter().filter_map(of_keyword).collect())
}

fn by_name(named: &Map<String, Value>) -> Value {
    let one = |(name, schema): (&String, &Value)| (name.clone(), terms(schema));
    Value::Object(named.iter().map(one).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_left_out_and_nothing_else() {
        let schema = json!({
            "type": "object",
            "title": "An issue",
            "required": ["title"],
            "properties": {
                "title": {"type": "string", "maxLength": 9, "description": "Its title."},
                "description": {"type": ["string", "null"], "description": "What is wrong."},
                "kind": {"enum": [{"title": "bug"}], "examples": ["bug"]},
                "labels": {"type": "array", "items": {"type": "string", "title": "A label"}},
                "either": {"anyOf": [{"type": "string", "$comment": "old"}, {"type": "null"}]},
            },
        });
        let expected = json!({
            "type": "object",
            "required": ["title"],
            "properties": {
                "title": {"type": "string", "maxLength": 9},
                "description": {"type": ["string", "null"]},
                "kind": {"enum": [{"title": "bug"}]},
                "labels": {"type": "array", "items": {"type": "string"}},
                "either": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            },
        });
        assert_eq!(terms(&schema), expected);
        assert_eq!(terms(&expected), expected);
        assert_eq!(terms(&json!(true)), json!(true));
    }
}
