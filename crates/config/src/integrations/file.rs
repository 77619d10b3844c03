//! `[integrations]` of the file. Its keys follow from the declarations of the sources.

use std::{borrow::Cow, collections::BTreeMap};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::keys::SourceKeys;
use crate::{setting::Setting, value::FileValue};

/// `[integrations]` of the file. Secrets are named by file, never written here.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct IntegrationsFile(BTreeMap<String, Entry>);

/// The value of one key. That it is of the type that the schema says was checked before.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Entry {
    Text(String),
    List(Vec<String>),
}

impl FileValue for Entry {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::List(list) => list.into_text(),
        }
    }
}

impl IntegrationsFile {
    /// The value of this setting, once.
    pub(super) fn take(&mut self, setting: &Setting) -> Option<Entry> {
        let (_, key) = setting.path.split_once('.')?;
        self.0.remove(key)
    }

    /// The same for a path.
    pub(super) fn take_text(&mut self, setting: &Setting) -> Option<String> {
        self.take(setting).map(FileValue::into_text)
    }
}

impl JsonSchema for IntegrationsFile {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "IntegrationsFile".into()
    }

    /// Without properties: [`properties`] has them.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "additionalProperties": false,
            "description":
                "`[integrations]` of the file. Secrets are named by file, never written here.",
        })
    }
}

/// What the file may say of these sources, as properties of a JSON schema.
pub(crate) fn properties(sources: &[SourceKeys]) -> Map<String, Value> {
    let common = sources.iter().flat_map(common);
    let all = common.chain(sources.iter().flat_map(special));
    let property = |(setting, mut property, description): (&Setting, Value, String)| {
        let (_, key) = setting.path.split_once('.')?;
        property["description"] = description.into();
        Some((key.to_owned(), property))
    };
    all.filter_map(property).collect()
}

type Property<'a> = (&'a Setting, Value, String);

fn text() -> Value {
    json!({"type": "string"})
}

fn list() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

fn common(keys: &SourceKeys) -> [Property<'_>; 6] {
    let (source, oauth) = (keys.source, &keys.source.oauth);
    let name = source.display_name;
    let scopes: Vec<String> = oauth.scopes.iter().map(|it| format!("`{it}`")).collect();
    [
        (
            &keys.url,
            text(),
            format!("Base URL of {name}'s API. Default `{}`.", source.api_url),
        ),
        (
            &keys.client_id,
            text(),
            format!(
                "Client at {name} with which organizations connect it. Default: none; they need a token."
            ),
        ),
        (
            &keys.client_secret.file,
            text(),
            "File that holds the secret of that client; relative to this file.".to_owned(),
        ),
        (
            &keys.authorize_url,
            text(),
            format!(
                "Where people let this gateway into {name}. Default `{}`.",
                oauth.authorize_url
            ),
        ),
        (
            &keys.token_url,
            text(),
            format!(
                "Where tokens of {name} are issued and renewed. Default `{}`.",
                oauth.token_url
            ),
        ),
        (
            &keys.scopes,
            list(),
            format!("What {name} is asked for. Default {}.", scopes.join(", ")),
        ),
    ]
}

fn special(keys: &SourceKeys) -> Vec<Property<'_>> {
    let name = keys.source.display_name;
    let pkce = keys.pkce.iter().map(|pkce| {
        let description = format!(
            "`on` if the client at {name} is set up for PKCE, which {name} refuses for others. Default `off`."
        );
        (pkce, text(), description)
    });
    let app = keys.app.iter().flat_map(|app| {
        let id =
            format!("{name} App whose installations organizations may connect. Default: none.");
        let key = "File that holds the private key of that app, in PEM; relative to this file.";
        [
            (&app.id, text(), id),
            (&app.private_key.file, text(), key.to_owned()),
        ]
    });
    pkce.chain(app).collect()
}
