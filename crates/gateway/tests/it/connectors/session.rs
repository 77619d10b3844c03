//! What a session gets: the connectors that are its own to use, and their tools as they are judged.

use app::connectors::{
    DefinitionStatus, FailureKind, SessionConnector, fetch_for_session, list_for_session,
    offer_tools,
};
use domain::{
    action::{Risk, RiskSource},
    id::{ConnectorId, SessionId},
};
use serde_json::json;
use testkit::{
    app::TestApp,
    database::Backend,
    standin::mcp::{McpFault as Fault, McpServer},
};

use super::{CONNECTORS, added, beside, config, put};
use crate::support::{UNKNOWN_ID, configuration, id};

testkit::on_both_databases!(
    a_session_has_its_organizations_and_its_configurations_connectors,
    an_offer_pins_what_it_judges,
    a_broken_server_says_why_and_pins_nothing,
    a_connector_removed_while_it_is_asked_is_no_error,
);

const URL: &str = "https://mcp.example/mcp";

/// A session of acme's, of this configuration if there is one.
async fn session(app: &TestApp, configuration: Option<&str>) -> SessionId {
    let mut session = app.fixture.session(&app.acme);
    session.configuration_id = configuration.map(|id| id.parse().unwrap());
    app.insert_session(&session).await;
    session.id
}

async fn names(app: &TestApp, session_id: SessionId) -> Vec<String> {
    let found = list_for_session(&app.app, &app.acme, session_id)
        .await
        .unwrap();
    found.into_iter().map(|it| it.connector.name).collect()
}

async fn only_one(app: &TestApp) -> SessionConnector {
    let session_id = session(app, None).await;
    let mut found = list_for_session(&app.app, &app.acme, session_id)
        .await
        .unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

async fn a_session_has_its_organizations_and_its_configurations_connectors(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (web, api) = (
        configuration(&app, json!({"name": "web"})).await,
        configuration(&app, json!({"name": "api"})).await,
    );
    for (configuration, numbers) in [(&web, [3, 1]), (&api, [4, 5])] {
        let connectors = numbers.map(|number| config(number, URL));
        let path = format!("/v1/configurations/{configuration}/connectors");
        let list = json!({ "connectors": connectors });
        put(&app.owner(), &path, list).await.expect(200);
    }
    added(&app, config(2, URL)).await;
    let mut off = config(6, URL);
    off["enabled"] = json!(false);
    added(&app, off).await;
    app.foreigner()
        .post(CONNECTORS, config(7, URL))
        .await
        .expect(201);
    let (plain, of_web) = (session(&app, None).await, session(&app, Some(&web)).await);
    assert_eq!(names(&app, plain).await, ["Server 2"]);
    assert_eq!(
        names(&app, of_web).await,
        ["Server 2", "Server 1", "Server 3"]
    );
    assert!(names(&app, UNKNOWN_ID.parse().unwrap()).await.is_empty());
    let theirs = list_for_session(&app.app, &app.other, plain).await.unwrap();
    assert!(theirs.is_empty());
    for number in 1..=7 {
        let id: ConnectorId = id(&config(number, URL)).parse().unwrap();
        let found = fetch_for_session(&app.app, &app.acme, of_web, id)
            .await
            .unwrap();
        assert_eq!(found.is_some(), number <= 3, "{number}");
    }
}

async fn an_offer_pins_what_it_judges(backend: Backend) {
    let (app, server) = beside(backend).await;
    added(
        &app,
        json!({"name": "A", "url": server.url(), "trusted": true}),
    )
    .await;
    let first = only_one(&app).await;
    assert!(first.pins.is_empty());
    let offered = offer_tools(&app.app, &app.acme, &first)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(offered.tools().count(), 3);
    let look = offered.find("look").unwrap();
    assert_eq!(
        (look.risk, look.source, look.definition),
        (Risk::Read, RiskSource::ReadOnlyHint, DefinitionStatus::Same)
    );
    assert_eq!(look.pinned, Some(look.tool.digest.as_str()));
    assert!(offered.find("nothing").is_none());
    assert!(
        offered
            .guide()
            .contains("## look\n\n> The tool look\n\nRisk: read")
    );

    // From now on nothing is written: the pins come with the connector.
    let second = only_one(&app).await;
    assert_eq!(second.pins.len(), 3);
    let events = super::recorded(&app, "connector/").await;
    offer_tools(&app.app, &app.acme, &second)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(super::recorded(&app, "connector/").await, events);
    server.set(|knobs| knobs.tools[0]["description"] = json!("Something else"));
    app.app.connectors().forget(&app.acme, second.connector.id);
    let offered = offer_tools(&app.app, &app.acme, &second)
        .await
        .unwrap()
        .unwrap();
    let look = offered.find("look").unwrap();
    assert_eq!(
        (look.risk, look.definition),
        (Risk::Write, DefinitionStatus::Changed)
    );
    assert_ne!(look.pinned, Some(look.tool.digest.as_str()));
    assert!(offered.guide().contains("Risk: write"));
    // A caller that read the connector before the pins were stored gets the same.
    let offered = offer_tools(&app.app, &app.acme, &first)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        offered.find("look").unwrap().definition,
        DefinitionStatus::Changed
    );
}

async fn a_broken_server_says_why_and_pins_nothing(backend: Backend) {
    let (app, server) = beside(backend).await;
    added(&app, json!({"name": "A", "url": server.url()})).await;
    server.fail("*", Fault::Status(401), 99);
    let in_use = only_one(&app).await;
    let failure = offer_tools(&app.app, &app.acme, &in_use)
        .await
        .unwrap()
        .unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unauthorized);
    assert!(only_one(&app).await.pins.is_empty());
}

async fn a_connector_removed_while_it_is_asked_is_no_error(backend: Backend) {
    let server = McpServer::start().await;
    let app = TestApp::builder(backend)
        .reach(&server.host())
        .start()
        .await;
    let made = added(&app, json!({"name": "A", "url": server.url()})).await;
    let in_use = only_one(&app).await;
    let path = format!("{CONNECTORS}/{}", id(&made));
    app.owner().delete(&path).await.expect(204);
    let offered = offer_tools(&app.app, &app.acme, &in_use)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        offered.find("look").unwrap().definition,
        DefinitionStatus::New
    );
}
