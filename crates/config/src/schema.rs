//! The JSON schema of the file, and what the file reader takes from it: which names exist where,
//! and of which type. Editors and the reader thereby can never disagree.

use std::collections::BTreeMap;

use schemars::{Schema, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::Value;

use crate::{catalog::Catalog, file::FileSettings, integrations};

fn schema(catalog: &Catalog) -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<FileSettings>();
    // serde must be able to go without, so that each value can be checked by itself.
    schema.insert("required".to_owned(), Value::from(vec!["version"]));
    schemars::transform::transform_subschemas(&mut RecursiveTransform(without_null), &mut schema);
    if let Some(section) = schema.pointer_mut("/properties/integrations") {
        section["properties"] = integrations::properties(catalog.sources()).into();
    }
    schema
}

/// TOML has no null: an absent value is absent.
fn without_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    // serde's view of an absent section, all nulls, would tell a reader nothing.
    if schema.get("default").is_some_and(Value::is_object) {
        schema.remove("default");
    }
}

/// The JSON schema of the TOML file, indented, with a line end.
pub fn schema_json(catalog: &Catalog) -> String {
    format!("{:#}\n", schema(catalog).to_value())
}

/// The names of the file: type by key, by section; the top level is the section without a name.
pub(crate) struct Known<'a> {
    pub(crate) sections: BTreeMap<String, Keys>,
    top: Keys,
    pub(crate) catalog: &'a Catalog,
}

type Keys = BTreeMap<String, KnownKey>;

/// What the schema says about one key.
pub(crate) struct KnownKey {
    pub(crate) type_name: &'static str,
    /// Its documentation in one line.
    pub(crate) doc: String,
}

impl<'a> Known<'a> {
    pub(crate) fn from_schema(catalog: &'a Catalog) -> Self {
        let schema = schema(catalog).to_value();
        let mut known = Self {
            catalog,
            sections: BTreeMap::new(),
            top: BTreeMap::new(),
        };
        for (name, property) in properties(&schema) {
            known.top.insert(name.clone(), KnownKey::from(property));
            if type_name(property) == "table" {
                let keys = properties(property)
                    .map(|(key, value)| (key.clone(), KnownKey::from(value)))
                    .collect();
                known.sections.insert(name.clone(), keys);
            }
        }
        known
    }

    fn section(&self, section: &str) -> &Keys {
        self.sections.get(section).unwrap_or(&self.top)
    }

    pub(crate) fn key(&self, section: &str, key: &str) -> Option<&KnownKey> {
        self.section(section).get(key)
    }

    pub(crate) fn names(&self, section: &str) -> impl Iterator<Item = &str> {
        self.section(section).keys().map(String::as_str)
    }

    /// The full name of a setting that has this key in another section.
    pub(crate) fn elsewhere(&self, key: &str) -> Option<String> {
        // Of several, the one that `config check` has first: it is the one that more people want.
        let is_named = |path: &&str| path.rsplit_once('.').is_some_and(|(_, name)| name == key);
        let listed = self.catalog.settings().iter().map(|setting| setting.path);
        let of_section = |(section, _): (&String, &Keys)| format!("{section}.{key}");
        let mut sections = self.sections.iter();
        let mut listed = listed.filter(is_named);
        listed
            .next()
            .map(str::to_owned)
            .or_else(|| {
                sections
                    .find(|(_, keys)| keys.contains_key(key))
                    .map(of_section)
            })
            .or_else(|| self.top.contains_key(key).then(|| key.to_owned()))
    }
}

impl From<&Value> for KnownKey {
    fn from(schema: &Value) -> Self {
        let doc = schema.get("description").and_then(Value::as_str);
        Self {
            type_name: type_name(schema),
            doc: doc.unwrap_or_default().replace('\n', " "),
        }
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}

/// The type in TOML's words, as messages say it.
fn type_name(schema: &Value) -> &'static str {
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => "table",
        Some("number") => "float",
        Some("integer") => "integer",
        Some("array") => "array",
        _ => "string",
    }
}
