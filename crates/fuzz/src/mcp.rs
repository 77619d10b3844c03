//! The Model Context Protocol on both sides: messages of clients, and what servers answer.

use domain::{
    canonical,
    limits::{
        CONNECTOR_ACTION_NAME_LENGTH_MAX, CONNECTOR_DESCRIPTION_LENGTH_MAX,
        CONNECTOR_PARAMETERS_MAX,
    },
};
use integrations::mcp::catalog::{action_name, params};
use rmcp::model::{CallToolResult, ListToolsResult};
use serde_json::Value;

use crate::{
    content::read_result,
    message,
    output::{OutputPart, ResourceBody},
    secret_scrubber::SecretScrubber,
};

/// A message that the protocol is handed is one request or notification of JSON-RPC to any reader of JSON.
pub(crate) fn mcp_message(bytes: &[u8]) {
    if message::check(bytes).is_err() {
        return;
    }
    let value = canonical::parse(bytes).unwrap_or_default();
    assert_eq!(value["jsonrpc"], "2.0");
    assert!(value["method"].is_string());
    let id = &value["id"];
    assert!(id.is_null() || id.is_string() || id.is_i64());
    if id.is_null() {
        assert!(value.get("id").is_none());
        return;
    }
    let handed = serde_json::from_slice::<rmcp::model::ClientJsonRpcMessage>(bytes);
    assert!(handed.is_ok(), "the library refuses it: {handed:?}");
}

/// What a server that echoes its credential answers with has it in none of the usual forms.
pub(crate) fn mcp_result(bytes: &[u8]) {
    const SECRET: &str = "s3cr3t/t0ken+\"x";
    let Ok(result) = serde_json::from_slice::<CallToolResult>(bytes) else {
        return;
    };
    let output = read_result(result, &SecretScrubber::new(SECRET));
    let hex = hex::encode(SECRET);
    let leaks = |text: &str| text.contains(SECRET) || text.contains(hex.as_str());
    for part in &output.parts {
        match part {
            OutputPart::Text(text)
            | OutputPart::Resource {
                body: ResourceBody::Text(text),
                ..
            } => assert!(!leaks(text)),
            OutputPart::Resource { uri, .. } | OutputPart::ResourceLink { uri, .. } => {
                assert!(!leaks(uri));
            }
            OutputPart::Image { media_type, .. } | OutputPart::Audio { media_type, .. } => {
                assert!(!leaks(media_type));
            }
        }
    }
    // Several texts that are JSON only together are put together after each was looked at.
    if output.structured.is_some() || output.parts.len() == 1 {
        each_text(&output.value(), &mut |text| assert!(!leaks(text)));
    }
}

fn each_text(value: &Value, look: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => look(text),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, look)),
        Value::Object(members) => {
            for (name, member) in members {
                look(name);
                each_text(member, look);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Tools of any server have names that are safe everywhere, and what is shown of their schemas is bounded.
pub(crate) fn mcp_tools(bytes: &[u8]) {
    let Ok(list) = serde_json::from_slice::<ListToolsResult>(bytes) else {
        return;
    };
    for tool in &list.tools {
        let name = action_name(&tool.name);
        assert!((1..=CONNECTOR_ACTION_NAME_LENGTH_MAX).contains(&name.len()));
        let is_safe = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(
            !name.starts_with('-') && name.chars().all(is_safe),
            "{name}"
        );
        assert_eq!(action_name(&name), name, "a good name stays");
        let shown = params(&tool.input_schema);
        assert!(shown.len() <= CONNECTOR_PARAMETERS_MAX);
        for param in shown {
            let description = param.description.unwrap_or_default();
            assert!(description.chars().count() <= CONNECTOR_DESCRIPTION_LENGTH_MAX + 1);
        }
    }
}
