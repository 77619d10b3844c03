//! Repositories, configurations, integrations and API keys: made, changed, deleted, and who may.

use std::time::Duration;

use domain::limits::API_KEYS_PER_USER_MAX;
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use crate::support::{UNKNOWN_ID, configuration, create, id, ids, integration, repo};

testkit::on_both_databases!(
    a_repo_is_changed_as_far_as_it_stays_valid,
    a_repo_leaves_the_configurations_that_use_it,
    a_configuration_is_changed_list_by_list,
    a_configuration_in_use_stays,
    an_integration_is_suspended_and_reconnected,
    a_member_removes_only_connections_of_their_own,
    an_api_key_is_shown_once,
    members_see_and_revoke_only_their_own_keys,
    a_user_has_so_many_keys_and_no_more,
);

async fn a_repo_is_changed_as_far_as_it_stays_valid(backend: Backend) {
    let app = TestApp::start(backend).await;
    let body =
        json!({"name": "acme/web", "url": "https://git.example/web.git", "source": "github"});
    let made = app
        .owner()
        .post("/v1/repos", body.clone())
        .await
        .expect(201);
    let path = format!("/v1/repos/{}", id(&made));
    app.owner()
        .post("/v1/repos", body)
        .await
        .expect_problem(409, "CONFLICT");
    let other = repo(&app, "acme/api").await;
    let other = format!("/v1/repos/{other}");
    let taken = json!({"name": "acme/web"});
    app.owner()
        .patch(&other, taken)
        .await
        .expect_problem(409, "CONFLICT");

    let command = json!({"name": "web", "command": "npm start"});
    let change = json!({"name": "acme/shop", "serviceCommands": [command]});
    app.clock.advance(Duration::from_secs(1));
    let changed = app.member().patch(&path, change).await.expect(200);
    assert_eq!(changed["name"], "acme/shop");
    assert_eq!(changed["url"], made["url"]);
    assert_eq!(changed["updatedAt"], "2026-01-01T00:00:01Z");
    assert_eq!(app.owner().get(&path).await.expect(200), changed);
    for (change, field) in [
        (json!({"url": null}), "url"),
        (json!({"source": "local"}), "url"),
        (json!({"name": null}), "name"),
    ] {
        let answer = app.owner().patch(&path, change).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field);
    }
    let local = json!({"source": "local", "url": null});
    app.owner().patch(&path, local).await.expect(200);
}

async fn a_repo_leaves_the_configurations_that_use_it(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (web, api) = (repo(&app, "web").await, repo(&app, "api").await);
    let made = configuration(&app, json!({"name": "both", "repoIds": [web, api]})).await;
    app.owner()
        .delete(&format!("/v1/repos/{web}"))
        .await
        .expect(204);
    let shown = app
        .owner()
        .get(&format!("/v1/configurations/{made}"))
        .await
        .expect(200);
    assert_eq!(
        shown["repos"],
        json!([{"repoId": api, "workspacePath": "api"}])
    );
}

async fn a_configuration_is_changed_list_by_list(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (web, api) = (repo(&app, "web").await, repo(&app, "api").await);
    let command = |name: &str| json!({"name": name, "command": "run"});
    let file =
        json!({"workspacePath": ".", "path": ".env", "keys": [{"key": "A", "required": true}]});
    let connector = json!({
        "id": UNKNOWN_ID, "name": "Docs", "url": "https://mcp.example", "enabled": true,
    });
    let body = json!({
        "name": "shop", "notes": "n", "repoIds": [web], "serviceCommands": [command("a"), command("b")],
        "envFiles": [file], "connectors": [connector],
    });
    let made = app
        .owner()
        .post("/v1/configurations", body)
        .await
        .expect(201);
    assert_eq!(made["status"], "pending");
    assert_eq!(made["repos"][0]["workspacePath"], ".");
    let path = format!("/v1/configurations/{}", id(&made));
    let both = json!([
        {"repoId": web, "workspacePath": "web"}, {"repoId": api, "workspacePath": "api"},
    ]);
    let table = [
        (json!({"name": "store"}), "name", json!("store")),
        (json!({"notes": null}), "notes", Value::Null),
        (json!({"repoIds": [web, api]}), "repos", both),
        (
            json!({"serviceCommands": [command("c")]}),
            "serviceCommands",
            json!([command("c")]),
        ),
        (json!({"envFiles": []}), "envFiles", json!([])),
        (json!({"connectors": []}), "connectors", json!([])),
        (json!({"snapshotId": "snap"}), "snapshotId", json!("snap")),
        (
            json!({"budgetMicroUsd": 5_000_000}),
            "budgetMicroUsd",
            json!(5_000_000),
        ),
        (json!({"repoIds": []}), "repos", json!([])),
    ];
    let mut expected = made;
    for (change, member, value) in table {
        expected[member] = value;
        let changed = app.owner().patch(&path, change).await.expect(200);
        let same_set = |repos: &Value| {
            let mut repos = repos.as_array().unwrap().clone();
            repos.sort_by_key(|repo| repo["repoId"].to_string());
            repos
        };
        let stored = app.owner().get(&path).await.expect(200);
        for mut answer in [changed, stored] {
            assert_eq!(
                same_set(&answer["repos"]),
                same_set(&expected["repos"]),
                "{member}"
            );
            answer["repos"] = expected["repos"].clone();
            assert_eq!(answer, expected, "{member}");
        }
    }
}

async fn a_configuration_in_use_stays(backend: Backend) {
    let app = TestApp::start(backend).await;
    let made = configuration(&app, json!({"name": "web"})).await;
    let session = create(&app, json!({"configurationId": made})).await;
    let path = format!("/v1/configurations/{made}");
    app.owner()
        .delete(&path)
        .await
        .expect_problem(409, "CONFLICT");
    // Also when the session has ended: its record refers to it.
    app.owner()
        .delete(&format!("/v1/sessions/{}", id(&session)))
        .await
        .expect(200);
    app.owner()
        .delete(&path)
        .await
        .expect_problem(409, "CONFLICT");
    let unused = configuration(&app, json!({"name": "unused"})).await;
    app.owner()
        .delete(&format!("/v1/configurations/{unused}"))
        .await
        .expect(204);
}

async fn an_integration_is_suspended_and_reconnected(backend: Backend) {
    let app = TestApp::start(backend).await;
    let made = integration(&app, Person::Owner, "t").await;
    let path = format!("/v1/integrations/{made}");
    let shown = app.member().get(&path).await.expect(200);
    assert_eq!(shown["displayName"], "linear");
    assert_eq!(shown["status"], "active");
    let table = [
        (json!({"status": "suspended"}), "suspended"),
        (json!({"displayName": "Linear"}), "suspended"),
        (json!({"token": "new", "status": "suspended"}), "suspended"),
        (json!({"token": "newer"}), "active"),
    ];
    for (change, status) in table {
        let changed = app
            .person(Person::Admin)
            .patch(&path, change)
            .await
            .expect(200);
        assert_eq!(changed["status"], status);
    }
    let token = app::integrations::get_token(&app.app, &app.acme, made.parse().unwrap());
    let token = token.await.unwrap();
    assert_eq!(secrecy::ExposeSecret::expose_secret(&token.token), "newer");
    let expired = json!({"status": "expired"});
    let answer = app.owner().patch(&path, expired).await;
    answer.expect_problem(400, "INVALID_REQUEST");
}

async fn a_member_removes_only_connections_of_their_own(backend: Backend) {
    let app = TestApp::start(backend).await;
    let theirs = integration(&app, Person::Owner, "t").await;
    let path = format!("/v1/integrations/{theirs}");
    app.member()
        .delete(&path)
        .await
        .expect_problem(403, "FORBIDDEN");
    // A former admin who created one as an admin.
    let own = integration(&app, Person::Admin, "t").await;
    let (now, user_id) = (app.app.now(), Person::Admin.user_id());
    let mut tx = app.database.db.write().await.unwrap();
    let role = domain::role::Role::Member;
    store::member_upsert(&mut tx, &app.acme, &user_id, role, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let former = app.person(Person::Admin);
    former.delete(&path).await.expect_problem(403, "FORBIDDEN");
    former
        .delete(&format!("/v1/integrations/{own}"))
        .await
        .expect(204);
    app.owner().delete(&path).await.expect(204);
    app.owner()
        .get(&path)
        .await
        .expect_problem(404, "NOT_FOUND");
}

async fn an_api_key_is_shown_once(backend: Backend) {
    let app = TestApp::start(backend).await;
    let body = json!({"name": "laptop", "expiresInSeconds": 60});
    let made = app.member().post("/v1/api-keys", body).await.expect(201);
    let key = made["key"].as_str().unwrap();
    assert!(key.starts_with(made["apiKey"]["prefix"].as_str().unwrap()));
    assert_eq!(made["apiKey"]["expiresAt"], "2026-01-01T00:01:00Z");
    app.with_token(key).get("/v1/me").await.expect(200);
    let list = app.member().get("/v1/api-keys").await;
    assert_eq!(list.expect(200)["items"], json!([made["apiKey"]]));
    assert!(!list.text().contains(key));
    let path = format!("/v1/api-keys/{}", id(&made["apiKey"]));
    let revoked = app.member().delete(&path).await.expect(200);
    assert_eq!(revoked["revokedAt"], "2026-01-01T00:00:00Z");
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(
        app.member().delete(&path).await.expect(200),
        revoked,
        "once"
    );
}

async fn members_see_and_revoke_only_their_own_keys(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (of_owner, _) = app.api_key(Person::Owner, None).await;
    let (of_member, _) = app.api_key(Person::Member, None).await;
    app.api_key(Person::Foreigner, None).await;
    let (owners, members) = (of_owner.id.to_string(), of_member.id.to_string());
    let seen = async |person| {
        let list = app.person(person).get("/v1/api-keys").await.expect(200);
        let mut seen = ids(&list);
        seen.sort();
        seen
    };
    let mut all = vec![owners.clone(), members.clone()];
    all.sort();
    assert_eq!(seen(Person::Member).await, [members.as_str()]);
    assert_eq!(seen(Person::Admin).await, all);
    let path = format!("/v1/api-keys/{owners}");
    app.member()
        .delete(&path)
        .await
        .expect_problem(404, "NOT_FOUND");
    let path = format!("/v1/api-keys/{members}");
    app.person(Person::Admin).delete(&path).await.expect(200);
}

async fn a_user_has_so_many_keys_and_no_more(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (first, _) = app.api_key(Person::Member, None).await;
    for _ in 1..API_KEYS_PER_USER_MAX {
        app.api_key(Person::Member, None).await;
    }
    let post = || {
        app.member()
            .post("/v1/api-keys", json!({"name": "one more"}))
    };
    post().await.expect_problem(409, "LIMIT_REACHED");
    let path = format!("/v1/api-keys/{}", first.id);
    app.member().delete(&path).await.expect(200);
    post().await.expect(201);
}
