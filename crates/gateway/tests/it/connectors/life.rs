//! Adding, changing and removing.

use std::time::Duration;

use domain::limits::CONNECTORS_MAX;
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use super::{CONNECTORS, added, beside, recorded, tools};
use crate::support::{UNKNOWN_ID, configuration, id, ids};

testkit::on_both_databases!(
    a_connector_is_added_changed_and_removed,
    adding_one_again_adds_no_second,
    the_twenty_first_is_refused_however_many_come_at_once,
    a_private_address_is_refused_wherever_one_can_be_written,
    a_connector_that_is_changed_is_asked_anew,
    presets_are_there_to_begin_with,
);

async fn a_connector_is_added_changed_and_removed(backend: Backend) {
    let app = TestApp::start(backend).await;
    let admin = app.person(Person::Admin);
    let body = json!({
        "name": "Docs", "url": "https://mcp.example/mcp",
        "auth": {"type": "custom_header", "secretKey": "DOCS_TOKEN", "headerName": "X-Api-Key"},
        "riskPolicy": {"defaultRisk": "write", "overrides": {"search": "read"}},
    });
    let made = admin.post(CONNECTORS, body.clone()).await.expect(201);
    for (member, value) in body.as_object().unwrap() {
        assert_eq!(made[member], *value, "{member}");
    }
    assert_eq!(made["integration"], format!("connector:{}", id(&made)));
    assert_eq!(
        (&made["enabled"], &made["trusted"], &made["configurationId"]),
        (&json!(true), &json!(false), &Value::Null)
    );
    assert_eq!(made["createdBy"], Person::Admin.user_id().as_str());
    assert_eq!(made["createdAt"], "2026-01-01T00:00:00Z");
    let path = format!("{CONNECTORS}/{}", id(&made));
    assert_eq!(app.member().get(&path).await.expect(200), made);

    app.clock.advance(Duration::from_secs(1));
    let change = json!({"trusted": true, "auth": {"type": "none"}, "riskPolicy": {}});
    let changed = admin.patch(&path, change).await.expect(200);
    let mut expected = made.clone();
    expected["trusted"] = json!(true);
    expected["auth"] = json!({"type": "none"});
    expected["riskPolicy"] = json!({});
    expected["updatedAt"] = json!("2026-01-01T00:00:01Z");
    assert_eq!(changed, expected);
    assert_eq!(app.member().get(&path).await.expect(200), expected);
    let newer = added(&app, json!({"name": "B", "url": "https://b.example/"})).await;
    let page = app.member().get(CONNECTORS).await.expect(200);
    assert_eq!(ids(&page), [id(&newer), id(&made)]);
    assert_eq!(page["items"][1], expected);
    let first = app.member().get("/v1/connectors?limit=1").await.expect(200);
    let cursor = first["nextCursor"].as_str().unwrap();
    let rest = format!("{CONNECTORS}?cursor={cursor}");
    let rest = app.member().get(&rest).await.expect(200);
    assert_eq!(ids(&rest), [id(&made)]);
    let foreign = app.foreigner().get(CONNECTORS).await.expect(200);
    assert_eq!(foreign["items"], json!([]));

    admin.delete(&path).await.expect(204);
    admin.get(&path).await.expect_problem(404, "NOT_FOUND");
    admin.delete(&path).await.expect_problem(404, "NOT_FOUND");
    let noun = format!("connector/{}", id(&made));
    assert_eq!(
        recorded(&app, &noun).await,
        [
            "connector_create",
            "connector_update",
            "connector_delete",
            "connector_delete deny"
        ]
    );
}

async fn adding_one_again_adds_no_second(backend: Backend) {
    let app = TestApp::start(backend).await;
    let body = json!({"id": UNKNOWN_ID, "name": "Docs", "url": "https://mcp.example/mcp"});
    let made = added(&app, body.clone()).await;
    assert_eq!(id(&made), UNKNOWN_ID);
    let again = app.owner().post(CONNECTORS, body.clone()).await;
    assert_eq!(again.expect(200), made);
    let configuration = configuration(&app, json!({"name": "web"})).await;
    for (member, value) in [
        ("name", json!("Other")),
        ("trusted", json!(true)),
        ("configurationId", json!(configuration)),
    ] {
        let mut other = body.clone();
        other[member] = value;
        let refused = app.owner().post(CONNECTORS, other).await;
        refused.expect_problem(409, "CONFLICT");
    }
    // An id of another organization is like any unused one.
    app.foreigner().post(CONNECTORS, body).await.expect(201);
    let page = app.owner().get(CONNECTORS).await.expect(200);
    assert_eq!(page["items"], json!([made]));
}

async fn the_twenty_first_is_refused_however_many_come_at_once(backend: Backend) {
    let app = TestApp::start(backend).await;
    let configuration = configuration(&app, json!({"name": "web"})).await;
    for scope in [Value::Null, json!(configuration)] {
        let adding = (0..CONNECTORS_MAX + 5).map(|number| {
            let name = format!("Server {number}");
            let mut body = json!({"name": name, "url": "https://mcp.example/"});
            body["configurationId"] = scope.clone();
            let owner = app.owner();
            tokio::spawn(async move { owner.post(CONNECTORS, body).await })
        });
        let adding: Vec<_> = adding.collect();
        let mut refused = 0;
        for one in adding {
            let answer = one.await.unwrap();
            if answer.status != 201 {
                let problem = answer.expect_problem(409, "LIMIT_REACHED");
                let detail = problem["detail"].as_str().unwrap();
                assert!(detail.ends_with("has at most 20 connectors"), "{detail}");
                refused += 1;
            }
        }
        assert_eq!(refused, 5);
    }
    let page = app.owner().get("/v1/connectors?limit=100").await;
    assert_eq!(ids(&page.expect(200)).len(), CONNECTORS_MAX);
    let path = format!("/v1/configurations/{configuration}/connectors");
    let list = app.owner().get(&path).await.expect(200);
    assert_eq!(list["connectors"].as_array().unwrap().len(), CONNECTORS_MAX);
}

/// Case 40.
async fn a_private_address_is_refused_wherever_one_can_be_written(backend: Backend) {
    let app = TestApp::start(backend).await;
    let made = added(&app, json!({"name": "A", "url": "https://mcp.example/"})).await;
    let (path, configuration) = (
        format!("{CONNECTORS}/{}", id(&made)),
        configuration(&app, json!({"name": "web"})).await,
    );
    let list = format!("/v1/configurations/{configuration}/connectors");
    for url in [
        "http://mcp.example/",
        "https://127.0.0.1/",
        "https://169.254.169.254/latest",
        "https://2852039166/",
        "https://[::ffff:169.254.169.254]/",
        "https://[64:ff9b::a9fe:a9fe]/",
        "https://localhost./",
        "file:///etc/passwd",
    ] {
        let owner = app.owner();
        let config = json!({"id": UNKNOWN_ID, "name": "B", "url": url, "enabled": true});
        let trial = json!({ "connector": config });
        let new = json!({"name": "B", "url": url});
        let all = json!({ "connectors": [config] });
        let answers = [
            ("url", owner.post(CONNECTORS, new).await),
            ("url", owner.patch(&path, json!({ "url": url })).await),
            (
                "connector.url",
                owner.post("/v1/connectors/validate", trial.clone()).await,
            ),
            (
                "connector.url",
                owner.post(&format!("{list}/validate"), trial).await,
            ),
            ("connectors[0].url", super::put(&owner, &list, all).await),
        ];
        for (field, answer) in answers {
            let problem = answer.expect_problem(400, "INVALID_REQUEST");
            assert_eq!(problem["errors"][0]["field"], field, "{url}");
        }
    }
    assert_eq!(app.owner().get(&path).await.expect(200), made);
}

async fn a_connector_that_is_changed_is_asked_anew(backend: Backend) {
    let (app, server) = beside(backend).await;
    let made = added(&app, json!({"name": "A", "url": server.url()})).await;
    let path = format!("{CONNECTORS}/{}", id(&made));
    for _ in 0..3 {
        assert_eq!(tools(&app.member(), &id(&made)).await["ok"], true);
    }
    assert_eq!(server.count("tools/list"), 1);
    let change = json!({"name": "B"});
    app.owner().patch(&path, change).await.expect(200);
    tools(&app.member(), &id(&made)).await;
    assert_eq!(server.count("tools/list"), 2);
    let off = json!({"enabled": false});
    app.owner().patch(&path, off).await.expect(200);
    let listing = tools(&app.member(), &id(&made)).await;
    assert_eq!(listing["error"], "the connector is switched off");
    assert_eq!(server.count("tools/list"), 2);
}

async fn presets_are_there_to_begin_with(backend: Backend) {
    let app = TestApp::start(backend).await;
    let list = app.member().get("/v1/connectors/presets").await.expect(200);
    let presets = list["presets"].as_array().unwrap();
    let names: Vec<_> = presets.iter().map(|preset| &preset["preset"]).collect();
    assert_eq!(names, ["context7", "posthog", "playwright", "custom"]);
    assert_eq!(presets[0]["auth"]["headerName"], "X-Api-Key");
    for preset in presets {
        let url = preset["url"].as_str().unwrap_or("https://mcp.example/mcp");
        let body = json!({"name": preset["name"], "url": url, "auth": preset["auth"]});
        added(&app, body).await;
    }
}
