//! Who may steer a session, and change its environment: not every member who may watch it.

use axum::http::Method;
use domain::secret::SecretScope;
use hub::Hub;
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
    standin::agent::Agent,
};

use crate::support::{SESSIONS, configuration, create, id, repo};

testkit::on_both_databases!(
    who_may_watch_gives_no_values_and_no_secrets,
    only_who_may_steer_or_an_admin_ends_or_names_a_session,
    a_session_without_a_living_creator_is_steered_by_its_automations_owner_and_admins,
    names_that_change_how_programs_start_are_for_admins,
    names_that_the_gateway_sets_are_refused_for_every_role,
);

/// With live sessions of a scripted agent.
async fn started(backend: Backend) -> (TestApp, Agent) {
    let mut app = TestApp::start(backend).await;
    let agent = Agent::start().await;
    app.live_in(Hub::with_runtimes(app.app.clone(), agent.runtimes()));
    (app, agent)
}

/// Whether the caller may steer it, which a heartbeat needs.
async fn steers(client: &Client, session: &str) -> bool {
    let path = format!("/proliferate/{session}/heartbeat");
    let answer = client.call(Method::POST, &path).await;
    if answer.status == 204 {
        true
    } else {
        answer.expect_problem(403, "FORBIDDEN");
        false
    }
}

fn of_session(session: &str) -> Value {
    json!({"kind": "session", "id": session})
}

async fn who_may_watch_gives_no_values_and_no_secrets(backend: Backend) {
    let (app, _agent) = started(backend).await;
    let session = id(&create(&app, json!({})).await);
    let (member, owner) = (app.member(), app.owner());
    let env = format!("/v1/sessions/{session}/env");
    let values = json!({"envVars": {"A": "x"}, "secrets": [{"key": "B", "value": "y"}]});
    member
        .post(&env, values.clone())
        .await
        .expect_problem(403, "FORBIDDEN");
    let secret = json!({"key": "C", "value": "z", "scope": of_session(&session)});
    let made = member.post("/v1/secrets", secret.clone()).await;
    made.expect_problem(403, "FORBIDDEN");
    let import = json!({"text": "D=w", "scope": of_session(&session)});
    let imported = member.post("/v1/secrets/import", import).await;
    imported.expect_problem(403, "FORBIDDEN");
    // Nothing of it is kept.
    let check = json!({"keys": ["A", "B", "C", "D"], "scope": of_session(&session)});
    let check = member.post("/v1/secrets/check", check).await.expect(200);
    assert!(!check.to_string().contains("true"), "{check}");

    let kept = id(&owner.post("/v1/secrets", secret).await.expect(201));
    let path = format!("/v1/secrets/{kept}");
    let changed = member.patch(&path, json!({"value": "of another"})).await;
    changed.expect_problem(403, "FORBIDDEN");
    member.delete(&path).await.expect_problem(403, "FORBIDDEN");
    owner
        .patch(&path, json!({"value": "of its own"}))
        .await
        .expect(200);
    owner.delete(&path).await.expect(204);
    // The right to steer is not stopped by that: there is no sandbox to take the values.
    assert_ne!(owner.post(&env, values).await.status, 403);

    // Their own is theirs.
    let own = id(&member.post(SESSIONS, json!({})).await.expect(201));
    let secret = json!({"key": "C", "value": "z", "scope": of_session(&own)});
    member.post("/v1/secrets", secret).await.expect(201);
}

async fn only_who_may_steer_or_an_admin_ends_or_names_a_session(backend: Backend) {
    let (app, _agent) = started(backend).await;
    let session = id(&create(&app, json!({})).await);
    let path = format!("/v1/sessions/{session}");
    let named = app
        .member()
        .patch(&path, json!({"title": "mine now"}))
        .await;
    named.expect_problem(403, "FORBIDDEN");
    app.member()
        .delete(&path)
        .await
        .expect_problem(403, "FORBIDDEN");
    let admin = app.person(Person::Admin);
    admin
        .patch(&path, json!({"title": "checked"}))
        .await
        .expect(200);
    assert!(!steers(&admin, &session).await, "its creator is there");
    admin.delete(&path).await.expect(200);
}

async fn a_session_without_a_living_creator_is_steered_by_its_automations_owner_and_admins(
    backend: Backend,
) {
    let (app, _agent) = started(backend).await;
    let service = app.with_token(app.service_token(&app.acme));
    let (member, admin) = (app.member(), app.person(Person::Admin));
    let of_service = id(&service.post(SESSIONS, json!({})).await.expect(201));
    assert!(!steers(&member, &of_service).await);
    assert!(steers(&admin, &of_service).await);
    assert!(steers(&service, &of_service).await);

    for (owner, is_theirs) in [(&member, true), (&admin, false)] {
        let body = json!({"name": "a", "agentInstructions": "x"});
        let automation = id(&owner.post("/v1/automations", body).await.expect(201));
        let runs = format!("/v1/automations/{automation}/runs");
        let run = service.call(Method::POST, &runs).await.expect(201);
        let session = run["sessionId"].as_str().unwrap();
        assert_eq!(steers(&member, session).await, is_theirs);
        assert!(steers(&admin, session).await);
    }

    let of_member = id(&member.post(SESSIONS, json!({})).await.expect(201));
    assert!(!steers(&admin, &of_member).await);
    let mut tx = app.database.db.write().await.unwrap();
    let removed = Person::Member.user_id();
    store::member_delete(&mut tx, &app.acme, &removed)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert!(steers(&admin, &of_member).await);
    assert!(steers(&app.owner(), &of_member).await);
}

#[track_caller]
fn names(answer: &TestResponse, field: &str, name: &str) {
    let problem = answer.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    assert!(
        problem["detail"].as_str().unwrap().contains(name),
        "{problem}"
    );
}

async fn names_that_change_how_programs_start_are_for_admins(backend: Backend) {
    let (app, _agent) = started(backend).await;
    let (member, admin) = (app.member(), app.person(Person::Admin));
    let service = app.with_token(app.service_token(&app.acme));
    let body = json!({"envVars": {"BASH_ENV": "/tmp/x"}});
    for client in [&member, &service] {
        let made = client.post(SESSIONS, body.clone()).await;
        names(&made, "envVars.BASH_ENV", "BASH_ENV");
    }
    admin.post(SESSIONS, body).await.expect(201);
    // The author git commits as, and its credential, are not affected.
    let body = json!({"envVars": {"GIT_TOKEN": "t", "GIT_AUTHOR_NAME": "Ada", "NODE_ENV": "test"}});
    let session = id(&member.post(SESSIONS, body).await.expect(201));

    let env = format!("/v1/sessions/{session}/env");
    let given = json!({"envVars": {"LD_PRELOAD": "/tmp/x.so"}});
    names(
        &member.post(&env, given).await,
        "envVars.LD_PRELOAD",
        "LD_PRELOAD",
    );
    let given = json!({"secrets": [{"key": "GIT_SSH_COMMAND", "value": "x"}]});
    names(
        &member.post(&env, given).await,
        "secrets[0].key",
        "GIT_SSH_COMMAND",
    );

    let repo = repo(&app, "web").await;
    let scopes = [
        json!({"kind": "repo", "id": repo}),
        json!({"kind": "configuration", "id": configuration(&app, json!({"name": "web"})).await}),
        of_session(&session),
    ];
    for scope in scopes {
        let secret = json!({"key": "NODE_OPTIONS", "value": "--require /tmp/x.js", "scope": scope});
        let made = member.post("/v1/secrets", secret.clone()).await;
        names(&made, "key", "NODE_OPTIONS");
        let text = "A=1\nPYTHONSTARTUP=/tmp/x.py";
        let import = json!({"text": text, "scope": scope});
        let imported = member.post("/v1/secrets/import", import).await;
        names(&imported, "text", "PYTHONSTARTUP");
        if scope["kind"] == "session" {
            continue;
        }
        let kept = id(&admin.post("/v1/secrets", secret).await.expect(201));
        let path = format!("/v1/secrets/{kept}");
        let changed = member
            .patch(&path, json!({"value": "--require /tmp/y.js"}))
            .await;
        names(&changed, "key", "NODE_OPTIONS");
        names(&member.delete(&path).await, "key", "NODE_OPTIONS");
        admin
            .patch(&path, json!({"value": "--inspect"}))
            .await
            .expect(200);
    }

    let file = |key: &str| json!([{"workspacePath": ".", "path": ".env", "keys": [{"key": key, "required": false}]}]);
    let field = "envFiles[0].keys[0].key";
    let body = json!({"name": "api", "envFiles": file("RUBYOPT")});
    let made = member.post("/v1/configurations", body.clone()).await;
    names(&made, field, "RUBYOPT");
    let path = format!(
        "/v1/configurations/{}",
        id(&admin.post("/v1/configurations", body).await.expect(201))
    );
    // What an admin put there stays when others change the rest.
    member
        .patch(&path, json!({"name": "api 2"}))
        .await
        .expect(200);
    let changed = member
        .patch(&path, json!({"envFiles": file("PERL5OPT")}))
        .await;
    names(&changed, field, "PERL5OPT");
}

/// Names that the gateway sets for the agent, or that lead the agent elsewhere: no role may give one.
async fn names_that_the_gateway_sets_are_refused_for_every_role(backend: Backend) {
    let (app, _agent) = started(backend).await;
    let admin = app.person(Person::Admin);
    let session = id(&admin.post(SESSIONS, json!({})).await.expect(201));
    let env = format!("/v1/sessions/{session}/env");
    let repo = repo(&app, "web").await;
    let configuration = configuration(&app, json!({"name": "web"})).await;
    let scopes = [
        json!({"kind": "organization"}),
        json!({"kind": "repo", "id": repo}),
        json!({"kind": "configuration", "id": configuration}),
        of_session(&session),
    ];
    let reserved = [
        "HOME",
        "WORKSPACE_DIR",
        "OPENCODE_CONFIG_DIR",
        "opencode_permission",
        "npm_config_script_shell",
        "BUN_OPTIONS",
    ];
    for name in reserved {
        let made = admin.post(SESSIONS, json!({"envVars": {name: "x"}})).await;
        names(&made, "envVars", name);
        let given = admin.post(&env, json!({"envVars": {name: "x"}})).await;
        names(&given, &format!("envVars.{name}"), name);
        let given = json!({"secrets": [{"key": name, "value": "x"}]});
        names(&admin.post(&env, given).await, "secrets[0].key", name);
        for scope in &scopes {
            let secret = json!({"key": name, "value": "x", "scope": scope});
            names(&admin.post("/v1/secrets", secret).await, "key", name);
            let import = json!({"text": format!("A=1\n{name}=x"), "scope": scope});
            let imported = admin.post("/v1/secrets/import", import).await;
            names(&imported, "text", name);
        }
    }

    // What a program left in its sandbox is not kept for the next one.
    let mut conn = app.database.db.read().await.unwrap();
    let record = store::session_fetch(&mut conn, &app.acme, session.parse().unwrap());
    let record = record.await.unwrap().unwrap();
    drop(conn);
    let values = reserved.map(|name| (name.to_owned(), "x".into()));
    let left_out = ::app::sessions::keep_environment(&app.app, &record, values.into()).await;
    let mut all = reserved.map(str::to_owned);
    all.sort();
    assert_eq!(left_out.unwrap(), all);

    // One that was stored before its name was reserved gets no other value, and can be deleted.
    let scope = SecretScope::Organization;
    let stored = app.fixture.secret(&app.acme, scope, "HOME");
    let mut tx = app.database.db.write().await.unwrap();
    store::secret_insert(&mut tx, &stored).await.unwrap();
    tx.commit().await.unwrap();
    let path = format!("/v1/secrets/{}", stored.secret.id);
    names(
        &admin.patch(&path, json!({"value": "y"})).await,
        "key",
        "HOME",
    );
    admin.delete(&path).await.expect(204);
}
