//! Bodies that are not JSON, not said to be JSON, or too large to look at.

use domain::limits::{ENV_IMPORT_KEYS_MAX, REQUEST_BODY_BYTES_MAX};
use serde_json::{Map, json};

use super::{Case, INVALID_REQUEST, PLANTED, post};
use crate::support::SESSIONS;

const INVALID_JSON: (u16, &str) = (400, "INVALID_JSON");
const UNSUPPORTED: (u16, &str) = (415, "UNSUPPORTED_MEDIA_TYPE");
const TOO_LARGE: (u16, &str) = (413, "PAYLOAD_TOO_LARGE");

pub(super) fn cases() -> Vec<Case> {
    let texts = [
        "",
        "{nope SECRET",
        r#"{"title": "SECRET"#,
        "{} SECRET",
        "{}{}",
        r#"{"title": "x",}"#,
        "{'title': 'x'}",
        r#"{"clientMetadata": {"n": NaN}}"#,
        r#"{"clientMetadata": {"n": -Infinity}}"#,
        r#"{"clientMetadata": {"n": 1e999}}"#,
        r#"{"title": "\ud800"}"#,
        r#"{"envVars": {"A": "SECRET\udead"}}"#,
        "{\"title\": \"a\nb\"}",
    ];
    let mut cases: Vec<_> = texts
        .into_iter()
        .map(|text| {
            post(
                text,
                SESSIONS,
                text.replace("SECRET", PLANTED),
                INVALID_JSON,
                "",
            )
        })
        .collect();
    let utf_16 = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let nested = format!(r#"{{"clientMetadata": {{"a": {}"#, "[".repeat(100_000));
    let bytes: [(_, Vec<u8>); 3] = [
        ("not UTF-8", b"{\"title\": \"\xff\xfe\"}".to_vec()),
        ("UTF-16", utf_16),
        ("deep nesting", nested.into_bytes()),
    ];
    cases.extend(bytes.map(|(name, body)| post(name, SESSIONS, body, INVALID_JSON, "")));
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "",
        "json",
    ] {
        cases.push(Case {
            body: Some((content_type, b"{}".to_vec())),
            ..post("wrong content type", SESSIONS, "", UNSUPPORTED, "")
        });
    }
    cases.push(Case {
        body: None,
        ..post("no body at all", SESSIONS, "", UNSUPPORTED, "")
    });
    let large = json!({"title": "x".repeat(REQUEST_BODY_BYTES_MAX)}).to_string();
    cases.push(post("oversized", SESSIONS, large, TOO_LARGE, ""));

    let variables = |count: usize| (0..count).map(|n| (format!("K{n}"), PLANTED.into()));
    let many: Map<_, _> = variables(101).collect();
    let many = json!({"envVars": many}).to_string();
    cases.push(post(
        "101 variables",
        SESSIONS,
        many,
        INVALID_REQUEST,
        "envVars",
    ));
    let lines = variables(ENV_IMPORT_KEYS_MAX + 1).map(|(key, _)| key + "=x\n");
    let text = json!({"text": lines.collect::<String>()}).to_string();
    cases.push(post(
        "501 lines",
        "/v1/secrets/import",
        text,
        INVALID_REQUEST,
        "text",
    ));
    cases
}
