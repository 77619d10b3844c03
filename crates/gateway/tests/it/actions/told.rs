//! Notifications: clients of the session on any instance, and the organization's webhooks.

use app::notices::{self, NoticeSubscription, NoticeUpdate};
use serde_json::{Value, json};
use testkit::{app::TestApp, database::Backend, standin::hook};

use super::desk::{Desk, issue};

testkit::on_both_databases!(
    who_watches_hears_every_step,
    a_late_watcher_is_told_what_waits,
    a_webhook_is_told_with_the_change_itself,
);

async fn listen(app: &TestApp, desk: &Desk) -> NoticeSubscription {
    notices::subscribe(&app.app, &app.acme, desk.session)
        .await
        .unwrap()
}

async fn next(watch: &mut NoticeSubscription) -> (String, Value) {
    let soon = std::time::Duration::from_mins(1);
    let heard = tokio::time::timeout(soon, watch.next())
        .await
        .expect("something is heard");
    let message = match heard.unwrap().unwrap() {
        NoticeUpdate::Notice(message) => message,
        missed @ NoticeUpdate::Missed(_) => panic!("{missed:?}"),
    };
    let kind = message["type"].as_str().unwrap().to_owned();
    (kind, message["payload"].clone())
}

async fn who_watches_hears_every_step(backend: Backend) {
    let desk = Desk::open(backend).await;
    let mut watch = listen(&desk.app, &desk).await;
    let asked = desk.ask("Blank page").await;
    let (kind, request) = next(&mut watch).await;
    assert_eq!(kind, "action_approval_request");
    assert_eq!(request["invocationId"], asked["id"]);
    assert_eq!(request["params"]["title"], "Blank page");
    desk.approve(&asked, json!({})).await.expect(200);
    let (kind, result) = next(&mut watch).await;
    assert_eq!(
        (kind.as_str(), &result["status"]),
        ("action_approval_result", &json!("approved"))
    );
    let (kind, done) = next(&mut watch).await;
    assert_eq!(
        (kind.as_str(), &done["status"]),
        ("action_completed", &json!("completed"))
    );
    let denied = desk.ask("No").await;
    next(&mut watch).await;
    desk.decide(&desk.app.owner(), &denied, "deny", json!({"reason": "no"}))
        .await
        .expect(200);
    let (kind, result) = next(&mut watch).await;
    assert_eq!(
        (kind.as_str(), &result["status"]),
        ("action_approval_result", &json!("denied"))
    );
    desk.ask("Without clients").await;
    next(&mut watch).await;
    desk.later(300);
    assert_eq!(app::actions::expire(&desk.app.app).await.unwrap(), 1);
    let (kind, result) = next(&mut watch).await;
    assert_eq!(
        (kind.as_str(), &result["status"]),
        ("action_approval_result", &json!("expired"))
    );
}

async fn a_late_watcher_is_told_what_waits(backend: Backend) {
    let desk = Desk::open(backend).await;
    let asked = desk.ask("Blank page").await;
    let second = desk.beside(TestApp::builder(backend)).await;
    let mut watch = listen(&second, &desk).await;
    let (kind, request) = next(&mut watch).await;
    assert_eq!(kind, "action_approval_request");
    assert_eq!(request["invocationId"], asked["id"]);
}

async fn a_webhook_is_told_with_the_change_itself(backend: Backend) {
    let receiver = hook::start().await;
    let host = receiver.address.to_string();
    let desk = Desk::open_with(TestApp::builder(backend).reach(&host)).await;
    let body = json!({"url": receiver.base_url});
    desk.app
        .owner()
        .post("/v1/webhooks", body)
        .await
        .expect(201);
    let asked = desk.ask("Blank page").await;
    desk.approve(&asked, json!({})).await.expect(200);
    desk.grant(None).await;
    desk.invoke("create_issue", issue("Granted"))
        .await
        .expect(200);
    app::webhooks::deliver_due(&desk.app.app).await.unwrap();
    let mut kinds: Vec<String> = receiver
        .requests()
        .iter()
        .map(|request| request.body["type"].as_str().unwrap().to_owned())
        .collect();
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        [
            "action_approval_request",
            "action_approval_result",
            "action_completed",
            "action_completed",
        ]
    );
}
