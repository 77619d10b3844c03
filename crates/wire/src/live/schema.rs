//! The protocol as a JSON schema: `ClientMessage` and `Frame`, with all of their parts.

use serde_json::{Map, Value, json};
use utoipa::OpenApi;

use super::{ClientMessage, Frame};

#[derive(OpenApi)]
#[openapi(components(schemas(ClientMessage, Frame)))]
struct Shapes;

/// The document of docs/reference/live.schema.json.
pub fn json_schema() -> String {
    let document = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of a live session",
        "description": "A client sends ClientMessage and is sent Frame, one JSON object in a frame.",
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/Frame"}],
        "$defs": definitions(),
    });
    format!("{document:#}\n")
}

/// Every shape by its name, with references as in JSON Schema.
pub(super) fn definitions() -> Map<String, Value> {
    let openapi = serde_json::to_value(Shapes::openapi()).unwrap_or_default();
    let mut schemas = openapi["components"]["schemas"].clone();
    refer(&mut schemas);
    let mut schemas = match schemas {
        Value::Object(schemas) => schemas,
        _ => Map::new(),
    };
    close(&mut schemas);
    schemas
}

/// A client's messages refuse unknown members, so `type` must be among the known ones: two schemas that must
/// both hold, one of them closed, would refuse everything.
fn close(schemas: &mut Map<String, Value>) {
    let Some(messages) = schemas["ClientMessage"]["oneOf"].as_array().cloned() else {
        return;
    };
    let closed: Vec<Value> = messages
        .into_iter()
        .map(|message| {
            let name = message["allOf"][0]["$ref"].as_str().unwrap_or_default();
            let name = name.trim_start_matches("#/$defs/");
            let Some(mut content) = schemas.remove(name) else {
                return message;
            };
            let tag = &message["allOf"][1];
            content["properties"]["type"] = tag["properties"]["type"].clone();
            match content["required"].as_array_mut() {
                Some(required) => required.insert(0, "type".into()),
                None => content["required"] = json!(["type"]),
            }
            content
        })
        .collect();
    schemas["ClientMessage"]["oneOf"] = closed.into();
}

fn refer(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(name) = text.strip_prefix("#/components/schemas/") {
                *text = format!("#/$defs/{name}");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(refer),
        Value::Object(members) => members.values_mut().for_each(refer),
        _ => {}
    }
}
