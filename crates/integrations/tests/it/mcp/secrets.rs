//! The secret goes to its server in every request, and nowhere else.

use domain::action::Risk;
use integrations::{ActionOutput, Failure, mcp::config::Auth};
use testkit::{
    log::Log,
    standin::mcp::{McpFault as Fault, Speaks},
};

use crate::mcp::common::{World, organization, scope, tool_call};

const SECRET: &str = "sk-live-0123456789abcdef";

async fn world(auth: Auth) -> World {
    let mut world = World::new().await;
    world.secrets.put("org-1", "TOKEN", SECRET);
    world.connector.auth = auth;
    world
}

fn bearer() -> Auth {
    Auth::Bearer {
        secret_key: "TOKEN".into(),
    }
}

#[tokio::test]
async fn every_request_carries_the_secret_in_the_header_that_was_named() {
    let custom = Auth::CustomHeader {
        header_name: "X-Api-Key".into(),
        secret_key: "TOKEN".into(),
    };
    for (auth, name, value) in [
        (bearer(), "authorization", format!("Bearer {SECRET}")),
        (custom, "x-api-key", SECRET.to_owned()),
    ] {
        let world = world(auth).await;
        world.call("send", Risk::Write).await.unwrap();
        while world.server.sessions() > 1 {
            tokio::task::yield_now().await;
        }
        let requests = world.server.requests();
        assert!(
            requests
                .iter()
                .any(|request| request.http_method == "DELETE")
        );
        for request in requests {
            assert_eq!(request.headers[name], value, "{}", request.method);
        }
    }
}

/// Case 43: a request holds the connector's own credential and what the protocol needs. There is no way for
/// a caller's token to get into one: the list of headers is closed.
#[tokio::test]
async fn case_43_a_request_has_no_header_but_those_of_the_protocol() {
    const KNOWN: [&str; 11] = [
        "accept",
        "authorization",
        "content-length",
        "content-type",
        "host",
        "last-event-id",
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "mcp-session-id",
        "user-agent",
    ];
    for speaks in [Speaks::Sessions, Speaks::Stateless] {
        let world = world(bearer()).await;
        world.server.set(|knobs| knobs.speaks = speaks);
        world.call("send", Risk::Write).await.unwrap();
        for request in world.server.requests() {
            for name in request.headers.keys() {
                assert!(KNOWN.contains(&name.as_str()), "{name}");
            }
        }
    }
}

#[tokio::test]
async fn another_secret_is_another_connection() {
    let world = world(bearer()).await;
    world.call("send", Risk::Write).await.unwrap();
    world.secrets.put("org-1", "TOKEN", "sk-live-another");
    world.call("send", Risk::Write).await.unwrap();
    let requests = world.server.requests();
    let last = requests
        .iter()
        .rfind(|request| request.method == "tools/call")
        .unwrap();
    assert_eq!(last.headers["authorization"], "Bearer sk-live-another");
}

/// The same connector under the id of another organization is another one: other secrets, other lists.
#[tokio::test]
async fn another_organization_gets_neither_the_list_nor_the_secret() {
    let world = world(bearer()).await;
    world.list().await.unwrap();
    let other = "org-2".parse().unwrap();
    let failure = world
        .connectors
        .list_tools(&other, &world.connector)
        .await
        .unwrap_err();
    assert_eq!(
        failure.message(),
        "there is no secret `TOKEN`; add it to the organization's secrets"
    );
}

/// Case 46: a server that echoes what it was sent, in results, errors and definitions.
#[tokio::test]
async fn case_46_an_echoed_secret_does_not_come_back() {
    let world = world(bearer()).await;
    world.server.set(|knobs| {
        knobs.echoes_headers = true;
        knobs.tools[0]["description"] = format!("for {SECRET}").into();
    });
    let list = world.list().await.unwrap();
    assert_eq!(list.tools[0].description.as_deref(), Some("for [redacted]"));
    assert_clean(&format!("{list:?}"));
    let content: ActionOutput = world.call("send", Risk::Write).await.unwrap();
    assert!(format!("{content:?}").contains("[redacted]"));
    assert_clean(&format!("{content:?} {}", content.value()));
    let fault = Fault::Error(-32000, format!("bad token Bearer {SECRET}"));
    world.server.fail("tools/call", fault, 1);
    let failure: Failure = world.call("send", Risk::Write).await.unwrap_err();
    assert_clean(&format!("{failure} {failure:?}"));
}

/// At the finest level, through success and every kind of failure.
#[tokio::test]
async fn case_46_no_log_line_and_no_debug_text_holds_a_secret() {
    let (log, _listening) = Log::listen();
    for speaks in [Speaks::Sessions, Speaks::Stateless] {
        let world = world(bearer()).await;
        world.server.set(|knobs| knobs.speaks = speaks);
        world.call("send", Risk::Write).await.unwrap();
        for fault in [
            Fault::Status(401),
            Fault::Status(500),
            Fault::CutBefore,
            Fault::CutWithin,
            Fault::SessionGone,
            Fault::Body("{".into()),
            Fault::Redirect("https://example.com/".into()),
        ] {
            world.server.fail("tools/call", fault, 1);
            let outcome = world
                .call_as(&scope(Some(1)), tool_call("send", Risk::Write))
                .await;
            assert_clean(&format!("{outcome:?}"));
        }
        world.server.fail("*", Fault::Status(403), usize::MAX);
        let tried = world
            .connectors
            .validate(&organization(), &world.connector)
            .await;
        assert_clean(&format!(
            "{tried:?} {:?} {:?}",
            world.connectors, world.connector
        ));
    }
    let written = log.text();
    assert!(written.contains("rmcp"), "the library's log is part of it");
    assert_clean(&written);
    // Who has the id of a session can speak in it: no warning holds one.
    let serious = |line: &&str| line.contains(" WARN ") || line.contains(" ERROR ");
    let told = (written.lines().filter(serious)).find(|line| line.contains("session-"));
    assert_eq!(told, None);
}

fn assert_clean(text: &str) {
    if let Some(at) = text.find(SECRET) {
        let from = at.saturating_sub(200);
        panic!("a secret after {:?}", text.get(from..at));
    }
}
