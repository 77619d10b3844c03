//! The protocol's own rules: versions, headers, messages.

use serde_json::{Value, json};
use testkit::database::Backend;

use super::{Desk, ask, last, message, path, post};

const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

fn initialize(version: &str) -> Value {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
    message("initialize", params)
}

#[tokio::test]
async fn every_version_with_a_handshake_is_spoken() {
    let desk = Desk::open(Backend::Sqlite).await;
    for version in VERSIONS {
        let answer = post(&desk.agent, &path(&desk), initialize(version)).await;
        let result = &last(&answer)["result"];
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "proliferate");
        assert!(result["capabilities"]["tools"].is_object(), "{result}");
        assert!(result["capabilities"]["resources"].is_null(), "{result}");
        let instructions = result["instructions"].as_str().unwrap();
        assert!(instructions.contains("proliferate__wait_for_action"));
        assert_eq!(answer.header("mcp-session-id"), None);
        let listed = post(&desk.agent, &path(&desk), message("tools/list", json!({})));
        let listed = listed.header("mcp-protocol-version", version).await;
        assert!(last(&listed)["result"]["tools"].is_array());
    }
    let unknown = post(&desk.agent, &path(&desk), initialize("1999-01-01")).await;
    let offered = last(&unknown)["result"]["protocolVersion"].clone();
    assert_eq!(offered, "2025-11-25");
}

#[tokio::test]
async fn the_version_without_a_handshake_is_spoken() {
    let desk = Desk::open(Backend::Sqlite).await;
    let version = "2026-07-28";
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    for (method, more) in [
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        (
            "tools/call",
            json!({"name": "linear__list_teams", "arguments": {}}),
        ),
    ] {
        let mut params = more;
        params["_meta"] = meta.clone();
        let mut call = post(&desk.agent, &path(&desk), message(method, params.clone()))
            .header("mcp-protocol-version", version)
            .header("mcp-method", method);
        if let Some(name) = params["name"].as_str() {
            call = call.header("mcp-name", name);
        }
        let answer = call.await;
        let result = &last(&answer)["result"];
        assert_eq!(
            result["resultType"],
            "complete",
            "{method}: {}",
            answer.text()
        );
        match method {
            "server/discover" => {
                let versions = result["supportedVersions"].as_array().unwrap();
                assert!(versions.contains(&json!(version)), "{result}");
            }
            "tools/list" => assert_eq!(result["cacheScope"], "private", "{result}"),
            _ => assert_eq!(result["isError"], false, "{result}"),
        }
    }
    let unknown = post(
        &desk.agent,
        &path(&desk),
        message("prompts/list", json!({})),
    );
    let unknown = unknown.header("mcp-protocol-version", version).await;
    assert_eq!(unknown.expect(404)["error"]["code"], -32601);
}

#[tokio::test]
async fn what_is_wrong_is_said_in_the_protocols_words() {
    let desk = Desk::open(Backend::Sqlite).await;
    for (body, status, code) in [
        ("{", 400, -32700),
        ("[]", 400, -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, 400, -32600),
        (r#"{"id":1,"method":"ping"}"#, 400, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, 400, -32600),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#,
            200,
            -32601,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}"#,
            200,
            -32601,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#,
            200,
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no__such"}}"#,
            200,
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"a b"}}"#,
            200,
            -32602,
        ),
    ] {
        let call = desk.agent.call(http_post(), &path(&desk));
        let answer = call.body("application/json", body).await;
        let error = answer.expect(status);
        assert_eq!(error["error"]["code"], code, "{body}: {error}");
        assert_eq!(error["jsonrpc"], "2.0");
    }
    assert_eq!(ask(&desk, "ping", json!({})).await, json!({}));
}

fn http_post() -> reqwest::Method {
    reqwest::Method::POST
}

#[tokio::test]
async fn notifications_are_taken_and_not_answered() {
    let desk = Desk::open(Backend::Sqlite).await;
    for method in [
        "notifications/initialized",
        "notifications/cancelled",
        "notifications/x",
    ] {
        let body = json!({"jsonrpc": "2.0", "method": method, "params": {"requestId": 1}});
        let answer = post(&desk.agent, &path(&desk), body).await;
        assert_eq!((answer.status, answer.body.len()), (202, 0), "{method}");
    }
}

#[tokio::test]
async fn headers_are_looked_at_before_the_message() {
    let desk = Desk::open(Backend::Sqlite).await;
    let ping = message("ping", json!({}));
    for (name, value, status, code) in [
        ("accept", "application/json", 400, "INVALID_REQUEST"),
        ("accept", "text/event-stream", 400, "INVALID_REQUEST"),
        ("accept", "text/html", 400, "INVALID_REQUEST"),
        ("mcp-protocol-version", "1999-01-01", 400, "INVALID_REQUEST"),
        ("origin", "http://evil.example", 403, "FORBIDDEN"),
        ("origin", "null", 403, "FORBIDDEN"),
    ] {
        let answer = desk
            .agent
            .post(&path(&desk), ping.clone())
            .header(name, value)
            .await;
        let problem = answer.expect_problem(status, code);
        if status == 400 {
            let field = problem["errors"][0]["field"].as_str().unwrap();
            assert_eq!(field.to_lowercase(), name);
        }
    }
    for (name, value) in [
        ("accept", "*/*"),
        ("accept", "Application/JSON;q=0.9, text/*"),
        ("origin", testkit::app::ADVERTISED_URL),
        ("mcp-protocol-version", "2025-06-18"),
    ] {
        let answer = desk
            .agent
            .post(&path(&desk), ping.clone())
            .header(name, value)
            .await;
        assert_eq!(answer.expect(200)["result"], json!({}), "{name}: {value}");
    }
    let plain = desk
        .agent
        .call(http_post(), &path(&desk))
        .body("text/plain", "{}")
        .await;
    plain.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    let large = format!(r#"{{"jsonrpc":"2.0","id":"{}"}}"#, "x".repeat(1024 * 1024));
    let large = desk
        .agent
        .call(http_post(), &path(&desk))
        .body("application/json", large)
        .await;
    large.expect_problem(413, "PAYLOAD_TOO_LARGE");
    for wait in ["x", "-1", "1.5"] {
        let answer = desk
            .agent
            .post(&format!("{}?wait={wait}", path(&desk)), ping.clone())
            .await;
        answer.expect_problem(400, "INVALID_REQUEST");
    }
}

#[tokio::test]
async fn there_is_no_stream_and_no_session_of_its_own() {
    let desk = Desk::open(Backend::Sqlite).await;
    let get = desk
        .agent
        .get(&path(&desk))
        .header("accept", "text/event-stream")
        .await;
    get.expect_problem(405, "METHOD_NOT_ALLOWED");
    let delete = desk
        .agent
        .delete(&path(&desk))
        .header("mcp-session-id", "x")
        .await;
    delete.expect_problem(405, "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn any_instance_answers_any_request() {
    let desk = Desk::open(Backend::Sqlite).await;
    let beside = desk
        .beside(testkit::app::TestApp::builder(Backend::Sqlite))
        .await;
    post(&desk.agent, &path(&desk), initialize("2025-11-25"))
        .await
        .expect(200);
    let agent = beside.sandbox(desk.session).await;
    let params = json!({"name": "linear__list_teams", "arguments": {}});
    let answer = post(&agent, &path(&desk), message("tools/call", params)).await;
    assert_eq!(last(&answer)["result"]["isError"], false);
}
