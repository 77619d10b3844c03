//! The setup link: on an empty database it makes the first organization and its owner, once.

use app::{
    installation::{CheckRunner, CheckState, InstallationCheck, InstallationChecks},
    setup::{OlderLinks, link_create},
};
use async_trait::async_trait;
use domain::{id::OrganizationId, limits::SETUP_LINK_LIFE};
use serde_json::{Value, json};
use testkit::{
    app::{TestApp, TestResponse},
    database::Backend,
};

testkit::on_both_databases!(
    a_link_makes_the_organization_that_operates,
    of_two_requests_at_once_one_wins,
    instances_that_start_at_once_print_links_that_work,
    a_link_that_cannot_be_used_changes_nothing,
    operators_see_the_checks_and_what_to_do,
);

async fn empty(backend: Backend) -> TestApp {
    TestApp::builder(backend)
        .without_organizations()
        .start()
        .await
}

async fn link(app: &TestApp, older: OlderLinks) -> String {
    let code = link_create(&app.app, older).await.unwrap();
    code.expect("there is no organization").expose().to_owned()
}

async fn inspect(app: &TestApp, code: &str) -> Value {
    let body = json!({ "code": code });
    app.anonymous()
        .post("/v1/setup/inspect", body)
        .await
        .expect(200)
}

async fn set_up(app: &TestApp, code: &str, name: &str) -> TestResponse {
    let body = json!({ "code": code, "organizationName": name, "ownerName": "Ada Lovelace",
        "ownerEmail": "ada@example.com" });
    app.anonymous().post("/v1/setup", body).await
}

async fn count(app: &TestApp) -> usize {
    let mut conn = app.app.db.read().await.unwrap();
    store::organization_list(&mut conn, 10).await.unwrap().len()
}

async fn a_link_makes_the_organization_that_operates(backend: Backend) {
    let app = empty(backend).await;
    let options = app.anonymous().get("/v1/login").await.expect(200);
    assert_eq!(options["setup"], true);
    let code = link(&app, OlderLinks::Keep).await;
    let seen = inspect(&app, &code).await;
    assert_eq!(seen["valid"], true, "{seen}");
    assert!(seen["expiresAt"].is_string());

    // Looking did not use it up; what is wrong in a form is named, and does not use it up either.
    let body =
        json!({ "code": code, "organizationName": " ", "ownerName": "", "ownerEmail": "ada" });
    let refused = app.anonymous().post("/v1/setup", body).await;
    let problem = refused.expect_problem(400, "INVALID_REQUEST");
    let fields: Vec<_> = problem["errors"].as_array().unwrap().iter().collect();
    let fields: Vec<_> = fields
        .iter()
        .map(|error| error["field"].as_str().unwrap())
        .collect();
    assert_eq!(fields, ["organizationName", "ownerName", "ownerEmail"]);
    assert_eq!(count(&app).await, 0);

    let from = app.anonymous().post(
        "/v1/setup",
        json!({ "code": code, "organizationName": "Acme",
        "ownerName": "Ada", "ownerEmail": "ada@example.com" }),
    );
    from.header("sec-fetch-site", "cross-site")
        .await
        .expect_problem(403, "FORBIDDEN");

    let answer = set_up(&app, &code, "Acme, Inc.").await;
    let me = answer.expect(200);
    assert_eq!(me["organizationId"], "acme-inc");
    assert_eq!(me["organizationName"], "Acme, Inc.");
    assert_eq!(
        (&me["role"], &me["email"]),
        (&json!("owner"), &json!("ada@example.com"))
    );
    assert_eq!(
        me["operatesFleet"], true,
        "its admins operate the installation"
    );
    let cookie = answer
        .header("set-cookie")
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let browser = || app.anonymous().get("/v1/me").header("cookie", &cookie);
    assert_eq!(browser().await.expect(200)["userId"], me["userId"]);
    let shown = app
        .anonymous()
        .get("/v1/organization")
        .header("cookie", &cookie);
    let shown = shown.await.expect(200);
    assert_eq!(
        (&shown["status"], &shown["operates"]),
        (&json!("active"), &json!(true))
    );
    app.anonymous()
        .get("/v1/fleet")
        .header("cookie", &cookie)
        .await
        .expect(200);

    it_is_used_up(&app, &code, &cookie).await;
}

/// Which the log of the organization says, as it says who set it up.
async fn it_is_used_up(app: &TestApp, code: &str, cookie: &str) {
    let options = app.anonymous().get("/v1/login").await.expect(200);
    assert_eq!(options["setup"], false);
    assert_eq!(inspect(app, code).await["valid"], false);
    let again = set_up(app, code, "Acme").await;
    let problem = again.expect_problem(409, "CONFLICT");
    assert!(
        problem["detail"].as_str().unwrap().contains("was used"),
        "{problem}"
    );
    assert_eq!(again.header("set-cookie"), None);
    assert!(
        link_create(&app.app, OlderLinks::Replace)
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(count(app).await, 1);
    let id = OrganizationId::new("acme-inc").unwrap();
    app::audit::sign_pending(&app.app, &id).await.unwrap();
    let log = app
        .anonymous()
        .get("/v1/audit/events")
        .header("cookie", cookie)
        .await
        .expect(200);
    let text = log.to_string();
    for operation in ["setup", "member_create", "login_create"] {
        assert!(
            text.contains(&format!("\"operation\":\"{operation}\"")),
            "{operation}: {text}"
        );
    }
    assert!(
        text.contains("service:setup_link"),
        "the second use is on record: {text}"
    );
    for secret in [code, "Ada Lovelace", "ada@example.com"] {
        assert!(!text.contains(secret), "{secret} is in the log");
    }
}

async fn of_two_requests_at_once_one_wins(backend: Backend) {
    let app = empty(backend).await;
    let code = link(&app, OlderLinks::Keep).await;
    let other = link(&app, OlderLinks::Keep).await;
    let (one, two, three) = tokio::join!(
        set_up(&app, &code, "One"),
        set_up(&app, &code, "Two"),
        set_up(&app, &other, "Three")
    );
    let mut statuses = [one.status, two.status, three.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409]);
    assert_eq!(count(&app).await, 1);
}

async fn instances_that_start_at_once_print_links_that_work(backend: Backend) {
    let app = empty(backend).await;
    let first = link(&app, OlderLinks::Keep).await;
    let second = link(&app, OlderLinks::Keep).await;
    for code in [&first, &second] {
        assert_eq!(inspect(&app, code).await["valid"], true);
    }
    let replaced = link(&app, OlderLinks::Replace).await;
    for code in [&first, &second] {
        let seen = inspect(&app, code).await;
        assert_eq!(seen["valid"], false);
        assert!(
            seen["reason"]
                .as_str()
                .unwrap()
                .contains("proliferate setup"),
            "{seen}"
        );
        set_up(&app, code, "Acme")
            .await
            .expect_problem(401, "UNAUTHENTICATED");
    }
    set_up(&app, &replaced, "Acme").await.expect(200);
    assert_eq!(inspect(&app, &second).await["valid"], false);
}

async fn a_link_that_cannot_be_used_changes_nothing(backend: Backend) {
    let app = empty(backend).await;
    let old = link(&app, OlderLinks::Keep).await;
    app.clock.advance(SETUP_LINK_LIFE);
    let seen = inspect(&app, &old).await;
    assert_eq!(seen["valid"], false);
    assert!(
        seen["reason"].as_str().unwrap().contains("expired"),
        "{seen}"
    );
    set_up(&app, &old, "Acme")
        .await
        .expect_problem(410, "EXPIRED");
    let answer = set_up(&app, "stp_00", "Acme").await;
    answer.expect_problem(401, "UNAUTHENTICATED");
    assert_eq!(count(&app).await, 0);
}

/// One check that is good and one that is not, after a while.
#[derive(Debug)]
struct TwoChecks;

#[async_trait]
impl InstallationChecks for TwoChecks {
    async fn run(&self) -> Vec<InstallationCheck> {
        let check = |name: &str, state, remedy: Option<&str>| InstallationCheck {
            name: name.to_owned(),
            state,
            sentence: format!("{name} was looked at"),
            remedy: remedy.map(str::to_owned),
        };
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        let remedy = Some("set ANTHROPIC_API_KEY");
        vec![
            check("database", CheckState::Ok, None),
            check("model", CheckState::Warning, remedy),
        ]
    }
}

pub(crate) fn checks() -> CheckRunner {
    CheckRunner::new(TwoChecks)
}

async fn operators_see_the_checks_and_what_to_do(backend: Backend) {
    let app = TestApp::builder(backend);
    let app = app.options(|options| options.installation_checks = Some(checks()));
    let app = app.start().await;
    let path = "/v1/installation/checks";
    let seen = app.owner().post(path, json!({})).await.expect(200);
    let expected = json!({ "ok": true, "checks": [
        { "name": "database", "state": "ok", "sentence": "database was looked at" },
        { "name": "model", "state": "warning", "sentence": "model was looked at",
            "remedy": "set ANTHROPIC_API_KEY" },
    ]});
    assert_eq!(seen, expected);
    let owner = app.owner();
    let (one, two) = tokio::join!(owner.post(path, json!({})), owner.post(path, json!({})));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 429], "one at a time");
}
