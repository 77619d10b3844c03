//! The generated pages, and that tables, settings and schema name the same things.

use std::collections::BTreeSet;

use super::{Given, catalog, row};
use crate::{DefaultValue, env::env_var_rows, env_markdown, schema_json};

/// Variables that other code reads: the exporter, the HTTP client, and the commands that are clients of
/// a gateway.
fn read_elsewhere(setting: &str) -> bool {
    ["(trace exporter)", "(HTTP client)", "(client)"].contains(&setting)
}

#[test]
fn loading_reads_the_variables_of_the_table_and_no_others() {
    let given = Given::default();
    given.load().unwrap();
    // With XDG_DATA_HOME unset and no secret set, every lookup goes to its last name.
    let variables_read = given.variables_read.into_inner();
    let table: BTreeSet<String> = env_var_rows(catalog())
        .iter()
        .filter(|row| !read_elsewhere(row.used_by))
        .map(|row| row.name.to_owned())
        .collect();
    assert_eq!(variables_read, table);
}

#[test]
fn no_variable_is_declared_twice() {
    let rows = env_var_rows(catalog());
    let names: BTreeSet<_> = rows.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), rows.len());
}

#[test]
fn a_setting_is_declared_in_the_section_that_it_names() {
    for section in catalog().sections() {
        for setting in section.settings() {
            let expected = match section.name {
                "" => setting.key().to_owned(),
                name => format!("{name}.{}", setting.key()),
            };
            assert_eq!(setting.path, expected);
            assert!(setting.flag.starts_with("--"), "{}", setting.path);
            assert!(!setting.env.is_empty(), "{}", setting.path);
            assert!(setting.help.ends_with('.'), "{}", setting.path);
        }
    }
}

#[test]
fn the_pages_say_the_defaults_that_hold() {
    let settings = Given::default().load().unwrap();
    for setting in catalog().settings() {
        let (value, _) = row(&settings, setting.path);
        match setting.default {
            DefaultValue::Computed(_) => {}
            DefaultValue::Absent(text) => assert_eq!(value, format!("({text})")),
            DefaultValue::Unset if setting.path == "data_dir" => {}
            DefaultValue::Unset => assert_eq!(value, "(not set)", "{}", setting.path),
            DefaultValue::Text("") => assert_eq!(value, "(none)", "{}", setting.path),
            fixed => assert_eq!(value, fixed.summary(), "{}", setting.path),
        }
    }
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
    let files = catalog().secrets().map(|secret| &secret.file);
    let settings = catalog().settings().chain(files);
    let mut expected: BTreeSet<String> = settings.map(|it| it.path.to_owned()).collect();
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
