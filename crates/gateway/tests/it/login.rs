//! Logins: how a browser logs in, what it may do then, and every way a login ends.

use std::time::Duration;

use axum::http::Method;
use domain::limits::{LOGIN_CODE_LIFE, LOGIN_IDLE_MAX, LOGIN_LIFE, LOGINS_PER_USER_MAX};
use gateway::Dashboard;
use serde_json::{Value, json};
use testkit::{
    app::{Call, Person, TestApp, TestResponse},
    database::Backend,
};

testkit::on_both_databases!(
    a_browser_is_let_in_by_a_token_a_key_or_a_code,
    a_code_is_good_once_and_not_for_long,
    two_at_once_share_no_code,
    a_login_ends_with_what_it_was_made_from,
    a_login_ends_by_idleness_and_by_age,
    logging_out_forgets_the_browser,
    a_new_login_takes_the_place_of_the_old_one,
    a_person_has_so_many_logins_and_no_more,
    logins_are_on_record,
    what_is_over_is_swept_away,
);

const COOKIE: &str = "proliferate_login";

/// A browser with a login.
pub(crate) struct Browser<'a> {
    app: &'a TestApp,
    pub(crate) cookie: String,
}

impl<'a> Browser<'a> {
    pub(crate) async fn let_in(app: &'a TestApp, token: &str) -> Self {
        let answer = login(app, token).await;
        answer.expect(200);
        Self::with(app, &answer)
    }

    pub(crate) fn with(app: &'a TestApp, answer: &TestResponse) -> Self {
        let cookie = set_cookie(answer);
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Self { app, cookie }
    }

    /// As a page of the gateway's own asks.
    pub(crate) fn ask(&self, method: Method, path: &str) -> Call {
        self.bare(method, path).header("x-proliferate-csrf", "1")
    }

    /// As any page could make it ask.
    fn bare(&self, method: Method, path: &str) -> Call {
        let call = self.app.anonymous().call(method, path);
        call.header("cookie", &self.cookie)
    }

    pub(crate) async fn me(&self) -> TestResponse {
        self.bare(Method::GET, "/v1/me").await
    }

    #[track_caller]
    fn is_out(answer: &TestResponse) {
        answer.expect_problem(401, "UNAUTHENTICATED");
    }
}

async fn login(app: &TestApp, token: &str) -> TestResponse {
    let body = json!({ "token": token });
    app.anonymous().post("/v1/login", body).await
}

#[track_caller]
fn set_cookie(answer: &TestResponse) -> &str {
    answer.header("set-cookie").expect("a cookie")
}

/// A new code of the owner's.
async fn code(app: &TestApp) -> String {
    let owner = Person::Owner.user_id();
    let text = app::identity::login_code_create(&app.app, &app.acme, &owner);
    text.await.unwrap().expose().to_owned()
}

async fn a_browser_is_let_in_by_a_token_a_key_or_a_code(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (_, key) = app.api_key(Person::Owner, None).await;
    for (token, method, life) in [
        // The token is good for an hour.
        (app.user_token(Person::Owner), "token", 3600),
        (key, "api_key", LOGIN_LIFE.as_secs()),
        (code(&app).await, "link", LOGIN_LIFE.as_secs()),
    ] {
        let answer = login(&app, &token).await;
        let me = answer.expect(200);
        let expected = json!({
            "kind": "user",
            "organizationId": "org_acme",
            "organizationName": me["organizationName"],
            "userId": "user_acme_owner",
            "role": "owner",
            "name": me["name"],
            "email": me["email"],
            "signedInBy": "login",
            "loginMethod": method,
            "operatesFleet": true,
        });
        assert_eq!(me, expected);
        for name in ["organizationName", "name", "email"] {
            assert!(me[name].as_str().is_some_and(|text| !text.is_empty()));
        }
        let cookie = set_cookie(&answer);
        let (pair, attributes) = cookie.split_once("; ").unwrap();
        assert!(pair.starts_with(&format!("{COOKIE}=lgn_")), "{pair}");
        let expected = format!("Max-Age={life}; HttpOnly; SameSite=Strict; Path=/");
        assert_eq!(attributes, expected);
        let browser = Browser::with(&app, &answer);
        assert_eq!(browser.me().await.expect(200), me);
        // What is in the cookie is in no table, and opens nothing as a token.
        let secret = pair.strip_prefix(&format!("{COOKIE}=")).unwrap();
        let answer = app.with_token(secret).get("/v1/me").await;
        answer.expect_problem(401, "UNAUTHENTICATED");
    }
    let me = app.owner().get("/v1/me").await.expect(200);
    assert_eq!(me["signedInBy"], "token");
    assert_eq!(me["loginMethod"], Value::Null);
}

#[tokio::test]
async fn only_people_are_let_in() {
    let app = TestApp::start(Backend::Sqlite).await;
    let session = app.fixture.session(&app.acme);
    app.insert_session(&session).await;
    for (token, status, code) in [
        (app.service_token(&app.acme), 403, "FORBIDDEN"),
        (app.sandbox_token(session.id).await, 403, "FORBIDDEN"),
        ("garbage".to_owned(), 401, "UNAUTHENTICATED"),
        (String::new(), 401, "UNAUTHENTICATED"),
        ("otc_00".to_owned(), 401, "UNAUTHENTICATED"),
    ] {
        let answer = login(&app, &token).await;
        answer.expect_problem(status, code);
        assert_eq!(answer.header("set-cookie"), None);
    }
    let answer = app
        .anonymous()
        .post("/v1/login", json!({ "token": 7 }))
        .await;
    let problem = answer.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(problem["errors"][0]["field"], "token");
}

async fn a_code_is_good_once_and_not_for_long(backend: Backend) {
    let app = TestApp::start(backend).await;
    let link = format!("/login/dev?code={}", code(&app).await);
    let answer = app.anonymous().get(&link).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(answer.header("location"), Some("/"));
    let me = Browser::with(&app, &answer).me().await.expect(200);
    assert_eq!(me["loginMethod"], "link");
    for _ in 0..2 {
        let again = app.anonymous().get(&link).await;
        assert_eq!(again.status, 400);
        assert!(again.text().contains("proliferate login-link"));
        assert_eq!(again.header("set-cookie"), None);
    }
    let old = code(&app).await;
    app.clock.advance(LOGIN_CODE_LIFE);
    let answer = app.anonymous().get(&format!("/login/dev?code={old}")).await;
    assert_eq!(answer.status, 400);
    assert_eq!(app.anonymous().get("/login/dev").await.status, 400);
    // A link on another site's page logs no browser in, and does not use up the code.
    let link = format!("/login/dev?code={}", code(&app).await);
    let from = |site| app.anonymous().get(&link).header("sec-fetch-site", site);
    assert_eq!(from("cross-site").await.status, 400);
    assert_eq!(from("none").await.status, 303);
}

async fn two_at_once_share_no_code(backend: Backend) {
    let app = TestApp::start(backend).await;
    let code = code(&app).await;
    let (one, two) = tokio::join!(login(&app, &code), login(&app, &code));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);
}

async fn a_login_ends_with_what_it_was_made_from(backend: Backend) {
    let app = TestApp::start(backend).await;
    let (key, text) = app.api_key(Person::Member, None).await;
    let by_key = Browser::let_in(&app, &text).await;
    let by_token = Browser::let_in(&app, &app.user_token(Person::Member)).await;
    by_key.me().await.expect(200);
    let path = format!("/v1/api-keys/{}", key.id);
    app.member().delete(&path).await.expect(200);
    Browser::is_out(&by_key.me().await);
    by_token.me().await.expect(200);
    app.clock.advance(Duration::from_hours(1));
    Browser::is_out(&by_token.me().await);

    let (_, text) = app
        .api_key(Person::Member, Some(Duration::from_mins(5)))
        .await;
    let by_key = Browser::let_in(&app, &text).await;
    by_key.me().await.expect(200);
    app.clock.advance(Duration::from_mins(5));
    Browser::is_out(&by_key.me().await);

    // A removed role takes effect at once, and so does a removed membership.
    let (_, text) = app.api_key(Person::Admin, None).await;
    let browser = Browser::let_in(&app, &text).await;
    assert_eq!(browser.me().await.expect(200)["role"], "admin");
    let (db, user_id) = (&app.database.db, Person::Admin.user_id());
    let mut tx = db.write().await.unwrap();
    let role = domain::role::Role::Member;
    store::member_upsert(&mut tx, &app.acme, &user_id, role, app.app.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(browser.me().await.expect(200)["role"], "member");
    let mut tx = db.write().await.unwrap();
    assert!(
        store::member_delete(&mut tx, &app.acme, &user_id)
            .await
            .unwrap()
    );
    tx.commit().await.unwrap();
    Browser::is_out(&browser.me().await);
}

async fn a_login_ends_by_idleness_and_by_age(backend: Backend) {
    let app = TestApp::start(backend).await;
    let browser = Browser::let_in(&app, &code(&app).await).await;
    let nearly = LOGIN_IDLE_MAX.saturating_sub(Duration::from_secs(1));
    app.clock.advance(nearly);
    browser.me().await.expect(200);
    app.clock.advance(nearly);
    browser.me().await.expect(200);
    app.clock.advance(LOGIN_IDLE_MAX);
    Browser::is_out(&browser.me().await);

    // However much it is used.
    let browser = Browser::let_in(&app, &code(&app).await).await;
    let began = app.app.now();
    while app.app.now().since(began) + nearly < LOGIN_LIFE {
        app.clock.advance(nearly);
        browser.me().await.expect(200);
    }
    app.clock
        .advance(LOGIN_LIFE.saturating_sub(app.app.now().since(began)));
    Browser::is_out(&browser.me().await);
}

async fn logging_out_forgets_the_browser(backend: Backend) {
    let app = TestApp::start(backend).await;
    let browser = Browser::let_in(&app, &code(&app).await).await;
    let other = Browser::let_in(&app, &code(&app).await).await;
    for _ in 0..2 {
        let answer = browser.ask(Method::POST, "/v1/logout").await;
        assert_eq!(answer.status, 204, "{}", answer.text());
        let cleared = format!("{COOKIE}=; Max-Age=0; HttpOnly; SameSite=Strict; Path=/");
        assert_eq!(set_cookie(&answer), cleared);
        Browser::is_out(&browser.me().await);
    }
    other.me().await.expect(200);
}

async fn a_new_login_takes_the_place_of_the_old_one(backend: Backend) {
    let app = TestApp::start(backend).await;
    let old = Browser::let_in(&app, &code(&app).await).await;
    let body = json!({ "token": app.user_token(Person::Member) });
    let call = app.anonymous().post("/v1/login", body);
    let answer = call.header("cookie", &old.cookie).await;
    answer.expect(200);
    let new = Browser::with(&app, &answer);
    assert_ne!(old.cookie, new.cookie);
    assert_eq!(new.me().await.expect(200)["userId"], "user_acme_member");
    Browser::is_out(&old.me().await);
}

async fn a_person_has_so_many_logins_and_no_more(backend: Backend) {
    let app = TestApp::start(backend).await;
    let oldest = Browser::let_in(&app, &code(&app).await).await;
    let mut second = None;
    for _ in 1..LOGINS_PER_USER_MAX {
        app.clock.advance(Duration::from_millis(1));
        let browser = Browser::let_in(&app, &code(&app).await).await;
        second.get_or_insert(browser);
    }
    let member = Browser::let_in(&app, &app.user_token(Person::Member)).await;
    oldest.me().await.expect(200);
    app.clock.advance(Duration::from_millis(1));
    Browser::let_in(&app, &code(&app).await).await;
    Browser::is_out(&oldest.me().await);
    second.unwrap().me().await.expect(200);
    member.me().await.expect(200);
}

async fn logins_are_on_record(backend: Backend) {
    let app = TestApp::start(backend).await;
    let code = code(&app).await;
    let browser = Browser::let_in(&app, &code).await;
    browser.ask(Method::POST, "/v1/logout").await;
    app::audit::sign_pending(&app.app, &app.acme).await.unwrap();
    let events = app.owner().get("/v1/audit/events").await.expect(200);
    let text = events.to_string();
    for operation in ["login_code_create", "login_create", "login_end"] {
        assert!(text.contains(operation), "{operation} is not in {text}");
    }
    assert!(!text.contains("lgn_") && !text.contains("otc_"), "{text}");
}

async fn what_is_over_is_swept_away(backend: Backend) {
    let app = TestApp::start(backend).await;
    let live = Browser::let_in(&app, &code(&app).await).await;
    Browser::let_in(&app, &app.user_token(Person::Owner)).await;
    code(&app).await;
    app.clock.advance(Duration::from_hours(2));
    let swept = async || app::identity::sweep_logins(&app.app).await.unwrap();
    // The login of a token that has run out, and a code.
    assert_eq!(swept().await, 2);
    assert_eq!(swept().await, 0);
    live.me().await.expect(200);
    app.clock.advance(LOGIN_IDLE_MAX);
    assert_eq!(swept().await, 1);
}

#[tokio::test]
async fn a_request_with_a_cookie_must_be_the_gateways_own() {
    let app = TestApp::start(Backend::Sqlite).await;
    let browser = Browser::let_in(&app, &code(&app).await).await;
    let repo = |name: &str| json!({ "name": name, "source": "local" });
    let ask = |name: &str| browser.ask(Method::POST, "/v1/repos").json(&repo(name));
    ask("a").await.expect(201);
    for site in ["cross-site", "same-site"] {
        let answer = ask("b").header("sec-fetch-site", site).await;
        answer.expect_problem(403, "FORBIDDEN");
    }
    let own = ask("b").header("sec-fetch-site", "same-origin");
    own.await.expect(201);
    let elsewhere = ask("c").header("origin", "https://evil.example");
    elsewhere.await.expect_problem(403, "FORBIDDEN");
    ask("c")
        .header("origin", "http://gateway.test")
        .await
        .expect(201);
    let without = browser.bare(Method::POST, "/v1/repos").json(&repo("d"));
    without.await.expect_problem(403, "FORBIDDEN");
    // Looking is safe, and a token needs no such proof.
    browser.me().await.expect(200);
    let both = browser.bare(Method::POST, "/v1/repos").json(&repo("d"));
    let token = format!("Bearer {}", app.user_token(Person::Member));
    both.header("authorization", &token).await.expect(201);
    // A token that is shown on purpose counts, even if it is worth nothing.
    let answer = browser.bare(Method::GET, "/v1/me");
    let answer = answer.header("authorization", "Bearer garbage").await;
    Browser::is_out(&answer);
    // Nor can a page of another origin log a user in, or out.
    let body = json!({ "token": app.user_token(Person::Owner) });
    let answer = app.anonymous().post("/v1/login", body);
    let answer = answer.header("origin", "https://evil.example").await;
    answer.expect_problem(403, "FORBIDDEN");
    let answer = browser.bare(Method::POST, "/v1/logout").await;
    answer.expect_problem(403, "FORBIDDEN");
    browser.me().await.expect(200);
}

#[tokio::test]
async fn a_login_is_for_one_organization() {
    let app = TestApp::start(Backend::Sqlite).await;
    let browser = Browser::let_in(&app, &code(&app).await).await;
    let asked = |id: &str| browser.bare(Method::GET, "/v1/me").header("x-org-id", id);
    asked("org_acme").await.expect(200);
    asked("org_other").await.expect_problem(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_cookie_is_secure_where_people_come_by_https() {
    let app = TestApp::builder(Backend::Sqlite)
        .options(|options| {
            options.public_url = Some("https://work.example/gw".to_owned());
            options.dashboard = Dashboard::default();
        })
        .start()
        .await;
    let answer = login(&app, &code(&app).await).await;
    let cookie = set_cookie(&answer);
    assert!(cookie.starts_with("__Secure-proliferate_login=lgn_"));
    assert!(cookie.ends_with("; Path=/gw/; Secure"), "{cookie}");
    let answer = app
        .anonymous()
        .get(&format!("/login/dev?code={}", code(&app).await));
    assert_eq!(answer.await.header("location"), Some("/gw/"));
}
