//! Cases: who sees one, who lets others in, and that it is recorded.

use app::audit;
use axum::http::Method;
use serde_json::{Value, json};
use testkit::{
    app::{Client, Person, TestApp, TestResponse},
    database::Backend,
};

use crate::support::{UNKNOWN_ID, create, id, ids};

testkit::on_both_databases!(
    the_creator_of_a_case_is_its_first_member,
    only_members_see_a_case,
    an_admin_lets_themselves_in_and_it_is_recorded,
    a_member_lets_people_services_and_sessions_in_and_out,
    only_people_decide_who_is_a_member,
    strangers_cannot_be_made_members,
    an_id_can_be_had_once,
    cases_are_listed_page_by_page_for_members_alone,
    meetings_belong_to_their_case,
    bad_input_names_the_field,
);

async fn open(client: &Client, body: Value) -> String {
    id(&client.post("/v1/cases", body).await.expect(201))
}

async fn add(client: &Client, case: &str, member: &str) -> TestResponse {
    let path = format!("/v1/cases/{case}/members/{member}");
    client.call(Method::PUT, &path).await
}

async fn remove(client: &Client, case: &str, member: &str) -> TestResponse {
    client
        .delete(&format!("/v1/cases/{case}/members/{member}"))
        .await
}

/// A problem without what differs between any two requests.
fn anonymous(answer: &TestResponse) -> Value {
    let mut problem = answer.expect_problem(404, "NOT_FOUND");
    problem.as_object_mut().unwrap().remove("request_id");
    problem
}

/// The operations recorded for a case, oldest first, each with its target.
async fn trail(app: &TestApp, case: &str) -> Vec<(String, String)> {
    audit::sign_pending(&app.app, &app.acme).await.unwrap();
    let path = format!("/v1/audit/events?caseId={case}&limit=100");
    let page = app.owner().get(&path).await.expect(200);
    let items = page["items"].as_array().unwrap().iter().rev();
    let target = |item: &Value| {
        let event = &item["record"]["event"];
        let text = |name: &str| event["target"][name].as_str().unwrap().to_owned();
        (text("operation"), text("name"))
    };
    items.map(target).collect()
}

async fn the_creator_of_a_case_is_its_first_member(backend: Backend) {
    let app = TestApp::start(backend).await;
    let body = json!({"id": "CASE-1", "title": "Smith v. Jones"});
    let made = app.member().post("/v1/cases", body).await.expect(201);
    assert_eq!(made["id"], "CASE-1");
    let shown = app.member().get("/v1/cases/CASE-1").await.expect(200);
    assert_eq!(shown["title"], "Smith v. Jones");
    assert_eq!(shown["members"], json!(["user:user_acme_member"]));
    assert_eq!(shown["clientSessions"], json!([]));
    assert_eq!(shown["organizationId"], "org_acme");
    // One that is made up follows the grammar.
    let made_up = open(&app.owner(), json!({})).await;
    assert!(
        made_up.parse::<domain::policy::CaseId>().is_ok(),
        "{made_up}"
    );
    // A service is a member under its name.
    let service = app.with_token(app.service_token(&app.acme));
    let case = open(&service, json!({})).await;
    let shown = service.get(&format!("/v1/cases/{case}")).await.expect(200);
    assert_eq!(shown["members"], json!(["service:worker"]));
}

async fn only_members_see_a_case(backend: Backend) {
    let app = TestApp::start(backend).await;
    let case = open(&app.member(), json!({"id": "CASE-1"})).await;
    let service = app.with_token(app.service_token(&app.acme));
    let outsiders = [
        app.owner(),
        app.person(Person::Admin),
        app.foreigner(),
        service,
    ];
    for client in outsiders {
        let known = client.get(&format!("/v1/cases/{case}")).await;
        let unknown = client.get(&format!("/v1/cases/{UNKNOWN_ID}")).await;
        assert_eq!(anonymous(&known), anonymous(&unknown));
        let nonsense = client.get("/v1/cases/..%2FCASE-1").await;
        nonsense.expect_problem(404, "NOT_FOUND");
        let page = client.get("/v1/cases").await.expect(200);
        assert!(ids(&page).is_empty());
        let path = |case: &str| format!("/v1/cases/{case}/client-sessions");
        let known = client.post(&path(&case), json!({})).await;
        let unknown = client.post(&path(UNKNOWN_ID), json!({})).await;
        assert_eq!(anonymous(&known), anonymous(&unknown));
    }
    // A member of the organization who is no member of the case cannot let themselves in.
    let case = open(&app.owner(), json!({})).await;
    let own = "user:user_acme_member";
    let known = add(&app.member(), &case, own).await;
    let unknown = add(&app.member(), UNKNOWN_ID, own).await;
    assert_eq!(anonymous(&known), anonymous(&unknown));
    let known = remove(&app.member(), &case, "user:user_acme_owner").await;
    let unknown = remove(&app.member(), UNKNOWN_ID, "user:user_acme_owner").await;
    assert_eq!(anonymous(&known), anonymous(&unknown));
}

async fn an_admin_lets_themselves_in_and_it_is_recorded(backend: Backend) {
    let app = TestApp::start(backend).await;
    let case = open(&app.member(), json!({"id": "CASE-1"})).await;
    let (admin, path) = (app.person(Person::Admin), format!("/v1/cases/{case}"));
    admin.get(&path).await.expect_problem(404, "NOT_FOUND");
    add(&admin, &case, "user:user_acme_admin").await.expect(204);
    // Again changes nothing, and there is nothing new to record.
    add(&admin, &case, "user:user_acme_admin").await.expect(204);
    admin.get(&path).await.expect(200);
    remove(&admin, &case, "user:user_acme_admin")
        .await
        .expect(204);
    admin.get(&path).await.expect_problem(404, "NOT_FOUND");
    let pair = |operation: &str, name: &str| (operation.to_owned(), name.to_owned());
    let expected = [
        pair("case_create", "case/CASE-1"),
        pair("case_member_add", "user:user_acme_admin"),
        pair("case_member_remove", "user:user_acme_admin"),
    ];
    assert_eq!(trail(&app, &case).await, expected);
}

async fn a_member_lets_people_services_and_sessions_in_and_out(backend: Backend) {
    let app = TestApp::start(backend).await;
    let case = open(&app.member(), json!({})).await;
    let session = id(&create(&app, json!({})).await);
    let members = [
        "user:user_acme_owner".to_owned(),
        "service:worker".to_owned(),
        format!("session:{session}"),
    ];
    for member in &members {
        add(&app.member(), &case, member).await.expect(204);
    }
    let path = format!("/v1/cases/{case}");
    let shown = app.owner().get(&path).await.expect(200);
    assert_eq!(shown["members"].as_array().unwrap().len(), 4);
    let service = app.with_token(app.service_token(&app.acme));
    service.get(&path).await.expect(200);
    for member in &members {
        remove(&app.member(), &case, member).await.expect(204);
        let again = remove(&app.member(), &case, member).await;
        again.expect_problem(404, "NOT_FOUND");
    }
    service.get(&path).await.expect_problem(404, "NOT_FOUND");
    // The last member may leave. An admin can add one again.
    remove(&app.member(), &case, "user:user_acme_member")
        .await
        .expect(204);
    add(&app.owner(), &case, "user:user_acme_member")
        .await
        .expect(204);
    app.member().get(&path).await.expect(200);
}

async fn only_people_decide_who_is_a_member(backend: Backend) {
    let app = TestApp::start(backend).await;
    let service = app.with_token(app.service_token(&app.acme));
    let case = open(&service, json!({})).await;
    let session = id(&create(&app, json!({})).await);
    add(&app.owner(), &case, &format!("session:{session}"))
        .await
        .expect(204);
    let token = app.sandbox_token(session.parse().unwrap()).await;
    for client in [service, app.with_token(token)] {
        let added = add(&client, &case, "user:user_acme_member").await;
        added.expect_problem(403, "FORBIDDEN");
        let removed = remove(&client, &case, "service:worker").await;
        removed.expect_problem(403, "FORBIDDEN");
    }
}

async fn strangers_cannot_be_made_members(backend: Backend) {
    let app = TestApp::start(backend).await;
    let case = open(&app.owner(), json!({})).await;
    let theirs = app.fixture.session(&app.other);
    app.insert_session(&theirs).await;
    let strangers = [
        "user:user_other_owner".to_owned(),
        "user:unknown".to_owned(),
        format!("session:{}", theirs.id),
        format!("session:{UNKNOWN_ID}"),
    ];
    let mut answers = Vec::new();
    for stranger in &strangers {
        let answer = add(&app.owner(), &case, stranger).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "member", "{problem}");
        answers.push(problem["detail"].clone());
    }
    // A caller of another organization and an unauthenticated one get the same.
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

async fn an_id_can_be_had_once(backend: Backend) {
    let app = TestApp::start(backend).await;
    let body = || json!({"id": "CASE-1", "title": "secret title"});
    let opened = app.owner().post("/v1/cases", body()).await.expect(201);
    // A repeated request returns the same case, to callers who may see it.
    let again = app.owner().post("/v1/cases", body()).await.expect(200);
    assert_eq!(again, opened);
    let others = app.member().post("/v1/cases", body()).await;
    others.expect_problem(409, "CONFLICT");
    for client in [app.owner(), app.member()] {
        let answer = client.post("/v1/cases", json!({"id": "CASE-1"})).await;
        answer.expect_problem(409, "CONFLICT");
        assert!(!answer.text().contains("secret title"));
    }
    // Another organization has ids of its own.
    open(&app.foreigner(), body()).await;
}

async fn cases_are_listed_page_by_page_for_members_alone(backend: Backend) {
    let app = TestApp::start(backend).await;
    for number in 1..=3 {
        open(&app.owner(), json!({"id": format!("CASE-{number}")})).await;
        app.clock.advance(std::time::Duration::from_secs(1));
    }
    open(&app.member(), json!({"id": "CASE-of-another"})).await;
    let first = app.owner().get("/v1/cases?limit=2").await.expect(200);
    assert_eq!(ids(&first), ["CASE-3", "CASE-2"]);
    let cursor = first["nextCursor"].as_str().unwrap();
    let path = format!("/v1/cases?limit=2&cursor={cursor}");
    let second = app.owner().get(&path).await.expect(200);
    assert_eq!(ids(&second), ["CASE-1"]);
    assert!(second.get("nextCursor").is_none());
    let bad = app.owner().get("/v1/cases?cursor=x").await;
    let problem = bad.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(problem["errors"][0]["field"], "cursor");
}

async fn meetings_belong_to_their_case(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (first, second) = (
        open(&app.owner(), json!({"id": "CASE-1"})).await,
        open(&app.owner(), json!({"id": "CASE-2"})).await,
    );
    let meet = async |case: &str, body| {
        let path = format!("/v1/cases/{case}/client-sessions");
        app.owner().post(&path, body).await
    };
    let made = meet(&first, json!({"id": "MEET-1"})).await.expect(201);
    assert_eq!(
        (&made["id"], &made["caseId"]),
        (&json!("MEET-1"), &json!("CASE-1"))
    );
    meet(&first, json!({"id": "MEET-1"}))
        .await
        .expect_problem(409, "CONFLICT");
    meet(&second, json!({"id": "MEET-1"})).await.expect(201);
    let made_up = id(&meet(&first, json!({})).await.expect(201));
    let shown = app.owner().get("/v1/cases/CASE-1").await.expect(200);
    let mut meetings: Vec<_> = shown["clientSessions"].as_array().unwrap().clone();
    meetings.sort_by_key(ToString::to_string);
    assert_eq!(meetings, [json!("MEET-1"), json!(made_up)]);
}

async fn bad_input_names_the_field(backend: Backend) {
    let app = TestApp::start(backend).await;
    let long = "x".repeat(201);
    // Case 14 is among them.
    let bodies = [
        (json!({"id": "../C2"}), "id"),
        (json!({"id": "C1/../../C2"}), "id"),
        (json!({"id": "C1//x"}), "id"),
        (json!({"id": "%2e%2e"}), "id"),
        (json!({"id": "abc"}), "id"),
        (json!({"title": ""}), "title"),
        (json!({"title": long}), "title"),
        (json!({"name": "x"}), "name"),
    ];
    for (body, field) in bodies {
        let answer = app.owner().post("/v1/cases", body.clone()).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field, "{body}: {problem}");
    }
    let case = open(&app.owner(), json!({})).await;
    for bad in ["ada", "user:", "team:x", "session:1", "user:a%20b"] {
        let problem = add(&app.owner(), &case, bad).await;
        let problem = problem.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "member", "{bad}");
    }
    let page = app.owner().get("/v1/cases").await.expect(200);
    assert_eq!(ids(&page), [case]);
}
