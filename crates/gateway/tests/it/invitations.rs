//! Invitations: who offers a membership, who accepts it, and every way in which that is refused.

use std::time::Duration;

use app::audit;
use axum::http::Method;
use domain::limits::{INVITATION_ATTEMPTS_MAX, INVITATION_LIFE, INVITATIONS_PENDING_MAX};
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp, TestResponse},
    database::Backend,
};

use crate::login::Browser;

testkit::on_both_databases!(
    an_invitation_makes_a_member_once_and_leaves_no_name_in_the_log,
    what_is_over_is_refused_recorded_and_without_effect,
    who_may_invite_whom,
    an_address_alone_takes_over_no_user,
    of_two_acceptances_at_once_one_counts,
    invitations_are_bounded,
);

const INVITATIONS: &str = "/v1/invitations";

/// A new invitation of this person's.
pub(crate) async fn invite(app: &TestApp, person: Person, body: Value) -> Value {
    app.person(person).post(INVITATIONS, body).await.expect(201)
}

/// The code of a link.
pub(crate) fn code(link: &Value) -> String {
    let (page, code) = link.as_str().unwrap().split_once("#code=").unwrap();
    assert_eq!(page, "http://gateway.test/invite");
    code.to_owned()
}

pub(crate) async fn accept(app: &TestApp, body: Value) -> TestResponse {
    app.anonymous().post("/v1/invitations/accept", body).await
}

async fn inspect(app: &TestApp, code: &str) -> TestResponse {
    let body = json!({ "code": code });
    app.anonymous().post("/v1/invitations/inspect", body).await
}

/// The organization's log, newest first, as operation and outcome.
async fn log(app: &TestApp) -> Vec<(String, String, Value)> {
    audit::sign_pending(&app.app, &app.acme).await.unwrap();
    let events = app
        .owner()
        .get("/v1/audit/events?limit=100")
        .await
        .expect(200);
    let items = events["items"].as_array().unwrap().iter();
    let event = |item: &Value| item["record"]["event"].clone();
    items
        .map(|item| {
            let event = event(item);
            let text = |path: &str| {
                event
                    .pointer(path)
                    .and_then(Value::as_str)
                    .map(str::to_owned)
            };
            let operation = text("/target/operation").unwrap_or_default();
            (operation, text("/outcome").unwrap_or_default(), event)
        })
        .collect()
}

async fn an_invitation_makes_a_member_once_and_leaves_no_name_in_the_log(backend: Backend) {
    let app = TestApp::start(backend).await;
    let created = invite(&app, Person::Admin, json!({ "role": "member" })).await;
    let invitation = &created["invitation"];
    assert_eq!(invitation["status"], "pending");
    assert_eq!(invitation["createdBy"], "user_acme_admin");
    assert_eq!(invitation.get("mail"), None, "there is no mail server");
    let listed = app.owner().get(INVITATIONS).await.expect(200);
    assert_eq!(listed["items"], json!([invitation]));
    let code = code(&created["link"]);
    assert!(!listed.to_string().contains(&code), "it is shown once");
    let offer = inspect(&app, &code).await.expect(200);
    let expected = json!({"organizationName": "acme", "role": "member", "isMailed": false,
        "expiresAt": invitation["expiresAt"]});
    assert_eq!(offer, expected);

    for (body, field) in [
        (json!({ "code": code }), "email"),
        (json!({ "code": code, "name": "Grace" }), "email"),
        (
            json!({ "code": code, "email": "grace@navy.example" }),
            "name",
        ),
        (
            json!({ "code": code, "name": " ", "email": "grace@navy.example" }),
            "name",
        ),
        (
            json!({ "code": code, "name": "a\nb", "email": "grace@navy.example" }),
            "name",
        ),
        (
            json!({ "code": code, "name": "Grace", "email": "grace" }),
            "email",
        ),
    ] {
        let problem = accept(&app, body)
            .await
            .expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field);
    }
    let body = json!({ "code": code, "name": "Grace Hopper", "email": "Grace@Navy.example" });
    let answer = accept(&app, body.clone()).await;
    let me = answer.expect(200);
    assert_eq!(
        (&me["role"], &me["email"]),
        (&json!("member"), &json!("grace@navy.example"))
    );
    let browser = Browser::with(&app, &answer);
    assert_eq!(browser.me().await.expect(200), me);
    let members = app.owner().get("/v1/members").await.expect(200).to_string();
    assert!(members.contains("Grace Hopper"), "{members}");
    let listed = app.owner().get(INVITATIONS).await.expect(200);
    assert_eq!(listed["items"], json!([]));

    let problem = accept(&app, body).await.expect_problem(410, "EXPIRED");
    assert_eq!(problem["detail"], "the invitation was used");
    assert!(
        problem["hint"].as_str().unwrap().contains("new invitation"),
        "{problem}"
    );
    inspect(&app, &code).await.expect_problem(410, "EXPIRED");

    let log = log(&app).await;
    let operations: Vec<_> = log
        .iter()
        .map(|(name, outcome, _)| (name.as_str(), outcome.as_str()))
        .collect();
    for expected in [
        ("invitation_create", "success"),
        ("invitation_accept", "success"),
        ("member_create", "success"),
        ("login_create", "success"),
        ("invitation_accept", "failure"),
        ("invitation_inspect", "failure"),
    ] {
        assert!(
            operations.contains(&expected),
            "{expected:?} in {operations:?}"
        );
    }
    let text = format!("{log:?}").to_lowercase();
    for hidden in ["grace", "navy", &code] {
        assert!(!text.contains(hidden), "{hidden}");
    }
}

async fn what_is_over_is_refused_recorded_and_without_effect(backend: Backend) {
    let app = TestApp::start(backend).await;
    let member = json!({ "role": "member", "expiresInSeconds": 3600 });
    let person = |code: &str| json!({ "code": code, "name": "Eve", "email": "eve@evil.example" });
    let expired = invite(&app, Person::Admin, member.clone()).await;
    let revoked = invite(&app, Person::Admin, member.clone()).await;
    let path = format!(
        "{INVITATIONS}/{}",
        revoked["invitation"]["id"].as_str().unwrap()
    );
    app.foreigner()
        .delete(&path)
        .await
        .expect_problem(404, "NOT_FOUND");
    app.member()
        .delete(&path)
        .await
        .expect_problem(403, "FORBIDDEN");
    for _ in 0..2 {
        let shown = app.owner().delete(&path).await.expect(200);
        assert_eq!(shown["status"], "revoked");
    }
    // Its creator loses the right to invite.
    let void = invite(&app, Person::Admin, json!({ "role": "admin" })).await;
    let demoted = json!({ "role": "member" });
    let path = format!("/v1/members/{}", Person::Admin.user_id());
    app.owner().patch(&path, demoted).await.expect(200);
    let open = app.owner().get(INVITATIONS).await.expect(200);
    assert_eq!(open["items"], json!([]), "they were revoked with the role");
    app.clock.advance(Duration::from_hours(1));
    for (created, detail) in [
        (&expired, "the invitation was revoked"),
        (&revoked, "the invitation was revoked"),
        (&void, "the invitation was revoked"),
    ] {
        let answer = accept(&app, person(&code(&created["link"]))).await;
        assert_eq!(answer.expect_problem(410, "EXPIRED")["detail"], detail);
    }
    let late = json!({ "role": "member", "expiresInSeconds": 3600 });
    let late = invite(&app, Person::Owner, late).await;
    app.clock.advance(Duration::from_hours(1));
    let owner_sees = app.owner().get(INVITATIONS).await.expect(200);
    assert_eq!(owner_sees["items"][0]["status"], "expired");
    let answer = accept(&app, person(&code(&late["link"]))).await;
    let problem = answer.expect_problem(410, "EXPIRED");
    assert_eq!(problem["detail"], "the invitation has expired");
    for unknown in ["inv_00", "", "otc_00", &"x".repeat(10_000)] {
        let answer = accept(&app, person(unknown)).await;
        answer.expect_problem(404, "NOT_FOUND");
    }
    let members = app.owner().get("/v1/members").await.expect(200).to_string();
    assert!(!members.contains("Eve"), "{members}");
    let log = log(&app).await;
    let refused = log
        .iter()
        .filter(|(name, outcome, _)| name == "invitation_accept" && outcome == "failure");
    assert_eq!(refused.count(), 4);
}

async fn who_may_invite_whom(backend: Backend) {
    let app = TestApp::start(backend).await;
    let table = [
        (Person::Member, "member", 403),
        (Person::Admin, "member", 201),
        (Person::Admin, "admin", 201),
        (Person::Admin, "owner", 403),
        (Person::Owner, "owner", 201),
    ];
    for (person, role, status) in table {
        let answer = app
            .person(person)
            .post(INVITATIONS, json!({ "role": role }))
            .await;
        assert_eq!(
            answer.status,
            status,
            "{person:?} {role}: {}",
            answer.text()
        );
    }
    for (body, field) in [
        (json!({ "role": "king" }), "role"),
        (json!({ "role": "member", "email": "x" }), "email"),
        (
            json!({ "role": "member", "expiresInSeconds": 60 }),
            "expiresInSeconds",
        ),
        (
            json!({ "role": "member", "expiresInSeconds": 2_592_001 }),
            "expiresInSeconds",
        ),
    ] {
        let answer = app.owner().post(INVITATIONS, body).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field);
    }
}

async fn an_address_alone_takes_over_no_user(backend: Backend) {
    let app = TestApp::start(backend).await;
    // The address of the other organization's owner, as an admin of acme may type it.
    let theirs = "owner@other.example";
    let bound = invite(
        &app,
        Person::Owner,
        json!({ "role": "admin", "email": theirs }),
    )
    .await;
    let bound = code(&bound["link"]);
    let open = code(&invite(&app, Person::Owner, json!({ "role": "member" })).await["link"]);
    for code in [&bound, &open] {
        let body = json!({ "code": code, "name": "Mallory", "email": theirs });
        let problem = accept(&app, body).await.expect_problem(409, "CONFLICT");
        assert!(
            problem["detail"]
                .as_str()
                .unwrap()
                .contains("sign in as that user"),
            "{problem}"
        );
    }
    let body = json!({ "code": bound, "name": "Mallory", "email": "mallory@evil.example" });
    let problem = accept(&app, body)
        .await
        .expect_problem(400, "INVALID_REQUEST");
    assert_eq!(problem["errors"][0]["field"], "email");
    // Another user who is signed in.
    let join = |code: &str| json!({ "code": code });
    let path = "/v1/invitations/accept";
    let member = Browser::let_in(&app, &app.user_token(Person::Member)).await;
    let answer = member.ask(Method::POST, path).json(&join(&bound)).await;
    answer.expect_problem(403, "FORBIDDEN");
    let answer = member.ask(Method::POST, path).json(&join(&open)).await;
    answer.expect_problem(409, "CONFLICT");
    // The user whose address it is; a page of another origin cannot do it for them.
    let theirs = Browser::let_in(&app, &app.user_token(Person::Foreigner)).await;
    let cross = theirs
        .ask(Method::POST, path)
        .header("sec-fetch-site", "cross-site");
    cross
        .json(&join(&bound))
        .await
        .expect_problem(403, "FORBIDDEN");
    let answer = theirs.ask(Method::POST, path).json(&join(&bound)).await;
    let me = answer.expect(200);
    assert_eq!(
        (&me["userId"], &me["organizationId"], &me["role"]),
        (
            &json!("user_other_owner"),
            &json!("org_acme"),
            &json!("admin")
        )
    );
    // A claimed address finds no user: two users may give it, and it finds neither of them.
    let body = json!({ "code": open, "name": "Grace", "email": "grace@navy.example" });
    accept(&app, body).await.expect(200);
    let second = code(&invite(&app, Person::Owner, json!({ "role": "member" })).await["link"]);
    let body = json!({ "code": second, "name": "Not Grace", "email": "grace@navy.example" });
    accept(&app, body).await.expect(200);
    let mut conn = app.database.db.read().await.unwrap();
    let found = store::user_fetch_by_email(&mut conn, "grace@navy.example").await;
    assert_eq!(found.unwrap(), None);
}

async fn of_two_acceptances_at_once_one_counts(backend: Backend) {
    let app = TestApp::start(backend).await;
    let code = code(&invite(&app, Person::Owner, json!({ "role": "member" })).await["link"]);
    let body =
        |n: usize| json!({ "code": code, "name": "N", "email": format!("n{n}@acme.example") });
    let answers = futures::future::join_all((0..4).map(|n| accept(&app, body(n)))).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 410, 410, 410]);
    let members = app.owner().get("/v1/members").await.expect(200);
    assert_eq!(members["items"].as_array().unwrap().len(), 4);
}

async fn invitations_are_bounded(backend: Backend) {
    let app = TestApp::start(backend).await;
    let member = json!({ "role": "member" });
    for _ in 0..INVITATIONS_PENDING_MAX {
        invite(&app, Person::Owner, member.clone()).await;
    }
    let answer = app.owner().post(INVITATIONS, member.clone()).await;
    answer.expect_problem(409, "LIMIT_REACHED");
    // Expired ones do not count, and are removed after a while.
    app.clock.advance(INVITATION_LIFE);
    let last = code(&invite(&app, Person::Owner, member).await["link"]);
    app.clock.advance(Duration::from_hours(31 * 24));
    let swept = app::invitations::sweep(&app.app).await.unwrap();
    assert_eq!(swept, u64::from(INVITATIONS_PENDING_MAX));
    inspect(&app, &last).await.expect_problem(410, "EXPIRED");
    for _ in 1..INVITATION_ATTEMPTS_MAX {
        inspect(&app, "inv_00")
            .await
            .expect_problem(404, "NOT_FOUND");
    }
    let answer = inspect(&app, &last).await;
    answer.expect_problem(429, "RATE_LIMITED");
    assert!(answer.header("retry-after").is_some());
}
