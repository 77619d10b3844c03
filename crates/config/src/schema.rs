//! The JSON schema of the file, for editors. It follows from the declarations that the file reader
//! checks against, so the two cannot disagree.

use serde_json::{Map, Value, json};

use crate::{
    catalog::Catalog,
    file::{FILE_VERSION, VERSION_KEY},
    setting::{Section, Setting, TomlType},
};

/// The JSON schema of the TOML file, indented, with a line end.
pub fn schema_json(catalog: &Catalog) -> String {
    let mut keys = Map::new();
    let version = json!({
        "type": "integer",
        "format": "uint32",
        "minimum": FILE_VERSION,
        "maximum": FILE_VERSION,
        "description": format!("Version of this file's format, always {FILE_VERSION}."),
    });
    keys.insert(VERSION_KEY.to_owned(), version);
    for section in catalog.sections() {
        if section.name.is_empty() {
            keys.extend(properties(section));
        } else {
            keys.insert(section.name.to_owned(), section_schema(section));
        }
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Proliferate settings",
        "description":
            "Settings of the gateway. Whatever is left out has a default; secrets are named by file, never written here.",
        "type": "object",
        "additionalProperties": false,
        "required": [VERSION_KEY],
        "properties": keys,
    });
    format!("{schema:#}\n")
}

fn section_schema(section: &Section) -> Value {
    let secrets = match section.secrets().next() {
        Some(_) => " Secrets are named by file, never written here.",
        None => "",
    };
    json!({
        "type": "object",
        "additionalProperties": false,
        "description": format!("`[{}]` of the file.{secrets}", section.name),
        "properties": properties(section).collect::<Map<_, _>>(),
    })
}

fn properties(section: &Section) -> impl Iterator<Item = (String, Value)> + use<> {
    let property = |setting: &Setting| (setting.key().to_owned(), setting_schema(setting));
    section.settings().map(property)
}

fn setting_schema(setting: &Setting) -> Value {
    let mut schema = match setting.kind.toml_type() {
        TomlType::String => json!({"type": "string"}),
        TomlType::Integer => json!({"type": "integer", "format": "uint64", "minimum": 0}),
        TomlType::Float => json!({"type": "number", "format": "double"}),
        TomlType::Array => json!({"type": "array", "items": {"type": "string"}}),
    };
    schema["description"] = setting.file_description().into();
    schema
}
