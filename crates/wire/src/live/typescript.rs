//! The protocol as TypeScript types, generated from the JSON schema so that the two cannot differ.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::schema::definitions;

/// The text of docs/reference/live.d.ts.
pub fn typescript() -> String {
    let mut text = String::from(
        "// The protocol of a live session: a client sends ClientMessage and is sent Frame.\n\
         // Generated; `cargo xtask generate` writes it.\n",
    );
    for (name, schema) in definitions() {
        text.push('\n');
        comment(&mut text, &schema, "");
        // Writing to a string does not fail.
        let _ = writeln!(text, "export type {name} = {};", shape(&schema, ""));
    }
    text
}

fn comment(text: &mut String, schema: &Value, indent: &str) {
    if let Some(description) = schema["description"].as_str() {
        let description = description.replace('\n', " ").replace("*/", "* /");
        let _ = writeln!(text, "{indent}/** {description} */");
    }
}

/// A schema as a type.
fn shape(schema: &Value, indent: &str) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or("unknown").to_owned();
    }
    for (member, joint) in [("oneOf", " | "), ("anyOf", " | "), ("allOf", " & ")] {
        if let Some(schemas) = schema[member].as_array() {
            let shapes: Vec<String> = schemas.iter().map(|schema| shape(schema, indent)).collect();
            return shapes.join(joint);
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        return values.join(" | ");
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    match &schema["type"] {
        Value::String(kind) => of_kind(kind, schema, indent),
        Value::Array(kinds) => {
            let kinds: Vec<String> = kinds
                .iter()
                .filter_map(Value::as_str)
                .map(|kind| of_kind(kind, schema, indent))
                .collect();
            kinds.join(" | ")
        }
        _ => "unknown".to_owned(),
    }
}

fn of_kind(kind: &str, schema: &Value, indent: &str) -> String {
    match kind {
        "string" => "string".to_owned(),
        "integer" | "number" => "number".to_owned(),
        "boolean" => "boolean".to_owned(),
        "null" => "null".to_owned(),
        "array" => {
            let item = shape(&schema["items"], indent);
            if item.contains(' ') {
                format!("({item})[]")
            } else {
                format!("{item}[]")
            }
        }
        "object" => match schema["properties"].as_object() {
            Some(properties) => object(properties, &schema["required"], indent),
            None => "Record<string, unknown>".to_owned(),
        },
        _ => "unknown".to_owned(),
    }
}

fn object(properties: &Map<String, Value>, required: &Value, indent: &str) -> String {
    let is_required = |name: &str| {
        let names = required.as_array().map(Vec::as_slice).unwrap_or_default();
        names.iter().any(|required| required == name)
    };
    let inner = format!("{indent}  ");
    let mut text = String::from("{\n");
    for (name, schema) in properties {
        comment(&mut text, schema, &inner);
        let mark = if is_required(name) { "" } else { "?" };
        let _ = writeln!(text, "{inner}{name}{mark}: {};", shape(schema, &inner));
    }
    text.push_str(indent);
    text.push('}');
    text
}
