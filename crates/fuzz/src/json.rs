//! JSON of others: canonical form, schemas, what is stored of connectors, frames of clients.

use domain::{
    canonical::{canonical_bytes, check, parse},
    limits::PARAMS_PROBLEMS_MAX,
};
use integrations::mcp::config;
use integrations::schema::Schema;
use serde_json::{Map, Value};
use wire::live::ClientMessage;

use crate::bytes::line;

/// What is read strictly is JSON for every parser, has one canonical form, and that form reads back as the same value.
pub(crate) fn canonical_json(bytes: &[u8]) {
    let Ok(value) = parse(bytes) else { return };
    let plainly = serde_json::from_slice::<Value>(bytes);
    assert_eq!(plainly.ok().as_ref(), Some(&value), "JSON to us alone");
    assert_eq!(check(&value), Ok(()));
    let canonical = canonical_bytes(&value);
    let again = parse(&canonical);
    assert!(again.is_ok(), "the canonical form is refused: {again:?}");
    let again = again.unwrap_or_default();
    assert_eq!(canonical_bytes(&again), canonical, "it has two forms");
    // Numbers may be written in another way, as `1.0` and `1`; nothing else may differ.
    let by_others = serde_json_canonicalizer::to_vec(&value);
    assert_eq!(by_others.ok(), Some(canonical));
}

/// An arbitrary schema and arbitrary params, a line each: the verdict is the same twice, and what is said of params has
/// none of their texts.
pub(crate) fn action_schema(bytes: &[u8]) {
    let (schema, params) = line(bytes);
    let Ok(document) = serde_json::from_slice::<Value>(schema) else {
        return;
    };
    let Ok(schema) = Schema::read(document.clone()) else {
        return;
    };
    assert_eq!(schema.document(), &document);
    let Ok(params) = serde_json::from_slice::<Map<String, Value>>(params) else {
        return;
    };
    let verdict = schema.check(&params);
    assert_eq!(verdict, schema.check(&params));
    let Err(mismatch) = verdict else { return };
    let said = mismatch.to_string();
    // A sentence and a path for each, of 200 characters and an ellipsis.
    assert!(said.chars().count() <= PARAMS_PROBLEMS_MAX * 410, "{said}");
    let mut texts = Vec::new();
    let mut names = document.to_string();
    collect(&Value::Object(params), &mut texts, &mut names);
    for text in texts {
        let is_planted = text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_planted && !names.contains(text.as_str()) {
            assert!(!said.contains(text.as_str()), "{said} tells {text}");
        }
    }
}

/// Texts that are values, and, in `names`, those that are names.
fn collect(value: &Value, texts: &mut Vec<String>, names: &mut String) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts, names)),
        Value::Object(members) => {
            for (name, member) in members {
                names.push_str(name);
                names.push(' ');
                collect(member, texts, names);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A connector that can be read is written so that it reads back as the same one.
pub(crate) fn connector_config(bytes: &[u8]) {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else {
        return;
    };
    if let Ok(connector) = config::read(&value) {
        let written = config::write(&connector);
        assert_eq!(config::read(&written), Ok(connector));
    }
    let (good, bad) = config::read_all(&value);
    let count = value.as_array().map_or(1, Vec::len);
    assert_eq!(
        good.len() + bad.len(),
        count,
        "each is read or complained of"
    );
}

/// A frame of a client that can be read is written so that it reads back as the same one.
pub(crate) fn live_frame(bytes: &[u8]) {
    let Ok(message) = serde_json::from_slice::<ClientMessage>(bytes) else {
        return;
    };
    let written = serde_json::to_vec(&message).unwrap_or_default();
    let again = serde_json::from_slice::<ClientMessage>(&written);
    assert_eq!(again.ok(), Some(message));
}
