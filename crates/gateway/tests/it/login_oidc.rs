//! Logging in with an account elsewhere, against a service that really signs, and that lies.

use app::identity::OidcSettings;
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
        oidc::{OidcLie, OidcStandin, Signing, domain, start},
    },
};

testkit::on_both_databases!(
    a_new_user_is_created_and_recognised_again,
    an_address_that_is_known_here_leads_to_its_user,
    a_user_without_a_membership_is_refused,
    a_removed_member_is_not_let_in_again_unless_invited,
    an_answer_counts_once,
    two_at_once_are_one_person,
);

const LOGIN: &str = "proliferate_login";

pub(super) struct Desk {
    pub(super) service: OidcStandin,
    pub(super) app: TestApp,
}

impl Desk {
    pub(super) async fn start(backend: Backend) -> Self {
        Self::with(backend, Signing::Rs256, |_| {}).await
    }

    pub(super) async fn with(
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

    /// With two identity providers: this one, and the one that is returned.
    pub(super) async fn with_two(
        backend: Backend,
        change: impl FnOnce(&mut OidcSettings, &mut OidcSettings),
    ) -> (Self, OidcStandin) {
        let (service, other) = (start(Signing::Es256).await, start(Signing::Es256).await);
        let (mut first, mut second) = (service.settings(), other.settings());
        change(&mut first, &mut second);
        let app = TestApp::builder(backend).reach(&service.host());
        let app = app.reach(&other.host()).oidc(first).oidc(second);
        let app = app.start().await;
        (Self { service, app }, other)
    }

    /// Goes to the service: the redirect URI, and the browser's cookie.
    pub(super) async fn away(&self, path: &str) -> (String, String) {
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

    pub(super) async fn back(&self, path: &str, kept: &str) -> TestResponse {
        self.app.anonymous().get(path).header("cookie", kept).await
    }

    /// There and back.
    pub(super) async fn log_in(&self) -> TestResponse {
        self.log_in_at("/login/oidc").await
    }

    pub(super) async fn log_in_at(&self, path: &str) -> TestResponse {
        let (path, kept) = self.away(path).await;
        self.back(&path, &kept).await
    }

    /// Vouches for a person with these claims, and logs them in.
    pub(super) async fn log_in_as(&self, person: Value) -> TestResponse {
        self.service.vouch_for(person);
        self.log_in().await
    }

    /// The events of acme's log, oldest first: who, operation, target, outcome, reason, roles.
    pub(super) async fn events(&self) -> Vec<String> {
        app::audit::sign_pending(&self.app.app, &self.app.acme)
            .await
            .unwrap();
        let owner = self.app.owner();
        let page = owner.get("/v1/audit/events?limit=100").await.expect(200);
        let line = |item: &Value| {
            let event = &item["record"]["event"];
            let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
            let texts = [
                "/actor/actor_id",
                "/target/operation",
                "/target/name",
                "/outcome",
                "/outcome_reason",
                "/change/from",
                "/change/to",
            ];
            texts.map(|pointer| text(pointer).unwrap_or("-")).join(" ")
        };
        let items = page["items"].as_array().unwrap().iter().rev();
        items.map(line).collect()
    }

    /// Whether so many refusals with this reason are on record, those counted in one event included.
    pub(super) async fn refusals(&self, reason: &str) -> usize {
        app::audit::fold_refusals(&self.app.app).await;
        let events = self.events().await;
        events.iter().filter(|line| line.contains(reason)).count()
    }

    /// Who the browser is afterwards.
    pub(super) async fn me(&self, answer: &TestResponse) -> Value {
        let cookie = login_cookie(answer).expect("a login");
        let me = self.app.anonymous().get("/v1/me").header("cookie", &cookie);
        me.await.expect(200)
    }
}

pub(super) fn login_cookie(answer: &TestResponse) -> Option<String> {
    let cookies = answer.headers.get_all("set-cookie").iter();
    let mut cookies = cookies.map(|cookie| cookie.to_str().unwrap());
    let cookie = cookies.find(|cookie| cookie.starts_with(LOGIN))?;
    Some(cookie.split(';').next().unwrap().to_owned())
}

#[track_caller]
pub(super) fn is_out(answer: &TestResponse, status: u16, words: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert!(answer.text().contains(words), "{}", answer.text());
    assert_eq!(login_cookie(answer), None);
}

async fn a_new_user_is_created_and_recognised_again(backend: Backend) {
    let desk = Desk::with(backend, Signing::Es256, |settings| {
        settings.domains[0].role = Role::Admin;
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
        settings.domains = vec![domain("*", "org_acme", Role::Member)];
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
    let (unverified, unlisted) = ("has not verified your e-mail", "lists the domain of your");
    for (person, words, reason) in [
        (
            json!({"sub": "a", "email": "eve@evil.example", "email_verified": true}),
            unlisted,
            "domain_not_listed",
        ),
        (
            json!({"sub": "b", "email": "ada@acme.example", "email_verified": false}),
            unverified,
            "address_not_verified",
        ),
        (
            json!({"sub": "c", "email": "ada@acme.example"}),
            unverified,
            "address_not_verified",
        ),
        (json!({"sub": "d"}), unverified, "address_not_verified"),
        (
            json!({"sub": "e", "email": "ada@sub.acme.example", "email_verified": true}),
            unlisted,
            "domain_not_listed",
        ),
    ] {
        is_out(&desk.log_in_as(person.clone()).await, 403, words);
        // Nothing was left of the attempt but the record of it.
        let issuer = &desk.service.server.base_url;
        let mut conn = desk.app.database.db.read().await.unwrap();
        let subject = person["sub"].as_str().unwrap();
        let found = store::user_identity_fetch(&mut conn, issuer, subject)
            .await
            .unwrap();
        assert_eq!(found, None, "{person}");
        drop(conn);
        assert!(desk.refusals(reason).await > 0, "{reason}");
    }
    let events = desk.events().await.join("\n");
    let line = "oidc:default login_oidc_callback login deny domain_not_listed";
    assert!(events.contains(line), "{events}");
    assert!(!events.contains("evil"), "{events}");
}

async fn a_removed_member_is_not_let_in_again_unless_invited(backend: Backend) {
    let desk = Desk::start(backend).await;
    let person = json!({"sub": "e", "email": "e@acme.example", "email_verified": true});
    let me = desk.me(&desk.log_in_as(person.clone()).await).await;
    let user_id = me["userId"].as_str().unwrap().parse().unwrap();
    let acme = &desk.app.acme;
    let mut tx = desk.app.database.db.write().await.unwrap();
    assert!(store::member_delete(&mut tx, acme, &user_id).await.unwrap());
    tx.commit().await.unwrap();
    let words = "is not a member of an organization";
    is_out(&desk.log_in().await, 403, words);
    // Nor as another subject with the address that is known here.
    let again = json!({"sub": "f", "email": "e@acme.example", "email_verified": true});
    is_out(&desk.log_in_as(again.clone()).await, 403, words);
    assert!(desk.refusals("not_a_member").await > 0);
    let mut tx = desk.app.database.db.write().await.unwrap();
    let now = desk.app.app.now();
    store::member_upsert(&mut tx, acme, &user_id, Role::Member, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    for person in [person, again] {
        let me = desk.me(&desk.log_in_as(person).await).await;
        assert_eq!(me["userId"].as_str().unwrap(), user_id.as_str());
    }
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

async fn an_answer_counts_once(backend: Backend) {
    let desk = Desk::start(backend).await;
    // Even for a provider that takes a code twice.
    desk.service.lie(Some(OidcLie::CodesForEver));
    let (path, kept) = desk.away("/login/oidc").await;
    assert_eq!(desk.back(&path, &kept).await.status, 303);
    is_out(&desk.back(&path, &kept).await, 400, "finished before");
    assert_eq!(desk.refusals("oidc_state_replayed").await, 1);
    // What was used is forgotten once the attempt would be too old.
    desk.app.clock.advance(OIDC_ATTEMPT_LIFE);
    app::identity::sweep_logins(&desk.app.app).await.unwrap();
    is_out(&desk.back(&path, &kept).await, 400, "ten minutes");
    assert_eq!(desk.refusals("oidc_attempt_expired").await, 1);
}

#[tokio::test]
async fn a_lie_is_not_believed() {
    for signing in [Signing::Rs256, Signing::Es256] {
        let desk = Desk::with(Backend::Sqlite, signing, |_| {}).await;
        desk.service
            .describe(json!({"authorization_response_iss_parameter_supported": true}));
        for (lie, reason) in [
            (OidcLie::WrongNonce, "id_token_nonce"),
            (OidcLie::WrongAudience, "id_token_audience"),
            (OidcLie::WrongIssuer, "id_token_issuer"),
            (OidcLie::Expired, "id_token_expired"),
            (OidcLie::UnknownKey, "id_token_signature"),
            (OidcLie::WrongSignature, "id_token_signature"),
            (OidcLie::Unsigned, "id_token_"),
            (OidcLie::SignedWithSecret, "id_token_"),
            (OidcLie::OtherToken, "id_token_of_another_token"),
            (OidcLie::NoToken, "id_token_missing"),
            (OidcLie::Altered, "id_token_signature"),
            (
                OidcLie::WrongResponseIssuer,
                "oidc_response_of_another_issuer",
            ),
            (OidcLie::NoResponseIssuer, "oidc_response_without_issuer"),
        ] {
            desk.service.lie(Some(lie));
            let answer = desk.log_in().await;
            assert_eq!(answer.status, 400, "{lie:?}: {}", answer.text());
            is_out(&answer, 400, "cannot be believed");
            assert!(desk.refusals(reason).await > 0, "{lie:?}: {reason}");
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
    let providers = json!([{"name": "default", "label": "Acme"}]);
    let expected = json!({"oidc": true, "providers": providers, "mail": false, "setup": false});
    assert_eq!(options, expected);
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
    let expected = json!({"oidc": false, "providers": [], "mail": false, "setup": false});
    assert_eq!(options, expected);
    let logout = app
        .anonymous()
        .post("/login/oidc/backchannel-logout", json!({}));
    is_out(&logout.await, 404, "has configured no identity provider");
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
