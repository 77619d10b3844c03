//! Logging in with an account elsewhere, against a service that really signs, and that lies.

use app::identity::{AllowedDomains, OidcSettings};
use domain::{
    limits::{OIDC_ATTEMPT_LIFE, OIDC_KEYS_PAUSE},
    role::Role,
};
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp, TestResponse},
    database::Backend,
    standin::{
        Fault,
        oidc::{OidcLie, OidcStandin, Signing, start},
    },
};

testkit::on_both_databases!(
    a_new_user_is_created_and_recognised_again,
    an_address_that_is_known_here_leads_to_its_user,
    a_user_without_a_membership_is_refused,
    two_at_once_are_one_person,
);

const LOGIN: &str = "proliferate_login";

struct Desk {
    service: OidcStandin,
    app: TestApp,
}

impl Desk {
    async fn start(backend: Backend) -> Self {
        Self::with(backend, Signing::Rs256, |_| {}).await
    }

    async fn with(
        backend: Backend,
        signing: Signing,
        change: impl FnOnce(&mut OidcSettings),
    ) -> Self {
        let service = start(signing).await;
        let mut settings = service.settings();
        change(&mut settings);
        let app = TestApp::builder(backend).reach(&service.host());
        let app = app.oidc(settings).start().await;
        Self { service, app }
    }

    /// Goes to the service: the redirect URI, and the browser's cookie.
    async fn away(&self, path: &str) -> (String, String) {
        let answer = self.app.anonymous().get(path).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        let cookie = answer.header("set-cookie").unwrap();
        assert!(cookie.contains("; HttpOnly; SameSite=Lax; Path=/login/oidc"));
        let kept = cookie.split(';').next().unwrap().to_owned();
        let back = self.service.say_yes(answer.header("location").unwrap());
        let back = back.await;
        let path = back.strip_prefix("http://gateway.test").unwrap().to_owned();
        (path, kept)
    }

    async fn back(&self, path: &str, kept: &str) -> TestResponse {
        self.app.anonymous().get(path).header("cookie", kept).await
    }

    /// There and back.
    async fn log_in(&self) -> TestResponse {
        let (path, kept) = self.away("/login/oidc").await;
        self.back(&path, &kept).await
    }

    /// Who the browser is afterwards.
    async fn me(&self, answer: &TestResponse) -> Value {
        let cookie = login_cookie(answer).expect("a login");
        let me = self.app.anonymous().get("/v1/me").header("cookie", &cookie);
        me.await.expect(200)
    }
}

fn login_cookie(answer: &TestResponse) -> Option<String> {
    let cookies = answer.headers.get_all("set-cookie").iter();
    let mut cookies = cookies.map(|cookie| cookie.to_str().unwrap());
    let cookie = cookies.find(|cookie| cookie.starts_with(LOGIN))?;
    Some(cookie.split(';').next().unwrap().to_owned())
}

#[track_caller]
fn is_out(answer: &TestResponse, status: u16, words: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert!(answer.text().contains(words), "{}", answer.text());
    assert_eq!(login_cookie(answer), None);
}

async fn a_new_user_is_created_and_recognised_again(backend: Backend) {
    let desk = Desk::with(backend, Signing::Es256, |settings| {
        settings.role = Role::Admin;
    })
    .await;
    let (path, kept) = desk.away("/login/oidc?next=/approvals?state=pending").await;
    let answer = desk.back(&path, &kept).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(answer.header("location"), Some("/approvals?state=pending"));
    let cookies = answer.headers.get_all("set-cookie").iter();
    assert!(cookies.into_iter().any(|cookie| {
        let cookie = cookie.to_str().unwrap();
        cookie.starts_with("proliferate_oidc=; Max-Age=0")
    }));
    let me = desk.me(&answer).await;
    let expected = json!({"kind": "user", "organizationId": "org_acme",
        "organizationName": me["organizationName"], "userId": me["userId"], "role": "admin",
        "name": "Ada Lovelace", "email": "ada@acme.example", "signedInBy": "login", "loginMethod": "oidc",
        "operatesFleet": true});
    assert_eq!(me, expected);
    // The code was taken, and so the link is worth nothing.
    is_out(&desk.back(&path, &kept).await, 400, "cannot be believed");
    // Whatever else changes there, issuer and subject are the same person.
    desk.service
        .vouch_for(json!({"sub": "subject-1", "email": "ada@elsewhere.example"}));
    let again = desk.me(&desk.log_in().await).await;
    assert_eq!(again["userId"], me["userId"]);
    // Another subject with another address is another user.
    desk.service
        .vouch_for(json!({"sub": "subject-2", "email": "Bob@ACME.example",
        "email_verified": true}));
    let other = desk.me(&desk.log_in().await).await;
    assert_ne!(other["userId"], me["userId"]);
    assert_eq!(other["name"], "bob@acme.example");
}

async fn an_address_that_is_known_here_leads_to_its_user(backend: Backend) {
    let desk = Desk::with(backend, Signing::Rs256, |settings| {
        settings.allowed_domains = AllowedDomains::All;
    })
    .await;
    let owner = desk.app.owner().get("/v1/me").await.expect(200);
    let person = |verified: bool| json!({"sub": "subject-9", "email": owner["email"], "email_verified": verified});
    // Not unless the service says that it looked.
    desk.service
        .vouch_for(json!({"sub": "subject-8", "email": owner["email"]}));
    let me = desk.me(&desk.log_in().await).await;
    assert_ne!(me["userId"], owner["userId"]);
    assert_eq!(me["role"], "member");
    desk.service.vouch_for(person(true));
    let me = desk.me(&desk.log_in().await).await;
    assert_eq!(me["userId"], owner["userId"]);
    assert_eq!(me["role"], "owner");
    // Known by the subject from now on.
    desk.service.vouch_for(person(false));
    assert_eq!(
        desk.me(&desk.log_in().await).await["userId"],
        owner["userId"]
    );
}

async fn a_user_without_a_membership_is_refused(backend: Backend) {
    let desk = Desk::start(backend).await;
    for person in [
        json!({"sub": "a", "email": "eve@evil.example", "email_verified": true}),
        json!({"sub": "b", "email": "ada@acme.example", "email_verified": false}),
        json!({"sub": "c", "email": "ada@acme.example"}),
        json!({"sub": "d"}),
    ] {
        desk.service.vouch_for(person.clone());
        is_out(
            &desk.log_in().await,
            403,
            "is not a member of an organization",
        );
        // Nothing was left of the attempt.
        let issuer = &desk.service.server.base_url;
        let mut conn = desk.app.database.db.read().await.unwrap();
        let subject = person["sub"].as_str().unwrap();
        let found = store::user_identity_fetch(&mut conn, issuer, subject)
            .await
            .unwrap();
        assert_eq!(found, None, "{person}");
    }
    // Nor is a removed member added again.
    desk.service
        .vouch_for(json!({"sub": "e", "email": "e@acme.example", "email_verified": true}));
    let me = desk.me(&desk.log_in().await).await;
    let user_id = me["userId"].as_str().unwrap().parse().unwrap();
    let mut tx = desk.app.database.db.write().await.unwrap();
    assert!(
        store::member_delete(&mut tx, &desk.app.acme, &user_id)
            .await
            .unwrap()
    );
    tx.commit().await.unwrap();
    is_out(
        &desk.log_in().await,
        403,
        "is not a member of an organization",
    );
}

async fn two_at_once_are_one_person(backend: Backend) {
    let desk = Desk::start(backend).await;
    let (one, two) = tokio::join!(desk.away("/login/oidc"), desk.away("/login/oidc"));
    let (one, two) = tokio::join!(desk.back(&one.0, &one.1), desk.back(&two.0, &two.1));
    assert_eq!(
        (one.status, two.status),
        (303, 303),
        "{} {}",
        one.text(),
        two.text()
    );
    let (one, two) = (desk.me(&one).await, desk.me(&two).await);
    assert_eq!(one["userId"], two["userId"]);
}

#[tokio::test]
async fn a_lie_is_not_believed() {
    for signing in [Signing::Rs256, Signing::Es256] {
        let desk = Desk::with(Backend::Sqlite, signing, |_| {}).await;
        for lie in [
            OidcLie::WrongNonce,
            OidcLie::WrongAudience,
            OidcLie::WrongIssuer,
            OidcLie::Expired,
            OidcLie::UnknownKey,
            OidcLie::WrongSignature,
            OidcLie::Unsigned,
            OidcLie::SignedWithSecret,
            OidcLie::OtherToken,
            OidcLie::NoToken,
        ] {
            desk.service.lie(Some(lie));
            let answer = desk.log_in().await;
            assert_eq!(answer.status, 400, "{lie:?}: {}", answer.text());
            is_out(&answer, 400, "cannot be believed");
        }
        desk.service.lie(None);
        assert_eq!(desk.log_in().await.status, 303);
    }
}

#[tokio::test]
async fn only_the_browser_that_began_is_let_in_and_not_for_ever() {
    let desk = Desk::start(Backend::Sqlite).await;
    let (path, kept) = desk.away("/login/oidc").await;
    is_out(
        &desk.app.anonymous().get(&path).await,
        400,
        "another browser",
    );
    let (_, other) = desk.away("/login/oidc").await;
    is_out(&desk.back(&path, &other).await, 400, "another browser");
    let forged = "proliferate_oidc=v1.1.00.00";
    is_out(&desk.back(&path, forged).await, 400, "another browser");
    let no_state = path.split("&state=").next().unwrap();
    is_out(&desk.back(no_state, &kept).await, 400, "another browser");
    // The service says no.
    let state = path.split("&state=").nth(1).unwrap();
    let denied = format!("/login/oidc/callback?error=access_denied&state={state}");
    is_out(&desk.back(&denied, &kept).await, 400, "denied the login");
    desk.app.clock.advance(OIDC_ATTEMPT_LIFE);
    is_out(&desk.back(&path, &kept).await, 400, "ten minutes");
}

#[tokio::test]
async fn a_login_redirects_only_to_the_dashboard() {
    let desk = Desk::start(Backend::Sqlite).await;
    for next in ["https://evil.example", "//evil.example", "/%5Cevil.example"] {
        let (path, kept) = desk.away(&format!("/login/oidc?next={next}")).await;
        let answer = desk.back(&path, &kept).await;
        assert_eq!(answer.header("location"), Some("/"), "{next}");
    }
}

#[tokio::test]
async fn new_keys_are_found_and_old_ones_forgotten() {
    let desk = Desk::start(Backend::Sqlite).await;
    assert_eq!(desk.log_in().await.status, 303);
    let asked = || {
        let requests = desk.service.server.requests().into_iter();
        requests.filter(|request| request.path == "/keys").count()
    };
    assert_eq!(asked(), 1);
    assert_eq!(desk.log_in().await.status, 303);
    assert_eq!(asked(), 1);
    desk.service.rotate();
    // It has just been asked, and is not asked again for invented keys.
    is_out(&desk.log_in().await, 400, "cannot be believed");
    assert_eq!(asked(), 1);
    desk.app.clock.advance(OIDC_KEYS_PAUSE);
    assert_eq!(desk.log_in().await.status, 303);
    assert_eq!(asked(), 2);
}

#[tokio::test]
async fn a_service_that_is_down_is_named() {
    let desk = Desk::start(Backend::Sqlite).await;
    desk.service.server.fail_next([Fault::Status(500)]);
    let answer = desk.app.anonymous().get("/login/oidc").await;
    is_out(&answer, 503, "does not respond");
    let (path, kept) = desk.away("/login/oidc").await;
    desk.service.server.fail_next([Fault::CutBefore]);
    is_out(&desk.back(&path, &kept).await, 503, "does not respond");
    let (path, kept) = desk.away("/login/oidc").await;
    desk.service
        .server
        .fail_next([Fault::Oversized(1024 * 1024)]);
    is_out(&desk.back(&path, &kept).await, 503, "does not respond");
    let (path, kept) = desk.away("/login/oidc").await;
    desk.service.server.fail_next([Fault::Status(400)]);
    is_out(&desk.back(&path, &kept).await, 400, "cannot be believed");
    let options = desk.app.anonymous().get("/v1/login").await.expect(200);
    assert_eq!(options, json!({"oidc": true, "mail": false}));
}

#[tokio::test]
async fn without_a_service_there_is_nothing_to_log_in_with() {
    let app = TestApp::start(Backend::Sqlite).await;
    for path in ["/login/oidc", "/login/oidc/callback"] {
        is_out(
            &app.anonymous().get(path).await,
            404,
            "has configured no identity provider",
        );
    }
    let options = app.anonymous().get("/v1/login").await.expect(200);
    assert_eq!(options, json!({"oidc": false, "mail": false}));
}

#[tokio::test]
async fn nothing_secret_is_shown_or_kept() {
    let desk = Desk::start(Backend::Sqlite).await;
    let (path, kept) = desk.away("/login/oidc").await;
    let answer = desk.back(&path, &kept).await;
    app::audit::sign_pending(&desk.app.app, &desk.app.acme)
        .await
        .unwrap();
    let events = desk.app.person(Person::Admin).get("/v1/audit/events").await;
    let shown = format!(
        "{answer:?} {} {kept} {:?}",
        events.text(),
        desk.app.app.oidc
    );
    assert!(!shown.contains("5ecre7"), "{shown}");
}
