//! The generated pages, and that tables, settings and schema name the same things.

use std::collections::BTreeSet;

use super::{Given, catalog};
use crate::{env_markdown, schema_json};

/// Variables that others read: the exporter, the HTTP client, and the commands that are clients of
/// a gateway.
fn read_elsewhere(setting: &str) -> bool {
    ["(trace exporter)", "(HTTP client)", "(client)"].contains(&setting)
}

#[test]
fn loading_reads_the_variables_of_the_table_and_no_others() {
    let given = Given::default();
    given.load().unwrap();
    // With XDG_DATA_HOME unset and no secret set, every lookup goes to its last name.
    let asked = given.asked.into_inner();
    let table: BTreeSet<String> = catalog()
        .env_vars()
        .iter()
        .filter(|var| !read_elsewhere(var.setting))
        .map(|var| var.name.to_owned())
        .collect();
    assert_eq!(asked, table);
}

#[test]
fn every_variable_belongs_to_the_setting_that_uses_it() {
    let used: Vec<_> = catalog()
        .settings()
        .iter()
        .chain(
            catalog()
                .secrets()
                .iter()
                .flat_map(|secret| [&secret.value, &secret.file]),
        )
        .flat_map(|setting| setting.env.iter().map(|var| (setting.path, *var)))
        .collect();
    for (path, var) in &used {
        assert_eq!(*path, var.setting, "{}", var.name);
    }
    let names: BTreeSet<_> = catalog().env_vars().iter().map(|var| var.name).collect();
    assert_eq!(
        names.len(),
        catalog().env_vars().len(),
        "a name stands twice in the table"
    );
}

#[test]
fn the_schema_knows_every_setting_and_no_secret() {
    let schema: serde_json::Value = serde_json::from_str(&schema_json(catalog())).unwrap();
    let mut in_schema = BTreeSet::new();
    for (name, property) in schema["properties"].as_object().unwrap() {
        match property["properties"].as_object() {
            Some(keys) => in_schema.extend(keys.keys().map(|key| format!("{name}.{key}"))),
            None => {
                in_schema.insert(name.clone());
            }
        }
        assert!(property["description"].is_string(), "{name}");
    }
    let mut expected: BTreeSet<String> = catalog()
        .settings()
        .iter()
        .chain(catalog().secrets().iter().map(|secret| &secret.file))
        .map(|setting| setting.path.to_owned())
        .collect();
    expected.insert("version".to_owned());
    assert_eq!(in_schema, expected);
    assert_eq!(schema["required"], serde_json::json!(["version"]));
    assert!(!schema_json(catalog()).contains("null"));
}

#[test]
fn the_reference_page_of_variables() {
    insta::assert_snapshot!("env.md", env_markdown(catalog()));
}

#[test]
fn the_schema() {
    insta::assert_snapshot!("schema.json", schema_json(catalog()));
}
