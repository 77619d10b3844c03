//! What a ticket to a preview opens, and what it does not. That something is seen with it is tried with a real sandbox,
//! in the hub's tests.

use std::time::Duration;

use domain::limits::PREVIEW_TICKET_LIFE;
use hub::Hub;
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
    standin::agent::Agent,
};

use crate::support::{create, id};

testkit::on_both_databases!(
    a_ticket_opens_one_preview_for_a_while_and_nothing_else,
    who_may_only_watch_opens_no_connection_through_a_preview,
);

async fn opened(app: &TestApp, session: &str) -> Value {
    let path = format!("/v1/sessions/{session}/preview");
    app.member()
        .post(&path, json!({"port": 3000}))
        .await
        .expect(200)
}

async fn a_ticket_opens_one_preview_for_a_while_and_nothing_else(backend: Backend) {
    let app = TestApp::start(backend).await;
    let session = id(&create(&app, json!({})).await);
    let other = id(&create(&app, json!({})).await);
    let ticket = opened(&app, &session).await;
    let url = ticket["url"].as_str().unwrap().to_owned();
    let anonymous = app.anonymous();
    // It authorizes; nothing is live where no sandbox can be created.
    anonymous.get(&url).await.expect_problem(503, "OVERLOADED");

    let text = url.split('/').nth(4).unwrap().to_owned();
    let elsewhere = url.replace(&session, &other);
    let refused = anonymous.get(&elsewhere).await;
    refused.expect_problem(401, "UNAUTHENTICATED");
    let last = if text.ends_with('0') { "1" } else { "0" };
    let forged = format!("{}{last}", &text[..text.len() - 1]);
    let forged = anonymous.get(&url.replace(&text, &forged)).await;
    forged.expect_problem(401, "UNAUTHENTICATED");
    // It is no token, and no login.
    let bearer = app.with_token(text.clone()).get("/v1/sessions").await;
    bearer.expect_problem(401, "UNAUTHENTICATED");
    let cookie = format!("proliferate_login={text}");
    let cookie = anonymous.get("/v1/me").header("cookie", &cookie).await;
    cookie.expect_problem(401, "UNAUTHENTICATED");

    app.clock.advance(PREVIEW_TICKET_LIFE);
    let late = anonymous.get(&url).await;
    late.expect_problem(401, "UNAUTHENTICATED");
    app.clock.advance(Duration::from_secs(1));
    let fresh = opened(&app, &session).await;
    let fresh = fresh["url"].as_str().unwrap();
    let member = Person::Member.user_id();
    let mut tx = app.database.db.write().await.unwrap();
    store::member_delete(&mut tx, &app.acme, &member)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let removed = anonymous.get(fresh).await;
    removed.expect_problem(401, "UNAUTHENTICATED");
}

/// A connection carries input, to a shell as well as to a page that reloads itself: members who only watch have none.
async fn who_may_only_watch_opens_no_connection_through_a_preview(backend: Backend) {
    let mut app = TestApp::start(backend).await;
    let agent = Agent::start().await;
    app.live_in(Hub::with_runtimes(app.app.clone(), agent.runtimes()));
    let session = id(&create(&app, json!({})).await);
    let open = format!("/v1/sessions/{session}/preview");
    let body = json!({"port": 3000});
    let of_member = app.member().post(&open, body.clone()).await.expect(200);
    let of_owner = app.owner().post(&open, body).await.expect(200);
    let below = |ticket: &Value| format!("{}ws", ticket["url"].as_str().unwrap());
    let preview = format!("/proliferate/{session}/preview/3000/ws");
    for (client, path, may_steer) in [
        (app.member(), preview.clone(), false),
        (app.anonymous(), below(&of_member), false),
        (app.owner(), preview, true),
        (app.anonymous(), below(&of_owner), true),
    ] {
        // It is authorized, and its sandbox does not run.
        client.get(&path).await.expect_problem(409, "CONFLICT");
        let upgrade = client.get(&path).header("upgrade", "websocket").await;
        if may_steer {
            upgrade.expect_problem(409, "CONFLICT");
        } else {
            let problem = upgrade.expect_problem(403, "FORBIDDEN");
            let why = problem["detail"].as_str().unwrap();
            assert!(why.contains("other members may watch"), "{why}");
        }
    }
}

#[tokio::test]
async fn a_page_without_an_origin_may_ask_its_own_server_and_no_other() {
    let app = TestApp::start(Backend::Sqlite).await;
    let session = id(&create(&app, json!({})).await);
    let ticket = opened(&app, &session).await;
    let url = ticket["url"].as_str().unwrap();
    let allowed = async |path: &str| {
        let answer = app.anonymous().get(path).header("origin", "null").await;
        let origin = answer.header("access-control-allow-origin");
        let credentials = answer.header("access-control-allow-credentials");
        assert_eq!(credentials, None, "{path}");
        origin.map(ToOwned::to_owned)
    };
    assert_eq!(allowed(url).await.as_deref(), Some("null"));
    assert_eq!(allowed(&format!("{url}api")).await.as_deref(), Some("null"));
    for path in ["/v1/me", "/v1/sessions"] {
        assert_eq!(allowed(path).await, None, "{path}");
    }
    let preview = format!("/proliferate/{session}/preview/3000/");
    assert_eq!(allowed(&preview).await, None);
}
