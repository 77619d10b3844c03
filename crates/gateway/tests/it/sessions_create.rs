//! What a new session starts from: its configuration, its integrations and its environment.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use crate::support::{SESSIONS, UNKNOWN_ID, configuration, create, id, integration, repo};

testkit::on_both_databases!(
    a_folder_has_one_configuration_per_person,
    a_managed_configuration_is_one_per_set_of_repos,
    repos_that_would_share_a_folder_are_refused,
    integrations_that_do_not_work_are_left_out_with_a_warning,
    the_narrowest_variable_wins_and_none_is_shown,
    a_snapshot_comes_from_the_request_or_the_configuration,
);

async fn show(app: &TestApp, session: &Value) -> Value {
    let path = format!("/v1/sessions/{}", id(session));
    app.owner().get(&path).await.expect(200)
}

async fn a_folder_has_one_configuration_per_person(backend: Backend) {
    let app = TestApp::start(backend).await;
    let body = json!({"cliConfiguration": {"localPathHash": "h", "displayName": "shop"}, "sessionType": "cli"});
    let post = |person| app.person(person).post(SESSIONS, body.clone());
    let first = post(Person::Owner).await.expect(201);
    let second = post(Person::Owner).await.expect(201);
    let members = post(Person::Member).await.expect(201);
    assert_eq!(first["isNewConfiguration"], true);
    assert_eq!(second["isNewConfiguration"], false);
    assert_eq!(first["configurationId"], second["configurationId"]);
    assert_ne!(first["configurationId"], members["configurationId"]);
    let path = format!(
        "/v1/configurations/{}",
        first["configurationId"].as_str().unwrap()
    );
    let configuration = app.owner().get(&path).await.expect(200);
    assert_eq!(configuration["name"], "shop");
    assert_eq!(configuration["userId"], "user_acme_owner");
    let service = app.with_token(app.service_token(&app.acme));
    let answer = service.post(SESSIONS, body.clone()).await;
    answer.expect_problem(403, "FORBIDDEN");
}

async fn a_managed_configuration_is_one_per_set_of_repos(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (web, api) = (repo(&app, "acme/web").await, repo(&app, "acme/api").await);
    let managed = |ids: Value| json!({"managedConfiguration": {"repoIds": ids}});
    let both = create(&app, managed(json!([web, api]))).await;
    let swapped = create(&app, managed(json!([api, web]))).await;
    let all = create(&app, json!({"managedConfiguration": {}})).await;
    let twice = create(&app, managed(json!([web, web]))).await;
    let one = create(&app, managed(json!([web]))).await;
    for same in [&swapped, &all] {
        assert_eq!(same["configurationId"], both["configurationId"]);
    }
    assert_eq!(twice["configurationId"], one["configurationId"]);
    assert_ne!(one["configurationId"], both["configurationId"]);
    let path = format!(
        "/v1/configurations/{}",
        one["configurationId"].as_str().unwrap()
    );
    let configuration = app.owner().get(&path).await.expect(200);
    let expected = json!([{"repoId": web, "workspacePath": "."}]);
    assert_eq!(configuration["repos"], expected);
}

async fn repos_that_would_share_a_folder_are_refused(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (ours, fork) = (repo(&app, "acme/web").await, repo(&app, "fork/web").await);
    let managed = json!({"managedConfiguration": {"repoIds": [ours, fork]}});
    let manual = json!({"name": "both", "repoIds": [ours, fork]});
    for (path, body, field) in [
        (SESSIONS, managed, "managedConfiguration.repoIds[1]"),
        ("/v1/configurations", manual, "repoIds[1]"),
    ] {
        let answer = app.owner().post(path, body).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field);
    }
}

async fn integrations_that_do_not_work_are_left_out_with_a_warning(backend: Backend) {
    let app = TestApp::start(backend).await;
    let good = integration(&app, Person::Owner, "t").await;
    let suspended = integration(&app, Person::Owner, "t").await;
    let foreign = integration(&app, Person::Foreigner, "t").await;
    let unknown = UNKNOWN_ID.to_owned();
    let path = format!("/v1/integrations/{suspended}");
    let suspend = app.owner().patch(&path, json!({"status": "suspended"}));
    suspend.await.expect(200);

    let wanted = [&unknown, &good, &good, &suspended, &foreign];
    let created = create(&app, json!({"integrationIds": wanted})).await;
    let warnings = created["integrationWarnings"].as_array().unwrap();
    let warnings: BTreeMap<_, _> = warnings
        .iter()
        .map(|warning| {
            (
                warning["integrationId"].as_str().unwrap(),
                &warning["message"],
            )
        })
        .collect();
    assert_eq!(warnings.len(), 3);
    assert_eq!(warnings[foreign.as_str()], warnings[unknown.as_str()]);
    assert_eq!(
        warnings[suspended.as_str()],
        "the integration is suspended; reconnect it"
    );
    let shown = show(&app, &created).await;
    assert_eq!(shown["integrationIds"], json!([good]));
    assert_eq!(shown["integrationWarnings"], created["integrationWarnings"]);
}

async fn the_narrowest_variable_wins_and_none_is_shown(backend: Backend) {
    let app = TestApp::start(backend).await;
    let unrelated = repo(&app, "unrelated").await;
    let repo = repo(&app, "web").await;
    let configuration = configuration(&app, json!({"name": "web", "repoIds": [repo]})).await;
    let scopes = [
        (
            json!({"kind": "organization"}),
            "ORG",
            vec!["A", "B", "C", "D"],
        ),
        (
            json!({"kind": "repo", "id": repo}),
            "REPO",
            vec!["B", "C", "D"],
        ),
        (
            json!({"kind": "configuration", "id": configuration}),
            "CONF",
            vec!["C", "D"],
        ),
        (
            json!({"kind": "repo", "id": unrelated}),
            "ELSEWHERE",
            vec!["A", "E"],
        ),
    ];
    for (scope, value, keys) in scopes {
        for key in keys {
            let body = json!({"key": key, "value": format!("planted-{value}"), "scope": scope});
            app.owner().post("/v1/secrets", body).await.expect(201);
        }
    }
    let body = json!({
        "configurationId": configuration, "provisioning": "immediate",
        "envVars": {"D": "planted-SESSION"},
    });
    let answer = app.owner().post(SESSIONS, body).await;
    answer.expect(201);
    assert!(!answer.text().contains("planted"));
    let expected = ["A=ORG", "B=REPO", "C=CONF", "D=SESSION"];
    let variables: Vec<_> = app
        .provisioner
        .environment()
        .into_iter()
        .map(|(key, value)| format!("{key}={}", value.trim_start_matches("planted-")))
        .collect();
    assert_eq!(variables, expected);
}

async fn a_snapshot_comes_from_the_request_or_the_configuration(backend: Backend) {
    let app = TestApp::start(backend).await;
    let configuration = configuration(&app, json!({"name": "web", "snapshotId": "snap-1"})).await;
    let table = [
        (json!({"configurationId": configuration}), json!("snap-1")),
        (
            json!({"configurationId": configuration, "snapshotId": "snap-2"}),
            json!("snap-2"),
        ),
        (json!({"snapshotId": "snap-3"}), json!("snap-3")),
        (json!({}), Value::Null),
    ];
    for (body, snapshot) in table {
        let created = create(&app, body).await;
        assert_eq!(created["hasSnapshot"], snapshot.is_string());
        assert_eq!(show(&app, &created).await["snapshotId"], snapshot);
    }
}
