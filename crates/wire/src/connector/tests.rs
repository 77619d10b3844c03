//! Connector bodies: the shape of the seed, and what is refused.

use serde_json::{from_value, json, to_value};

use super::*;
use crate::action::{ActionParam, ActionParamType};

const ID: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

#[test]
fn a_connector_as_it_is_kept() {
    let body = json!({
        "id": ID,
        "name": "Docs",
        "transport": "remote_http",
        "url": "https://mcp.example.com/mcp",
        "auth": {"type": "custom_header", "secretKey": "DOCS_TOKEN", "headerName": "X-Api-Key"},
        "riskPolicy": {"defaultRisk": "write", "overrides": {"search": "read"}},
        "enabled": true,
        "trusted": false,
    });
    let connector: ConnectorConfig = from_value(body.clone()).unwrap();
    assert_eq!(to_value(&connector).unwrap(), body);
    insta::assert_json_snapshot!(connector);
}

#[test]
fn what_may_be_left_out() {
    let request: CreateConnectorRequest =
        from_value(json!({"name": "Docs", "url": "https://mcp.example.com/mcp"})).unwrap();
    assert_eq!(request.transport, ConnectorTransport::RemoteHttp);
    assert_eq!(
        (request.auth, request.enabled, request.trusted),
        (ConnectorAuth::None, true, false)
    );
    let stored = json!({
        "id": ID, "name": "Docs", "transport": "remote_http", "url": "https://x/", "enabled": true,
        "auth": {"type": "bearer", "secretKey": "K"},
    });
    assert!(!from_value::<ConnectorConfig>(stored).unwrap().trusted);
}

#[test]
fn what_is_refused() {
    let auth = |auth: serde_json::Value| {
        from_value::<CreateConnectorRequest>(json!({"name": "D", "url": "u", "auth": auth}))
    };
    assert!(auth(json!({"type": "bearer", "secretKey": "K"})).is_ok());
    for bad in [
        json!({"type": "bearer"}),
        json!({"type": "bearer", "secretKey": "K", "token": "s3cret"}),
        json!({"type": "custom_header", "secretKey": "K"}),
        json!({"type": "basic"}),
        json!({}),
    ] {
        assert!(auth(bad.clone()).is_err(), "{bad}");
    }
    let update = from_value::<UpdateConnectorRequest>;
    assert!(update(json!({"trusted": true})).is_ok());
    for bad in [
        json!({"id": ID}),
        json!({"name": null}),
        json!({"riskPolicy": {"default": "read"}}),
        json!({"riskPolicy": {"overrides": {"x": "none"}}}),
    ] {
        assert!(update(bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn what_trying_out_answers() {
    let tool = ConnectorToolView {
        name: "search".into(),
        tool: "search".into(),
        description: "Finds pages.".into(),
        risk_level: RiskLevel::Write,
        risk_source: RiskSource::Fallback,
        state: ConnectorToolState::New,
        sha256: "a".repeat(64),
        pinned_sha256: None,
        first_seen_at: None,
        reviewed_by: None,
        reviewed_at: None,
        definition: Some(json!({"name": "search", "annotations": {}})),
        changed: None,
        params: vec![ActionParam {
            name: "query".into(),
            param_type: ActionParamType::String,
            required: true,
            description: "What to look for.".into(),
        }],
    };
    let good = ValidateConnectorResponse {
        ok: true,
        tools: vec![tool],
        notes: vec!["`huge` is left out: its definition is too large".into()],
        error: None,
        diagnostics: None,
    };
    let bad = ValidateConnectorResponse {
        ok: false,
        tools: vec![],
        notes: vec![],
        error: Some("the server refused our credentials".into()),
        diagnostics: Some(ConnectorDiagnostics {
            class: DiagnosticClass::Auth,
            message: "401 to initialize".into(),
        }),
    };
    insta::assert_json_snapshot!([good, bad]);
}
