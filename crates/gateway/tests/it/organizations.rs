//! Organizations: who renames, suspends and deletes them, and that one which is suspended or deleting starts nothing.

use app::{access::TerminalOperator, organizations};
use axum::http::Method;
use domain::{id::OrganizationId, limits::ORGANIZATION_DELETION_GRACE};
use hub::Hub;
use serde_json::json;
use testkit::{
    app::{Person, TestApp},
    database::Backend,
    standin::agent::Agent,
};

use crate::{
    authorization::{call, resource, started, table},
    live::client::Socket,
    support::create,
};

testkit::on_both_databases!(
    every_change_in_a_suspended_organization_is_refused,
    a_suspension_reaches_sandboxes_keys_and_streams,
    a_deletion_is_confirmed_and_can_be_taken_back,
    operators_make_suspend_and_resume_organizations,
);

/// Operations other than GET that a suspended organization allows, and why.
const ALLOWED: [(&str, &str, &str); 12] = [
    ("POST", "/v1/login", "a login reads; it starts nothing"),
    ("POST", "/v1/logout", "signing out always works"),
    (
        "POST",
        "/v1/setup",
        "has no caller, and is refused for its code",
    ),
    ("POST", "/v1/setup/inspect", "has no caller, and reads"),
    ("POST", "/v1/shared", "has no caller, and reads"),
    (
        "POST",
        "/v1/invitations/inspect",
        "has no caller, and reads",
    ),
    (
        "POST",
        "/v1/invitations/accept",
        "has no caller; the use case looks at the organization of the code",
    ),
    (
        "POST",
        "/v1/login/mail",
        "has no caller; a login to read stays possible",
    ),
    (
        "POST",
        "/v1/login/device",
        "has no caller, and belongs to no organization yet",
    ),
    (
        "POST",
        "/v1/login/device/token",
        "has no caller; its approval is refused",
    ),
    (
        "POST",
        "/login/oidc/backchannel-logout",
        "has no caller, and ends logins",
    ),
    (
        "DELETE",
        "/v1/organization/deletion",
        "an owner takes a deletion back; a suspension stays",
    ),
];

/// Operations by GET that reach into a sandbox.
const ACTING_GETS: [&str; 2] = [
    // Attaches, with an upgrade.
    "/proliferate/{id}",
    "/proliferate/{id}/preview/{port}/",
];

async fn suspend(app: &TestApp, id: &OrganizationId) {
    let suspended = organizations::suspend(&app.app, &TerminalOperator, id, "the invoice is open");
    suspended.await.unwrap();
}

async fn every_change_in_a_suspended_organization_is_refused(backend: Backend) {
    let app = started(backend).await;
    let (_, rows) = table();
    let named: Vec<_> = {
        let mut named = Vec::new();
        for (count, row) in rows.iter().enumerate() {
            named.push(resource(&app, &row.path, count).await);
        }
        named
    };
    suspend(&app, &app.acme).await;
    let mut wrong = Vec::new();
    for (count, (row, named)) in rows.iter().zip(&named).enumerate() {
        let (method, path) = (row.method.as_str(), row.path.as_str());
        let reads = row.method == Method::GET && !ACTING_GETS.contains(&path);
        let allowed = ALLOWED.iter().any(|(m, p, _)| (*m, *p) == (method, path));
        // The callers of these present a key of a sandbox; another test has them.
        if path.starts_with("/llm/") || path.contains("/git/{repo}/") || path.ends_with("/terminal")
        {
            continue;
        }
        for person in [Person::Owner, Person::Admin] {
            let answer = call(&app.person(person), row, named, 1000 + count).await;
            let refused = answer.status == 403 && answer.text().contains("ORGANIZATION_SUSPENDED");
            if refused == (reads || allowed) {
                wrong.push(format!(
                    "{method} {path}: {} {}",
                    answer.status,
                    answer.text()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let sessions = app.owner().get("/v1/sessions").await.expect(200);
    let before = sessions["items"].as_array().unwrap().len();
    assert!(before > 0, "everything is kept");
    let refused = app.owner().post("/proliferate/sessions", json!({})).await;
    let problem = refused.expect_problem(403, "ORGANIZATION_SUSPENDED");
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("the invoice is open"),
        "{problem}"
    );
    let refused = app.with_token(app.service_token(&app.acme));
    let refused = refused.post("/proliferate/sessions", json!({})).await;
    refused.expect_problem(403, "ORGANIZATION_SUSPENDED");
    // The other organization goes on.
    let made = app
        .foreigner()
        .post("/proliferate/sessions", json!({}))
        .await;
    made.expect(201);
    // Its refused requests are on record.
    app::audit::sign_pending(&app.app, &app.acme).await.unwrap();
    let log = app
        .owner()
        .get("/v1/audit/events?limit=100")
        .await
        .expect(200);
    assert!(log.to_string().contains("organization_suspended"), "{log}");

    organizations::resume(&app.app, &TerminalOperator, &app.acme)
        .await
        .unwrap();
    create(&app, json!({})).await;
}

async fn a_suspension_reaches_sandboxes_keys_and_streams(backend: Backend) {
    let agent = Agent::start().await;
    let builder = TestApp::builder(backend);
    let every = std::time::Duration::from_millis(50);
    let mut app = builder
        .options(|options| options.standing_every = every)
        .start()
        .await;
    let hub = Hub::with_runtimes(app.app.clone(), agent.runtimes());
    app.live_in(hub.clone());
    let session = create(&app, json!({})).await;
    let id = crate::support::id(&session);
    let sandbox = app.sandbox(id.parse().unwrap()).await;
    sandbox.get("/v1/me").await.expect(200);
    let served = app.serve().await;
    let bearer = format!("Bearer {}", app.user_token(Person::Owner));
    let headers = [("authorization", bearer.as_str())];
    let path = format!("/proliferate/{id}");
    let mut socket = Socket::open(served.address, &path, &headers).await.unwrap();
    socket.next_of("init").await;

    suspend(&app, &app.acme).await;
    let (_, _, reason) = socket.closed().await;
    assert_eq!(reason, "organization suspended");
    let again = Socket::open(served.address, &path, &headers).await;
    again.map(drop).expect_err("it may not attach");
    sandbox
        .get("/v1/me")
        .await
        .expect_problem(403, "ORGANIZATION_SUSPENDED");
    let key = app.model_key(id.parse().unwrap()).await;
    let body = json!({"model": "claude-opus-4-6", "max_tokens": 5, "messages": []});
    let asked = app
        .anonymous()
        .call(Method::POST, "/llm/anthropic/v1/messages");
    let asked = asked.header("x-api-key", &key).json(&body).await;
    assert_eq!(asked.status, 403, "{}", asked.text());
    assert_eq!(asked.json()["error"]["type"], "permission_error");
    // What is read stays readable, also as a stream.
    app.owner()
        .get(&format!("/v1/sessions/{id}"))
        .await
        .expect(200);
    let login = app.anonymous().post(
        "/v1/login",
        json!({ "token": app.user_token(Person::Owner) }),
    );
    login.await.expect(200);
}

async fn a_deletion_is_confirmed_and_can_be_taken_back(backend: Backend) {
    let app = TestApp::start(backend).await;
    let owner = app.owner();
    let path = "/v1/organization/deletion";
    for wrong in ["", "Acme", "org_acme"] {
        let refused = owner.post(path, json!({ "confirm": wrong })).await;
        let problem = refused.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "confirm");
    }
    let confirmed = json!({ "confirm": "acme" });
    for person in [Person::Admin, Person::Member] {
        let refused = app.person(person).post(path, confirmed.clone()).await;
        refused.expect_problem(403, "FORBIDDEN");
    }
    let begun = owner.post(path, confirmed.clone()).await.expect(200);
    assert_eq!(begun["status"], "deleting");
    let due = begun["deletionDueAt"].as_str().unwrap().to_owned();
    app.clock.advance(ORGANIZATION_DELETION_GRACE / 2);
    // The token of before has expired.
    let owner = app.owner();
    // Asked again, it keeps its time; all else is refused.
    owner
        .post(path, confirmed)
        .await
        .expect_problem(403, "ORGANIZATION_SUSPENDED");
    let refused = owner.post("/proliferate/sessions", json!({})).await;
    let problem = refused.expect_problem(403, "ORGANIZATION_SUSPENDED");
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("being deleted"),
        "{problem}"
    );
    let shown = app.member().get("/v1/organization").await.expect(200);
    assert_eq!(
        (&shown["status"], &shown["deletionDueAt"]),
        (&json!("deleting"), &json!(due))
    );
    let suspended = organizations::suspend(&app.app, &TerminalOperator, &app.acme, "late").await;
    assert!(matches!(suspended, Err(app::Error::Conflict(_))));
    app.person(Person::Admin)
        .delete(path)
        .await
        .expect_problem(403, "FORBIDDEN");
    let back = owner.delete(path).await.expect(200);
    assert_eq!(
        (&back["status"], &back["deletionDueAt"]),
        (&json!("active"), &serde_json::Value::Null)
    );
    create(&app, json!({})).await;

    // One that was suspended before is suspended again.
    suspend(&app, &app.acme).await;
    let refused = owner.post(path, json!({ "confirm": "acme" })).await;
    refused.expect_problem(403, "ORGANIZATION_SUSPENDED");
    let begun =
        organizations::begin_deletion_as_operator(&app.app, &TerminalOperator, &app.acme, "acme");
    begun.await.unwrap();
    let back = owner.delete(path).await.expect(200);
    assert_eq!(
        (&back["status"], &back["suspensionReason"]),
        (&json!("suspended"), &json!("the invoice is open"))
    );
}

async fn operators_make_suspend_and_resume_organizations(backend: Backend) {
    let app = TestApp::start(backend).await;
    let owner = app.owner();
    let new = |name: &str, email: &str| json!({ "organizationName": name, "ownerName": "Grace", "ownerEmail": email });
    let made = owner
        .post("/v1/organizations", new("Navy", "grace@navy.example"))
        .await
        .expect(201);
    let twin = owner
        .post("/v1/organizations", new("Navy", "grace@navy.example"))
        .await
        .expect(201);
    assert_eq!(
        (&made["organization"]["id"], &twin["organization"]["id"]),
        (&json!("navy"), &json!("navy-2"))
    );
    assert_eq!(
        made["ownerId"], twin["ownerId"],
        "a user with the address is the owner"
    );
    assert_eq!(made["organization"]["operates"], false);
    // The link logs the owner in, once.
    let link = made["loginLink"]
        .as_str()
        .unwrap()
        .strip_prefix(testkit::app::ADVERTISED_URL)
        .unwrap();
    let answer = app.anonymous().get(link).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let cookie = answer
        .header("set-cookie")
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let me = app
        .anonymous()
        .get("/v1/me")
        .header("cookie", &cookie)
        .await
        .expect(200);
    assert_eq!(
        (&me["organizationId"], &me["role"]),
        (&json!("navy"), &json!("owner"))
    );
    assert_eq!(app.anonymous().get(link).await.status, 400);
    // The owner of a tenant operates nothing.
    let refused = app
        .anonymous()
        .get("/v1/organizations")
        .header("cookie", &cookie)
        .await;
    refused.expect_problem(403, "FORBIDDEN");

    let listed = owner.get("/v1/organizations").await.expect(200);
    let mut ids: Vec<_> = listed["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["id"].as_str().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, ["navy", "navy-2", "org_acme", "org_other"]);
    operators_suspend_and_resume(&app, &cookie).await;
}

async fn operators_suspend_and_resume(app: &TestApp, cookie: &str) {
    let owner = app.owner();
    for (reason, field) in [("", "reason"), ("\u{1b}", "reason"), ("a\nb", "reason")] {
        let refused = owner
            .post(
                "/v1/organizations/navy/suspend",
                json!({ "reason": reason }),
            )
            .await;
        let problem = refused.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field);
    }
    let own = owner
        .post(
            "/v1/organizations/org_acme/suspend",
            json!({ "reason": "x" }),
        )
        .await;
    own.expect_problem(409, "CONFLICT");
    let unknown = owner
        .post(
            "/v1/organizations/nothing/suspend",
            json!({ "reason": "x" }),
        )
        .await;
    unknown.expect_problem(404, "NOT_FOUND");
    let suspended = owner
        .post(
            "/v1/organizations/navy/suspend",
            json!({ "reason": "unpaid" }),
        )
        .await
        .expect(200);
    assert_eq!(
        (&suspended["status"], &suspended["suspensionReason"]),
        (&json!("suspended"), &json!("unpaid"))
    );
    let shown = app
        .anonymous()
        .get("/v1/organization")
        .header("cookie", cookie)
        .await
        .expect(200);
    assert_eq!(shown["suspensionReason"], "unpaid");
    let resumed = owner
        .post("/v1/organizations/navy/resume", json!({}))
        .await
        .expect(200);
    assert_eq!(resumed["status"], "active");

    // On record in both logs, by who did it.
    for id in ["navy", "org_acme"] {
        let id = OrganizationId::new(id).unwrap();
        app::audit::sign_pending(&app.app, &id).await.unwrap();
        let mut conn = app.app.db.read().await.unwrap();
        let records = store::audit_record_list(&mut conn, &id, 0, 100)
            .await
            .unwrap();
        let text = format!("{records:?}");
        for operation in [
            "organization_create",
            "organization_suspend",
            "organization_resume",
        ] {
            assert!(text.contains(operation), "{id} lacks {operation}: {text}");
        }
        assert!(
            !text.contains("grace@") && !text.contains("unpaid"),
            "{text}"
        );
    }
}
