//! The key of a session's model: good for its model alone, and for as long as its boot.

use domain::{caller::Incarnation, session::SessionState};
use secrecy::ExposeSecret as _;
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use super::{COUNT, MESSAGES, Provider, ask, asked, error, session};

testkit::on_both_databases!(
    a_key_opens_its_model_and_nothing_else,
    a_key_dies_with_its_boot_and_its_session,
);

async fn a_key_opens_its_model_and_nothing_else(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    let (id, key) = session(&app).await;
    assert!(key.starts_with(&format!("mdl_{id}_")), "{key}");
    for path in [MESSAGES, COUNT] {
        let by_header = app.anonymous().post(path, ask()).header("x-api-key", &key);
        by_header.await.expect(200);
        app.with_token(&key).post(path, ask()).await.expect(200);
    }
    let known = provider.requests().len();

    let sandbox = app.sandbox_token(id).await;
    let mut flipped = key.clone().into_bytes();
    let last = flipped.last_mut().unwrap();
    *last = if *last == b'0' { b'1' } else { b'0' };
    let renamed = sandbox.replacen("sbx_", "mdl_", 1);
    let wrong = [
        sandbox,
        renamed,
        String::from_utf8(flipped).unwrap(),
        app.user_token(Person::Owner),
        app.api_key(Person::Owner, None).await.1,
        app.service_token(&app.acme),
        String::new(),
        "mdl_".to_owned(),
        "x".repeat(5000),
    ];
    for token in wrong {
        let refused = error(&asked(&app, &token, &ask()).await, 401);
        assert_eq!(refused["type"], "authentication_error", "{token}");
    }
    // The first of two places counts, so that a good one does not hide a bad one.
    let both = app.with_token(&key).post(MESSAGES, ask());
    error(&both.header("x-api-key", "mdl_x").await, 401);
    assert_eq!(
        provider.requests().len(),
        known,
        "no other request reached the provider"
    );

    let holder = app.with_token(&key);
    let renamed = app.with_token(key.replacen("mdl_", "sbx_", 1));
    for path in [
        "/v1/me".to_owned(),
        format!("/proliferate/{id}/actions/available"),
    ] {
        for client in [&holder, &renamed] {
            client
                .get(&path)
                .await
                .expect_problem(401, "UNAUTHENTICATED");
        }
    }
}

async fn a_key_dies_with_its_boot_and_its_session(backend: Backend) {
    let provider = Provider::start().await;
    let app = TestApp::builder(backend).model(&provider.url).start().await;
    let mut session = app.fixture.session(&app.acme);
    session.incarnation = Incarnation(2);
    app.insert_session(&session).await;
    let current = app.model_key(session.id).await;
    asked(&app, &current, &ask()).await.expect(200);
    for boot in [0, 1, 3] {
        let mut other = session.clone();
        other.incarnation = Incarnation(boot);
        let key = app.app.tokens.mint_model(&other);
        error(&asked(&app, key.expose_secret(), &ask()).await, 401);
    }
    let path = format!("/v1/sessions/{}", session.id);
    app.owner().delete(&path).await.expect(200);
    error(&asked(&app, &current, &ask()).await, 401);

    let mut failed = app.fixture.session(&app.acme);
    failed.state = SessionState::Failed {
        ended_at: app.app.now(),
        reason: "the sandbox is gone".to_owned(),
    };
    app.insert_session(&failed).await;
    let key = app.model_key(failed.id).await;
    error(&asked(&app, &key, &ask()).await, 401);
    assert_eq!(provider.requests().len(), 1);
}
