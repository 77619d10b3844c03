//! Mails through a real mail server: invitations and sign-in links.

use app::{
    audit,
    mail::{self, MailEncryption},
};
use domain::limits::{LOGIN_MAIL_LIFE, LOGIN_MAILS_PER_ADDRESS_MAX, MAIL_PAUSE_MAX};
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp, TestResponse},
    database::Backend,
    smtp::SmtpServer,
};

use crate::{
    invitations::{accept, code, invite},
    login::Browser,
};

testkit::on_both_databases!(
    smtp_an_invitation_is_mailed_and_its_link_proves_the_address,
    smtp_a_member_signs_in_by_mail,
    smtp_a_claimed_address_is_proved_by_signing_in_and_ends_what_was_before,
);

async fn with_mail(backend: Backend, server: &SmtpServer) -> TestApp {
    TestApp::builder(backend)
        .mail(server.settings())
        .start()
        .await
}

/// The code of the link in the last mail.
fn mailed_code(server: &SmtpServer, page: &str) -> String {
    let text = server.last_text();
    let start = format!("http://gateway.test{page}#code=");
    let (_, rest) = text.split_once(&start).unwrap_or_else(|| panic!("{text}"));
    rest.split_whitespace().next().unwrap().to_owned()
}

async fn request_link(app: &TestApp, email: &str) -> TestResponse {
    let body = json!({ "email": email });
    app.anonymous().post("/v1/login/mail", body).await
}

async fn log_in(app: &TestApp, code: &str) -> TestResponse {
    let body = json!({ "token": code });
    app.anonymous().post("/v1/login", body).await
}

async fn shown_mail(app: &TestApp) -> Value {
    let open = app.owner().get("/v1/invitations").await.expect(200);
    open["items"][0]["mail"].clone()
}

async fn smtp_an_invitation_is_mailed_and_its_link_proves_the_address(backend: Backend) {
    let mut server = SmtpServer::start(MailEncryption::StartTls).await;
    let app = with_mail(backend, &server).await;
    server.stop();
    let new = json!({ "role": "member", "email": "grace@navy.example" });
    let created = invite(&app, Person::Owner, new).await;
    assert_eq!(created["invitation"]["mail"], json!({"status": "waiting"}));
    assert_eq!(mail::deliver_due(&app.app).await.unwrap(), 1);
    let expected = json!({"status": "waiting", "error": "the mail server cannot be reached"});
    assert_eq!(shown_mail(&app).await, expected);
    assert_eq!(
        mail::deliver_due(&app.app).await.unwrap(),
        0,
        "it is not due yet"
    );
    server.restart().await;
    app.clock.advance(MAIL_PAUSE_MAX);
    assert_eq!(mail::deliver_due(&app.app).await.unwrap(), 1);
    assert_eq!(shown_mail(&app).await, json!({"status": "sent"}));
    let mails = server.mails();
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0]["to"], json!(["grace@navy.example"]));
    assert_eq!(
        (&mails[0]["encrypted"], &mails[0]["authenticated"]),
        (&json!(true), &json!(true))
    );
    let text = server.last_text();
    assert!(text.contains("Subject: Invitation to acme\n"), "{text}");
    assert!(
        text.contains("acme owner invites you to join acme"),
        "{text}"
    );

    // The mail has another link than its creator: only it proves the address.
    let mailed = mailed_code(&server, "/invite");
    assert_ne!(mailed, code(&created["link"]));
    let offer = json!({ "code": mailed });
    let offer = app
        .anonymous()
        .post("/v1/invitations/inspect", offer)
        .await
        .expect(200);
    assert_eq!(
        (&offer["isMailed"], &offer["email"]),
        (&json!(true), &json!("grace@navy.example"))
    );
    accept(&app, json!({ "code": mailed, "name": "Grace" }))
        .await
        .expect(200);
    let mut conn = app.database.db.read().await.unwrap();
    let found = store::user_fetch_by_email(&mut conn, "grace@navy.example").await;
    assert_eq!(found.unwrap().unwrap().name, "Grace");
    drop(conn);
    let shown = json!({ "code": code(&created["link"]), "name": "Eve" });
    accept(&app, shown).await.expect_problem(410, "EXPIRED");

    // An existing user is signed in by the link that was mailed.
    let new = json!({ "role": "member", "email": "owner@other.example" });
    invite(&app, Person::Owner, new).await;
    mail::deliver_due(&app.app).await.unwrap();
    let mailed = mailed_code(&server, "/invite");
    let me = accept(&app, json!({ "code": mailed })).await.expect(200);
    assert_eq!(
        (&me["userId"], &me["organizationId"]),
        (&json!("user_other_owner"), &json!("org_acme"))
    );

    // What the server rejects is not sent again, and says nothing of the address.
    let new = json!({ "role": "member", "email": "unknown@navy.example" });
    invite(&app, Person::Owner, new).await;
    mail::deliver_due(&app.app).await.unwrap();
    let expected =
        json!({"status": "failed", "error": "the mail server rejected the mail with code 550"});
    assert_eq!(shown_mail(&app).await, expected);
    // A revoked invitation is not mailed.
    let new = json!({ "role": "member", "email": "late@navy.example" });
    let revoked = invite(&app, Person::Owner, new).await;
    let path = format!(
        "/v1/invitations/{}",
        revoked["invitation"]["id"].as_str().unwrap()
    );
    app.owner().delete(&path).await.expect(200);
    assert_eq!(mail::deliver_due(&app.app).await.unwrap(), 0);
    assert_eq!(server.mails().len(), 2);
}

async fn smtp_a_member_signs_in_by_mail(backend: Backend) {
    let server = SmtpServer::start(MailEncryption::None).await;
    let app = with_mail(backend, &server).await;
    let options = app.anonymous().get("/v1/login").await.expect(200);
    let expected = json!({"oidc": false, "providers": [], "mail": true, "setup": false});
    assert_eq!(options, expected);
    // Both get the same answer; one gets a mail.
    for email in ["unknown@acme.example", "Member@Acme.example"] {
        let answer = request_link(&app, email).await;
        assert_eq!((answer.status, answer.text()), (202, ""));
    }
    mail::deliver_due(&app.app).await.unwrap();
    assert_eq!(server.mails().len(), 1);
    let one_time = mailed_code(&server, "/login");
    let me = log_in(&app, &one_time).await.expect(200);
    assert_eq!(me["userId"], "user_acme_member");
    log_in(&app, &one_time)
        .await
        .expect_problem(401, "UNAUTHENTICATED");
    assert_eq!(request_link(&app, "member@acme.example").await.status, 202);
    mail::deliver_due(&app.app).await.unwrap();
    let old = mailed_code(&server, "/login");
    app.clock.advance(LOGIN_MAIL_LIFE);
    log_in(&app, &old)
        .await
        .expect_problem(401, "UNAUTHENTICATED");
    audit::sign_pending(&app.app, &app.acme).await.unwrap();
    let events = app
        .owner()
        .get("/v1/audit/events")
        .await
        .expect(200)
        .to_string();
    assert!(
        events.contains("login_code_create") && !events.contains("member@acme"),
        "{events}"
    );
    for _ in 2..LOGIN_MAILS_PER_ADDRESS_MAX {
        assert_eq!(request_link(&app, "member@acme.example").await.status, 202);
    }
    let answer = request_link(&app, "member@acme.example").await;
    answer.expect_problem(429, "RATE_LIMITED");
    let answer = request_link(&app, "no address").await;
    let problem = answer.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(problem["errors"][0]["field"], "email");
}

async fn smtp_a_claimed_address_is_proved_by_signing_in_and_ends_what_was_before(backend: Backend) {
    let server = SmtpServer::start(MailEncryption::Tls).await;
    let app = with_mail(backend, &server).await;
    let open = code(&invite(&app, Person::Owner, json!({ "role": "member" })).await["link"]);
    // A user joins with the address of another person.
    let body = json!({ "code": open, "name": "Grace", "email": "grace@navy.example" });
    let joined = accept(&app, body).await;
    let user_id = joined.expect(200)["userId"].clone();
    let before = Browser::with(&app, &joined);
    let key = before
        .ask(axum::http::Method::POST, "/v1/api-keys")
        .json(&json!({"name": "k"}));
    let key = key.await.expect(201)["key"].as_str().unwrap().to_owned();
    assert_eq!(request_link(&app, "grace@navy.example").await.status, 202);
    mail::deliver_due(&app.app).await.unwrap();
    let me = log_in(&app, &mailed_code(&server, "/login"))
        .await
        .expect(200);
    assert_eq!(me["userId"], user_id);
    before.me().await.expect_problem(401, "UNAUTHENTICATED");
    let answer = app.with_token(key).get("/v1/me").await;
    answer.expect_problem(401, "UNAUTHENTICATED");
    let mut conn = app.database.db.read().await.unwrap();
    let found = store::user_fetch_by_email(&mut conn, "grace@navy.example").await;
    assert_eq!(json!(found.unwrap().unwrap().id.as_str()), user_id);
}

#[tokio::test]
async fn without_a_mail_server_links_are_not_promised() {
    let app = TestApp::start(Backend::Sqlite).await;
    let options = app.anonymous().get("/v1/login").await.expect(200);
    assert_eq!(options["mail"], false);
    let answer = request_link(&app, "member@acme.example").await;
    let problem = answer.expect_problem(409, "CONFLICT");
    assert!(
        problem["detail"].as_str().unwrap().contains("mail server"),
        "{problem}"
    );
}
