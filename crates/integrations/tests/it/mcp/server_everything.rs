//! Against `@modelcontextprotocol/server-everything`, a server that we did not write. The fast subset of
//! `./test` leaves these tests out by the name of this file.

use std::sync::Arc;

use domain::action::Risk;
use integrations::{
    ActionCall, ActionOutput, Failure, FailureKind, OutputPart,
    mcp::{CallScope, Connectors, config::Connector},
};
use serde_json::{Value, json};
use testkit::{clock::FakeClock, standin::everything::Everything};

use crate::mcp::common::{
    Secrets, arguments, call_tool, connector, guard, organization, scope, tool_call,
};

struct Client {
    connectors: Arc<Connectors>,
    connector: Connector,
}

impl Client {
    fn new(server: &Everything) -> Self {
        let guard = guard(&[&server.host()]);
        let clock = Arc::new(FakeClock::new());
        Self {
            connectors: Connectors::new(guard, Arc::<Secrets>::default(), clock),
            connector: connector(1, &server.url()),
        }
    }

    async fn call(
        &self,
        scope: &CallScope,
        action: &str,
        values: Value,
    ) -> Result<ActionOutput, Failure> {
        let call = ActionCall {
            params: arguments(values),
            ..tool_call(action, Risk::Write)
        };
        call_tool(&self.connectors, scope, &self.connector, call).await
    }
}

#[tokio::test]
async fn everything_is_listed_with_whole_definitions() {
    let server = Everything::start().await;
    let client = Client::new(&server);
    let list = client
        .connectors
        .list_tools(&organization(), &client.connector)
        .await
        .unwrap();
    assert!(list.notes.is_empty(), "{:?}", list.notes);
    assert_eq!(list.protocol_version, "2025-11-25");
    let echo = list.by_action("echo").expect("a tool named echo");
    assert_eq!(echo.input_schema["properties"]["message"]["type"], "string");
    let structured = list.by_action("get-structured-content").unwrap();
    assert!(structured.output_schema.is_some());
    assert!(list.tools.len() > 8, "{}", list.tools.len());
}

#[tokio::test]
async fn everything_it_answers_with_is_typed() {
    let server = Everything::start().await;
    let client = Client::new(&server);
    let scope = scope(Some(1));
    let echo = client
        .call(&scope, "echo", json!({"message": "héllo"}))
        .await
        .unwrap();
    assert_eq!(echo.value(), json!("Echo: héllo"));
    let sum = client
        .call(&scope, "get-sum", json!({"a": 2, "b": 40}))
        .await
        .unwrap();
    assert!(sum.value().to_string().contains("42"), "{sum:?}");
    let image = client
        .call(&scope, "get-tiny-image", json!({}))
        .await
        .unwrap();
    let png = image.parts.iter().find_map(|part| match part {
        OutputPart::Image { media_type, bytes } if media_type == "image/png" => Some(bytes),
        _ => None,
    });
    assert!(png.unwrap().starts_with(b"\x89PNG"));
    let weather = client.call(
        &scope,
        "get-structured-content",
        json!({"location": "Chicago"}),
    );
    let weather = weather.await.unwrap();
    assert!(weather.structured.unwrap()["temperature"].is_number());
    let links = client
        .call(&scope, "get-resource-links", json!({"count": 2}))
        .await
        .unwrap();
    let count = links
        .parts
        .iter()
        .filter(|part| matches!(part, OutputPart::ResourceLink { .. }));
    assert_eq!(count.count(), 2);
    let reference = json!({"resourceType": "Text", "resourceId": 1});
    let reference = client
        .call(&scope, "get-resource-reference", reference)
        .await
        .unwrap();
    let embedded = reference
        .parts
        .iter()
        .any(|part| matches!(part, OutputPart::Resource { .. }));
    assert!(embedded, "{reference:?}");
    let wrong = client
        .call(&scope, "get-sum", json!({"a": "two"}))
        .await
        .unwrap_err();
    assert!(
        matches!(wrong.kind, FailureKind::Tool | FailureKind::Invalid),
        "{wrong:?}"
    );
    assert!(wrong.output.is_some());
    assert_eq!(client.connectors.open_connections(), 1);
}
