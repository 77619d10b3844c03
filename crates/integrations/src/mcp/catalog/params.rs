//! Flattens a tool's schema for display: name, type, required, description. The whole schema decides what is accepted.

use domain::limits::{
    CONNECTOR_DESCRIPTION_LENGTH_MAX, CONNECTOR_PARAMETERS_MAX, CONNECTOR_SCHEMA_DEPTH_MAX,
};
use serde_json::{Map, Value};

use super::tool::shortened;
use crate::{Param, ParamType};

/// The parameters of a schema, the required ones first, otherwise by name.
pub fn params(schema: &Map<String, Value>) -> Vec<Param> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| {
        required.is_some_and(|names| names.iter().any(|required| required.as_str() == Some(name)))
    };
    let param = |(name, property): (&String, &Value)| Param {
        name: name.clone(),
        kind: kind(property, CONNECTOR_SCHEMA_DEPTH_MAX),
        required: is_required(name),
        description: property
            .get("description")
            .and_then(Value::as_str)
            .map(|text| shortened(text, CONNECTOR_DESCRIPTION_LENGTH_MAX)),
    };
    let mut params: Vec<Param> = properties.iter().map(param).collect();
    params.sort_by(|a, b| (!a.required, &a.name).cmp(&(!b.required, &b.name)));
    params.truncate(CONNECTOR_PARAMETERS_MAX);
    params
}

fn kind(property: &Value, depth: u8) -> ParamType {
    match property.get("type") {
        Some(Value::String(name)) => named(name),
        // `["string", "null"]`: the first that is something.
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .find(|name| *name != "null")
            .map_or(ParamType::String, named),
        _ => without_type(property, depth),
    }
}

fn without_type(property: &Value, depth: u8) -> ParamType {
    let value = property.get("const");
    let value = value.or_else(|| property.get("enum").and_then(|values| values.get(0)));
    if let Some(value) = value {
        return of_value(value);
    }
    if property.get("properties").is_some() || property.get("items").is_some() {
        return ParamType::Object;
    }
    let alternatives = ["anyOf", "oneOf", "allOf"]
        .iter()
        .filter_map(|key| property.get(*key)?.as_array())
        .flatten();
    let is_null = |value: &&Value| value.get("type").and_then(Value::as_str) == Some("null");
    let mut real = alternatives.filter(|value| !is_null(value));
    match real.next() {
        Some(first) if depth > 0 => kind(first, depth - 1),
        _ => ParamType::String,
    }
}

fn named(name: &str) -> ParamType {
    match name {
        "number" | "integer" => ParamType::Number,
        "boolean" => ParamType::Boolean,
        "object" | "array" => ParamType::Object,
        _ => ParamType::String,
    }
}

fn of_value(value: &Value) -> ParamType {
    match value {
        Value::Number(_) => ParamType::Number,
        Value::Bool(_) => ParamType::Boolean,
        Value::Array(_) | Value::Object(_) => ParamType::Object,
        Value::String(_) | Value::Null => ParamType::String,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(schema: Value) -> Vec<String> {
        let Value::Object(schema) = schema else {
            panic!("a schema is an object")
        };
        let line = |param: Param| {
            let mark = if param.required { "!" } else { "" };
            let description = param.description.unwrap_or_default();
            format!("{}{mark}: {} {description}", param.name, param.kind)
                .trim_end()
                .to_owned()
        };
        params(&schema).into_iter().map(line).collect()
    }

    #[test]
    fn schema_to_params_flattens_every_type() {
        let schema = json!({
            "type": "object",
            "required": ["title", "count"],
            "properties": {
                "title": {"type": "string", "description": "What it is about"},
                "count": {"type": "integer"},
                "ratio": {"type": "number"},
                "draft": {"type": "boolean"},
                "labels": {"type": "array", "items": {"type": "string"}},
                "owner": {"type": "object", "properties": {}},
                "note": {"type": ["string", "null"]},
                "size": {"type": ["null", "integer"]},
                "level": {"enum": [1, 2]},
                "state": {"enum": ["open", "closed"]},
                "fixed": {"const": true},
                "maybe": {"anyOf": [{"type": "null"}, {"type": "number"}]},
                "nested": {"oneOf": [{"allOf": [{"type": "boolean"}]}]},
                "linked": {"$ref": "https://example.com/schema"},
                "free": {},
                "odd": true,
            }
        });
        assert_eq!(
            shown(schema),
            [
                "count!: number",
                "title!: string What it is about",
                "draft: boolean",
                "fixed: boolean",
                "free: string",
                "labels: object",
                "level: number",
                "linked: string",
                "maybe: number",
                "nested: boolean",
                "note: string",
                "odd: string",
                "owner: object",
                "ratio: number",
                "size: number",
                "state: string",
            ]
        );
    }

    #[test]
    fn schema_to_params_has_no_parameters_where_there_are_none() {
        for schema in [
            json!({}),
            json!({"type": "object"}),
            json!({"properties": []}),
            json!({"type": "object", "properties": {}, "required": ["ghost"]}),
        ] {
            assert!(shown(schema).is_empty());
        }
        assert_eq!(
            shown(json!({"properties": {"a": {}}, "required": "a"})),
            ["a: string"]
        );
    }

    #[test]
    fn schema_to_params_is_bounded() {
        let mut deep = json!({"type": "boolean"});
        for _ in 0..100 {
            deep = json!({"anyOf": [deep]});
        }
        assert_eq!(
            shown(json!({"properties": {"deep": deep}})),
            ["deep: string"]
        );
        let many: Map<String, Value> = (0..500).map(|n| (format!("p{n}"), json!({}))).collect();
        assert_eq!(
            shown(json!({"properties": many})).len(),
            CONNECTOR_PARAMETERS_MAX
        );
        let long = json!({"description": "d".repeat(10_000)});
        let line = shown(json!({"properties": {"a": long}})).remove(0);
        assert!(line.len() < CONNECTOR_DESCRIPTION_LENGTH_MAX + 20);
    }
}
