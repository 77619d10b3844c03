//! The OpenAPI document: served as built, and complete enough to generate clients from.

use std::collections::BTreeSet;

use serde_json::Value;
use testkit::{app::TestApp, database::Backend};

const INVOKE: &str = "post /proliferate/{id}/actions/invoke";
const APPROVE: &str = "post /proliferate/{id}/actions/invocations/{invocation}/approve";
const LOGIN: &str = "post /v1/login";
/// The credential is the code of the link, in the body.
const SETUP: &str = "post /v1/setup";
const BACKCHANNEL: &str = "post /login/oidc/backchannel-logout";
const LOOK: &str = "get /proliferate/{id}/look/{ticket}/";
const CALL: &str = "post /v1/tool-calls";

fn document() -> Value {
    serde_json::to_value(gateway::openapi::document()).unwrap()
}

/// Every operation with its place.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let mut operations = vec![];
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.push((format!("{method} {path}"), operation));
        }
    }
    assert!(!operations.is_empty());
    operations
}

/// Calls `visit` with every object in the document.
fn walk(value: &Value, visit: &mut dyn FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(members);
            members.values().for_each(|value| walk(value, visit));
        }
        Value::Array(items) => items.iter().for_each(|value| walk(value, visit)),
        _ => {}
    }
}

#[tokio::test]
async fn the_document_is_served_as_it_was_built() {
    let app = TestApp::start(Backend::Sqlite).await;
    let answer = app.anonymous().get("/openapi.json").await;
    assert_eq!(answer.expect(200), document());
    assert_eq!(answer.header("content-type"), Some("application/json"));
}

#[test]
fn it_says_what_it_is() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["info"]["title"], "Proliferate");
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    let scheme = &document["components"]["securitySchemes"]["bearer"];
    assert_eq!(scheme["scheme"], "bearer");
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_used() {
    let document = document();
    let mut references = BTreeSet::new();
    walk(&document, &mut |members| {
        if let Some(Value::String(reference)) = members.get("$ref") {
            references.insert(reference.clone());
        }
    });
    for reference in &references {
        let pointer = reference.strip_prefix('#').expect("a local reference");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    for name in document["components"]["schemas"]
        .as_object()
        .unwrap()
        .keys()
    {
        let reference = format!("#/components/schemas/{name}");
        assert!(references.contains(&reference), "{name} is not used");
    }
}

#[test]
fn every_operation_can_be_named_grouped_and_explained() {
    let document = document();
    let tags = document["tags"].as_array().unwrap();
    let tags: BTreeSet<_> = tags
        .iter()
        .map(|tag| tag["name"].as_str().unwrap())
        .collect();
    let (mut ids, mut used) = (BTreeSet::new(), BTreeSet::new());
    for (place, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap_or_default();
        let snake = |c: char| c.is_ascii_lowercase() || c == '_';
        assert!(!id.is_empty() && id.chars().all(snake), "{place}: {id}");
        assert!(ids.insert(id), "{id} names two operations");
        let summary = operation["summary"].as_str().unwrap_or_default();
        assert!(!summary.is_empty(), "{place} has no summary");
        let [tag] = operation["tags"].as_array().unwrap().as_slice() else {
            panic!("{place} has not one tag");
        };
        assert!(tags.contains(tag.as_str().unwrap()), "{place}: {tag}");
        used.insert(tag.as_str().unwrap());
    }
    assert_eq!(used, tags, "a tag is declared and not used");
}

#[test]
fn every_problem_is_described_as_one() {
    let document = document();
    for (place, operation) in operations(&document) {
        let responses = operation["responses"].as_object().unwrap();
        // A WebSocket begins with a switch of protocols.
        let success = responses
            .keys()
            .filter(|status| status.starts_with(['2', '3']) || *status == "101");
        assert!(success.count() > 0, "{place} never succeeds");
        for (status, response) in responses {
            assert!(!response["description"].as_str().unwrap().is_empty());
            if status.starts_with(['4', '5']) {
                let schema = |media_type: &str| &response["content"][media_type]["schema"]["$ref"];
                let problem = schema("application/problem+json") == "#/components/schemas/Problem";
                // Some routes report their result in shapes of their own, also beside a problem:
                // `/ready` its failed checks, a call its result, OAuth callbacks and the reference of the API a page. Agents
                // get the format of their model's API.
                let shape = match place.as_str() {
                    CALL => "ToolCallAnswer",
                    INVOKE => "InvokeResponse",
                    APPROVE => "ApproveResponse",
                    BACKCHANNEL if status != "404" => "BackchannelLogoutError",
                    place if place.contains(" /llm/") => "ModelErrorView",
                    _ => "none",
                };
                let own = match place.as_str() {
                    "get /ready" => status.starts_with('5'),
                    "get /docs"
                    | "get /v1/integrations/callback"
                    | "get /login/dev"
                    | "get /login/oidc"
                    | "get /login/oidc/callback" => response["content"].get("text/html").is_some(),
                    BACKCHANNEL if status == "404" => {
                        response["content"].get("text/html").is_some()
                    }
                    // Git shows a text.
                    place if place.contains("/git/{repo}/") => {
                        response["content"].get("text/plain").is_some()
                    }
                    _ => *schema("application/json") == format!("#/components/schemas/{shape}"),
                };
                assert!(problem || own, "{place} {status}");
            }
        }
        // Logging in needs no token in a header, and may be refused for the one in the body, or in the URL.
        let open = operation["security"] == serde_json::json!([{}])
            && ![LOGIN, SETUP, LOOK].contains(&place.as_str());
        assert_eq!(!open, responses.contains_key("401"), "{place}");
        // Bytes of any media type are welcome where bytes are taken. A call is read whatever it says it
        // is: one that cannot be read is on record too. What a model is sent is judged by the model.
        let content = &operation["requestBody"]["content"];
        let with_json = content.get("application/json").is_some();
        let strict = with_json && place != CALL && !place.contains(" /llm/");
        assert_eq!(strict, responses.contains_key("415"), "{place}");
    }
}

#[test]
fn every_parameter_of_a_path_is_described() {
    let document = document();
    for (place, operation) in operations(&document) {
        let named: BTreeSet<_> = place
            .split('{')
            .skip(1)
            .map(|rest| rest.split('}').next().unwrap())
            .collect();
        let parameters = operation["parameters"].as_array();
        let described: BTreeSet<_> = parameters
            .into_iter()
            .flatten()
            .filter(|parameter| parameter["in"] == "path")
            .inspect(|parameter| assert_eq!(parameter["required"], true, "{place}"))
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        assert_eq!(named, described, "{place}");
    }
}
