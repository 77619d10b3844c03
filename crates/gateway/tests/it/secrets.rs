//! Secrets: they go in, are replaced and deleted, and never come out.

use std::{sync::Mutex, time::Duration};

use axum::http::Method;
use domain::{
    limits::{SECRETS_PER_ORGANIZATION_MAX, SESSION_ENV_VARS_MAX},
    secret::SecretScope,
};
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp, TestResponse},
    database::Backend,
};

use crate::support::{SESSIONS, configuration, create, id, integration, repo};

testkit::on_both_databases!(
    no_route_ever_answers_with_a_secret,
    a_secret_is_replaced_and_deleted,
    a_key_is_set_once_per_scope,
    a_dotenv_text_is_imported_all_or_nothing,
    only_admins_set_what_reaches_every_session,
    an_organization_has_so_many_secrets_and_no_more,
);

const SECRETS: &str = "/v1/secrets";

/// The environment a new session of this request gets.
async fn environment(app: &TestApp, mut body: Value) -> Vec<String> {
    body["provisioning"] = json!("immediate");
    create(app, body).await;
    let variables = app.provisioner.environment().into_iter();
    variables
        .map(|(key, value)| format!("{key}={value}"))
        .collect()
}

async fn no_route_ever_answers_with_a_secret(backend: Backend) {
    let app = TestApp::start(backend).await;
    let planted = |what: &str| format!("planted-{what}-5ecre7");
    let answers: Mutex<Vec<(String, TestResponse)>> = Mutex::default();
    let call = async |method: Method, path: &str, body: Value| {
        let call = app.owner().call(method.clone(), path);
        let answer = match body {
            Value::Null => call.await,
            body => call.json(&body).header("idempotency-key", "k").await,
        };
        answers
            .lock()
            .unwrap()
            .push((format!("{method} {path}"), answer.clone()));
        answer
    };
    let secret = json!({"key": "A", "value": planted("created"), "description": "d"});
    let secret = id(&call(Method::POST, SECRETS, secret).await.expect(201));
    let secret = format!("{SECRETS}/{secret}");
    let text = format!("B={}\nC={}\n", planted("imported"), planted("quoted"));
    let import = json!({"text": text, "onExisting": "update"});
    call(Method::POST, "/v1/secrets/import", import.clone())
        .await
        .expect(200);
    call(Method::POST, "/v1/secrets/import", import)
        .await
        .expect(200);
    call(
        Method::POST,
        "/v1/secrets/check",
        json!({"keys": ["A", "Z"]}),
    )
    .await
    .expect(200);
    call(Method::PATCH, &secret, json!({"value": planted("updated")}))
        .await
        .expect(200);
    let linear = json!({"integrationId": "linear", "token": planted("token")});
    let linear = id(&call(Method::POST, "/v1/integrations", linear)
        .await
        .expect(201));
    let linear = format!("/v1/integrations/{linear}");
    call(Method::PATCH, &linear, json!({"token": planted("renewed")}))
        .await
        .expect(200);
    let ssh = json!({
        "publicKeys": ["ssh-ed25519 AAAA"], "gitToken": planted("git"),
        "envVars": {"E": planted("ssh")},
    });
    let session = json!({"envVars": {"D": planted("session")}, "sshOptions": ssh});
    let created = call(Method::POST, SESSIONS, session.clone())
        .await
        .expect(201);
    call(Method::POST, SESSIONS, session.clone())
        .await
        .expect(200);
    let mut other = session;
    other["title"] = json!("x");
    call(Method::POST, SESSIONS, other).await.expect(409);
    let session = format!("/v1/sessions/{}", id(&created));
    for path in [
        "/v1/sessions",
        &session,
        SECRETS,
        "/v1/integrations",
        &linear,
        "/v1/me",
        "/v1/api-keys",
        "/metrics",
    ] {
        call(Method::GET, path, Value::Null).await;
    }
    for path in [&session, &secret, &linear] {
        call(Method::DELETE, path, Value::Null).await;
    }
    let seen = app.provisioner.environment();
    assert_eq!(
        seen["A"],
        planted("updated"),
        "the secrets were really there"
    );
    assert_eq!(seen.len(), 6);
    for (call, answer) in answers.into_inner().unwrap() {
        assert!(
            !answer.text().contains("5ecre7"),
            "{call}: {}",
            answer.text()
        );
    }
}

async fn a_secret_is_replaced_and_deleted(backend: Backend) {
    let app = TestApp::start(backend).await;
    let body = json!({"key": "A", "value": "one", "description": "what it is for"});
    let created = app.owner().post(SECRETS, body).await.expect(201);
    let path = format!("{SECRETS}/{}", id(&created));
    app.clock.advance(Duration::from_secs(1));
    let table = [
        (json!({}), "A=one", json!("what it is for")),
        (json!({"value": "two"}), "A=two", json!("what it is for")),
        (json!({"description": null}), "A=two", Value::Null),
        (
            json!({"value": "", "description": "empty"}),
            "A=",
            json!("empty"),
        ),
    ];
    for (change, variable, description) in table {
        let updated = app.owner().patch(&path, change).await.expect(200);
        assert_eq!(updated["description"], description);
        assert_eq!(updated["createdAt"], created["createdAt"]);
        assert_eq!(updated["updatedAt"], "2026-01-01T00:00:01Z");
        assert_eq!(environment(&app, json!({})).await, [variable]);
    }
    let answer = app.owner().patch(&path, json!({"value": null})).await;
    answer.expect_problem(400, "INVALID_REQUEST");
    let answer = app.owner().patch(&path, json!({"key": "B"})).await;
    answer.expect_problem(400, "INVALID_REQUEST");
    app.owner().delete(&path).await.expect(204);
    app.owner()
        .delete(&path)
        .await
        .expect_problem(404, "NOT_FOUND");
    assert!(environment(&app, json!({})).await.is_empty());
}

async fn a_key_is_set_once_per_scope(backend: Backend) {
    let app = TestApp::start(backend).await;
    let repo = repo(&app, "web").await;
    let configuration = configuration(&app, json!({"name": "web"})).await;
    let session = id(&create(&app, json!({})).await);
    let scopes = [
        json!({"kind": "organization"}),
        json!({"kind": "repo", "id": repo}),
        json!({"kind": "configuration", "id": configuration}),
        json!({"kind": "session", "id": session}),
    ];
    for scope in &scopes {
        let body = json!({"key": "A", "value": "x", "scope": scope});
        let created = app.owner().post(SECRETS, body.clone()).await.expect(201);
        assert_eq!(created["scope"], *scope);
        app.owner()
            .post(SECRETS, body)
            .await
            .expect_problem(409, "CONFLICT");
        let kind = scope["kind"].as_str().unwrap();
        let scope_id = scope["id"].as_str().map(|id| format!("&scopeId={id}"));
        let query = format!("{SECRETS}?scopeKind={kind}{}", scope_id.unwrap_or_default());
        let list = app.owner().get(&query).await.expect(200);
        assert_eq!(list["items"], json!([created]));
        let check = json!({"keys": ["B", "A"], "scope": scope});
        let found = app
            .owner()
            .post("/v1/secrets/check", check)
            .await
            .expect(200);
        let expected = json!([{"key": "B", "exists": false}, {"key": "A", "exists": true}]);
        assert_eq!(found, expected);
    }
    let list = app.owner().get(SECRETS).await.expect(200);
    assert_eq!(list["items"].as_array().unwrap().len(), scopes.len());
}

async fn a_dotenv_text_is_imported_all_or_nothing(backend: Backend) {
    let app = TestApp::start(backend).await;
    let import = |text: &str, on_existing: Option<&str>| {
        let mut body = json!({"text": text});
        if let Some(word) = on_existing {
            body["onExisting"] = json!(word);
        }
        app.owner().post("/v1/secrets/import", body)
    };
    let first = "# shop\nexport A=1\nB='two words'\nC=\"x\\ny\" # note\n\nA=again\n";
    let first = import(first, None).await.expect(200);
    assert_eq!(
        first,
        json!({"created": ["B", "C", "A"], "updated": [], "skipped": []})
    );
    let skipped = import("A=no\nD=4", None).await.expect(200);
    assert_eq!(
        skipped,
        json!({"created": ["D"], "updated": [], "skipped": ["A"]})
    );
    let updated = import("B=2\nE=5", Some("update")).await.expect(200);
    assert_eq!(
        updated,
        json!({"created": ["E"], "updated": ["B"], "skipped": []})
    );
    import("F=6\nnonsense", None)
        .await
        .expect_problem(400, "INVALID_REQUEST");
    let nothing = import("# nothing\n", None).await.expect(200);
    assert_eq!(
        nothing,
        json!({"created": [], "updated": [], "skipped": []})
    );
    let expected = ["A=again", "B=2", "C=x\ny", "D=4", "E=5"];
    assert_eq!(environment(&app, json!({})).await, expected);
}

async fn only_admins_set_what_reaches_every_session(backend: Backend) {
    let app = TestApp::start(backend).await;
    let repo = repo(&app, "web").await;
    let narrow = json!({"key": "A", "value": "x", "scope": {"kind": "repo", "id": repo}});
    let made = app.member().post(SECRETS, narrow).await.expect(201);
    let path = format!("{SECRETS}/{}", id(&made));
    app.member()
        .patch(&path, json!({"value": "y"}))
        .await
        .expect(200);
    app.member().delete(&path).await.expect(204);
    let wide = json!({"key": "A", "value": "x"});
    app.member()
        .post(SECRETS, wide.clone())
        .await
        .expect_problem(403, "FORBIDDEN");
    app.person(Person::Admin)
        .post(SECRETS, wide)
        .await
        .expect(201);
    integration(&app, Person::Admin, "t").await;
}

async fn an_organization_has_so_many_secrets_and_no_more(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session = app.fixture.session(&app.acme);
    app.insert_session(&session).await;
    let mut tx = app.database.db.write().await.unwrap();
    for n in 1..SECRETS_PER_ORGANIZATION_MAX {
        let secret = app
            .fixture
            .secret(&app.acme, SecretScope::Organization, &format!("K{n}"));
        store::secret_insert(&mut tx, &secret).await.unwrap();
    }
    for n in 1..SESSION_ENV_VARS_MAX {
        let scope = SecretScope::Session(session.id);
        let secret = app.fixture.secret(&app.acme, scope, &format!("K{n}"));
        store::secret_insert(&mut tx, &secret).await.unwrap();
    }
    tx.commit().await.unwrap();
    let scopes = [
        json!({"kind": "organization"}),
        json!({"kind": "session", "id": session.id.to_string()}),
    ];
    for scope in scopes {
        let import = |text: &str| {
            let body = json!({"text": text, "scope": scope, "onExisting": "skip"});
            app.owner().post("/v1/secrets/import", body)
        };
        import("A=1\nB=2")
            .await
            .expect_problem(409, "LIMIT_REACHED");
        import("A=1\nK1=2").await.expect(200);
        import("A=1\nK1=2").await.expect(200);
        let body = json!({"key": "B", "value": "x", "scope": scope});
        let answer = app.owner().post(SECRETS, body).await;
        answer.expect_problem(409, "LIMIT_REACHED");
    }
    // Secrets of a session do not use up the quota of the organization, nor the other way round.
    create(&app, json!({"envVars": {"A": "1"}})).await;
}
