//! Connectors of a configuration: one list, replaced as a whole.

use domain::limits::CONNECTORS_MAX;
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use super::{CONNECTORS, added, beside, config, put, recorded, tool, tools};
use crate::support::{configuration, id};

testkit::on_both_databases!(
    a_list_is_replaced_and_what_stays_keeps_its_pins,
    an_id_is_one_connector_in_an_organization,
    a_list_has_twenty_at_most,
    only_an_admin_changes_the_connectors_of_a_configuration,
    connectors_end_with_their_configuration,
);

const URL: &str = "https://mcp.example/mcp";

fn path(configuration: &str) -> String {
    format!("/v1/configurations/{configuration}/connectors")
}

fn list(connectors: &[&Value]) -> Value {
    json!({ "connectors": connectors })
}

/// As it is shown: what was left out is said.
fn shown(config: &Value) -> Value {
    let mut shown = config.clone();
    shown["transport"] = json!("remote_http");
    shown["auth"] = json!({"type": "none"});
    shown["trusted"] = json!(false);
    shown
}

async fn a_list_is_replaced_and_what_stays_keeps_its_pins(backend: Backend) {
    let (app, server) = beside(backend).await;
    let admin = app.person(Person::Admin);
    let made = configuration(&app, json!({"name": "web"})).await;
    let path = path(&made);
    let empty = app.member().get(&path).await.expect(200);
    assert_eq!(empty, list(&[]));
    let (one, two) = (config(1, &server.url()), config(2, URL));
    let answer = put(&admin, &path, list(&[&two, &one])).await.expect(200);
    assert_eq!(answer, list(&[&shown(&one), &shown(&two)]));
    assert_eq!(app.member().get(&path).await.expect(200), answer);
    let id = one["id"].as_str().unwrap();
    let listing = tools(&app.member(), id).await;
    let pinned = tool(&listing, "look")["pinnedSha256"].clone();
    let view = app.member().get(&format!("{CONNECTORS}/{id}")).await;
    assert_eq!(view.expect(200)["configurationId"], made);

    server.set(|knobs| knobs.tools[0]["description"] = json!("Something else"));
    let mut renamed = one.clone();
    renamed["name"] = json!("Renamed");
    let answer = put(&admin, &path, list(&[&renamed])).await.expect(200);
    assert_eq!(answer, list(&[&shown(&renamed)]));
    let gone = format!("{CONNECTORS}/{}", two["id"].as_str().unwrap());
    admin.get(&gone).await.expect_problem(404, "NOT_FOUND");
    let listing = tools(&app.member(), id).await;
    let look = tool(&listing, "look");
    assert_eq!(
        (&look["state"], &look["pinnedSha256"]),
        (&json!("changed"), &pinned)
    );
    // The organization's own are another list.
    let page = app.owner().get(CONNECTORS).await.expect(200);
    assert_eq!(page["items"], json!([]));
    assert_eq!(
        recorded(&app, "configuration_connectors").await,
        ["configuration_connectors_replace"; 2]
    );
}

async fn an_id_is_one_connector_in_an_organization(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (first, second) = (
        configuration(&app, json!({"name": "a"})).await,
        configuration(&app, json!({"name": "b"})).await,
    );
    let (shared, of_all, own) = (config(1, URL), config(2, URL), config(3, URL));
    put(&app.owner(), &path(&first), list(&[&shared]))
        .await
        .expect(200);
    added(&app, of_all.clone()).await;
    for taken in [&shared, &of_all] {
        let answer = put(&app.owner(), &path(&second), list(&[&own, taken])).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "connectors[1].id");
        let twice = put(&app.owner(), &path(&second), list(&[&own, &own])).await;
        let problem = twice.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "connectors[1].id");
    }
    let unchanged = app.owner().get(&path(&second)).await.expect(200);
    assert_eq!(unchanged, list(&[]));
    // Another organization's ids are its own business.
    let body = json!({"name": "theirs"});
    let theirs = app.foreigner().post("/v1/configurations", body).await;
    let theirs = path(&id(&theirs.expect(201)));
    put(&app.foreigner(), &theirs, list(&[&shared]))
        .await
        .expect(200);
    let ours = format!("{CONNECTORS}/{}", shared["id"].as_str().unwrap());
    app.foreigner().delete(&ours).await.expect(204);
    app.owner().get(&ours).await.expect(200);
}

async fn a_list_has_twenty_at_most(backend: Backend) {
    let app = TestApp::start(backend).await;
    let path = path(&configuration(&app, json!({"name": "web"})).await);
    let many: Vec<Value> = (0..=CONNECTORS_MAX).map(|n| config(n, URL)).collect();
    let answer = put(&app.owner(), &path, json!({ "connectors": many })).await;
    let problem = answer.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(problem["errors"][0]["field"], "connectors");
    let most = &many[..CONNECTORS_MAX];
    put(&app.owner(), &path, json!({ "connectors": most }))
        .await
        .expect(200);
}

/// Also by the way of the configuration itself: a connector says where a secret goes.
async fn only_an_admin_changes_the_connectors_of_a_configuration(backend: Backend) {
    let app = TestApp::start(backend).await;
    let service = app.with_token(app.service_token(&app.acme));
    let made = configuration(&app, json!({"name": "web"})).await;
    let itself = format!("/v1/configurations/{made}");
    let body = json!({"name": "x", "connectors": [config(1, URL)]});
    let change = json!({"connectors": [config(2, URL)]});
    for client in [app.member(), service] {
        let created = client.post("/v1/configurations", body.clone()).await;
        created.expect_problem(403, "FORBIDDEN");
        let changed = client.patch(&itself, change.clone()).await;
        changed.expect_problem(403, "FORBIDDEN");
        let replaced = put(&client, &path(&made), change.clone()).await;
        replaced.expect_problem(403, "FORBIDDEN");
        client
            .patch(&itself, json!({"name": "y"}))
            .await
            .expect(200);
        let page = client.get("/v1/configurations").await.expect(200);
        assert_eq!(
            page["items"].as_array().unwrap().len(),
            1,
            "nothing was created"
        );
    }
    let admin = app.person(Person::Admin);
    let created = admin.post("/v1/configurations", body).await.expect(201);
    assert_eq!(created["connectors"][0]["name"], "Server 1");
    let changed = admin.patch(&itself, change).await.expect(200);
    assert_eq!(changed["connectors"][0]["name"], "Server 2");
    assert_eq!(app.member().get(&itself).await.expect(200), changed);
    let renamed = admin.patch(&itself, json!({"name": "z"})).await.expect(200);
    assert_eq!(renamed["connectors"], changed["connectors"]);
    let none = json!({"connectors": []});
    let emptied = admin.patch(&itself, none).await.expect(200);
    assert_eq!(emptied["connectors"], json!([]));
}

async fn connectors_end_with_their_configuration(backend: Backend) {
    let app = TestApp::start(backend).await;
    let made = configuration(&app, json!({"name": "web"})).await;
    let connector = config(1, URL);
    put(&app.owner(), &path(&made), list(&[&connector]))
        .await
        .expect(200);
    let itself = format!("/v1/configurations/{made}");
    app.owner().delete(&itself).await.expect(204);
    let path = format!("{CONNECTORS}/{}", id(&connector));
    app.owner()
        .get(&path)
        .await
        .expect_problem(404, "NOT_FOUND");
}
