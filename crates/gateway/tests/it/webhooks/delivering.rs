//! What receivers get, and what is left of it in the log.

use std::{collections::BTreeSet, time::Duration};

use domain::{limits::WEBHOOK_DELIVERY_RETENTION, model_usage::Usage};
use serde_json::{Value, json};
use testkit::{
    app::TestApp,
    database::Backend,
    standin::{Answer, Fault, hook},
};
use wire::notice::{WebhookBody, WebhookContent};

use super::{Desk, ada, happens, moves, record, states};

testkit::on_both_databases!(
    a_receiver_gets_a_signed_message_of_the_documented_shape,
    every_notice_arrives_in_the_documented_shape,
    a_spend_limit_that_comes_near_is_delivered_once,
    what_is_told_late_says_where_it_stands_now,
    what_was_decided_is_told_although_it_is_asked_for_again,
    an_approval_without_a_delivered_notice_shows_as_such,
    whatever_goes_wrong_is_told_and_tried_again,
    a_receiver_that_asks_for_a_pause_gets_it,
    two_senders_at_once_send_everything_once,
    what_a_sender_took_when_it_died_is_sent_by_the_next,
    an_address_is_checked_again_when_something_is_sent,
    what_waits_for_a_webhook_that_is_switched_off_fails_at_once,
    what_could_not_be_sent_for_a_day_is_not_sent_any_more,
    only_its_own_organization_is_told,
    old_deliveries_are_forgotten_and_waiting_ones_are_not,
    many_deliveries_of_one_webhook_are_sent_batch_by_batch,
    a_hanging_receiver_delays_no_other_and_gets_its_delivery_after_a_restart,
);

async fn a_receiver_gets_a_signed_message_of_the_documented_shape(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, secret) = desk.webhook().await;
    let notice = desk.happens(desk.pending()).await;
    assert_eq!(desk.log(&path).await[0]["status"], "requested");
    assert_eq!(desk.deliver().await, 1);
    assert_eq!(desk.deliver().await, 0);
    let [request] = &desk.hook.requests()[..] else {
        panic!("one request");
    };
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/hook")
    );
    assert_eq!(request.header("content-type"), "application/json");
    assert_eq!(request.header("webhook-timestamp"), "1767225600");
    assert!(hook::is_signed(request, &secret));
    let invocation = &notice.record().invocation;
    let expected = json!({
        "type": "action_approval_request",
        "timestamp": "2026-01-01T00:00:00Z",
        "data": {
            "organizationId": "org_acme",
            "sessionId": desk.session.to_string(),
            "invocationId": invocation.id.to_string(),
            "integration": "linear",
            "action": "create_issue",
            "riskLevel": "write",
            "params": {"title": "It is broken", "token": "[redacted]"},
            "paramsComplete": false,
            "callSha256": invocation.binding.sha256().as_str(),
            "expiresAt": "2026-01-01T00:05:00Z",
            "currentStatus": "pending",
        },
    });
    assert_eq!(request.body, expected);
    let [delivery] = &desk.log(&path).await[..] else {
        panic!("one delivery");
    };
    assert_eq!(delivery["id"], request.header("webhook-id"));
    assert_eq!(delivery["event"], "action_approval_request");
    assert_eq!(delivery["invocationId"], invocation.id.to_string());
    assert_eq!(delivery["status"], "accepted");
    assert_eq!(delivery["attempts"], 1);
    assert_eq!(delivery["responseStatus"], 200);
    assert_eq!(delivery["nextAttemptAt"], Value::Null);
    let shown = desk.shown(&path).await;
    assert_eq!(shown["lastSuccessAt"], "2026-01-01T00:00:00Z");
    assert_eq!(shown["failingSince"], Value::Null);
}

async fn every_notice_arrives_in_the_documented_shape(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.webhook().await;
    let states = states(&desk);
    for state in &states {
        desk.happens(state.clone()).await;
    }
    assert_eq!(desk.deliver().await, states.len());
    let mut kinds = BTreeSet::new();
    for request in desk.hook.requests() {
        let body: WebhookBody = serde_json::from_value(request.body.clone()).unwrap();
        kinds.insert(match body.content {
            WebhookContent::ActionApprovalRequest(_) => "request",
            WebhookContent::ActionApprovalResult(_) => "result",
            WebhookContent::ActionCompleted(_) => "completed",
            WebhookContent::SpendNotice(_) => "spend",
        });
        // Nothing is there that is not documented.
        assert_eq!(serde_json::to_value(body).unwrap(), request.body);
    }
    assert_eq!(kinds.len(), 3);
}

async fn a_spend_limit_that_comes_near_is_delivered_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.webhook().await;
    let app = &desk.app;
    let spent = Usage {
        requests: 1,
        cost_micro_usd: 85,
        ..Usage::default()
    };
    let mut tx = app.database.db.write().await.unwrap();
    store::model_usage_add(&mut tx, &app.acme, desk.session, "m", &spent, app.app.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    for month in [100, 101] {
        let body = json!({"liveSessions": null, "sandboxes": null, "storageBytes": null,
            "spendDayMicroUsd": null, "spendMonthMicroUsd": month, "approvalSeconds": null});
        let call = app
            .owner()
            .call("PUT".parse().unwrap(), "/v1/organization/limits");
        call.json(&body).await.expect(200);
    }
    assert_eq!(desk.deliver().await, 1);
    let expected = json!({
        "type": "spend_notice",
        "timestamp": "2026-01-01T00:00:00Z",
        "data": {
            "organizationId": "org_acme",
            "period": "month",
            "begins": "2026-01-01",
            "percent": 80,
            "spentMicroUsd": 85,
            "limitMicroUsd": 100,
        },
    });
    let request = desk.hook.last_request();
    assert_eq!(request.body, expected);
    let body: WebhookBody = serde_json::from_value(request.body).unwrap();
    assert_eq!(serde_json::to_value(body).unwrap(), expected);
}

async fn what_is_told_late_says_where_it_stands_now(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.webhook().await;
    desk.happens(desk.pending()).await;
    desk.app.clock.advance(Duration::from_mins(5));
    desk.deliver().await;
    let body = desk.hook.last_request().body;
    assert_eq!(body["type"], "action_approval_request");
    assert_eq!(
        body["data"]["currentStatus"], "expired",
        "no sweep has run yet"
    );
    assert_eq!(body["timestamp"], "2026-01-01T00:00:00Z");
}

async fn what_was_decided_is_told_although_it_is_asked_for_again(backend: Backend) {
    let desk = Desk::open(backend).await;
    let pending = desk.happens(desk.pending()).await;
    desk.webhook().await;
    let now = desk.app.app.now();
    let approved = pending.record().invocation.state.clone();
    let approved = approved.approve(ada(), domain::action::ApprovalMode::Once, now);
    let approved = moves(&desk.app, pending.record(), approved.unwrap(), None).await;
    // Its approval was for something else: pending again before a notification was sent.
    moves(&desk.app, approved.record(), desk.pending(), None).await;
    assert_eq!(desk.deliver().await, 2);
    let requests = desk.hook.requests();
    let told = |kind: &str| {
        let body = requests.iter().find(|request| request.body["type"] == kind);
        body.unwrap().body["data"].clone()
    };
    let result = told("action_approval_result");
    assert_eq!(result["status"], "approved");
    assert_eq!(result["approvedBy"], ada().as_str());
    assert_eq!(result["currentStatus"], "pending");
    assert_eq!(told("action_approval_request")["currentStatus"], "pending");
}

async fn an_approval_without_a_delivered_notice_shows_as_such(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, secret) = desk.webhook().await;
    desk.happens(desk.pending()).await;
    desk.hook.fail_next(vec![Fault::Status(500); 6]);
    for (pause, attempts) in [(0, 1), (5, 2), (30, 3), (120, 4), (600, 5), (3600, 6)] {
        if let Some(before) = Duration::from_secs(pause).checked_sub(Duration::from_millis(1)) {
            desk.app.clock.advance(before);
            assert_eq!(desk.deliver().await, 0, "not before {pause} s");
            desk.app.clock.advance(Duration::from_millis(1));
        }
        assert_eq!(desk.deliver().await, 1);
        let delivery = desk.log(&path).await.remove(0);
        assert_eq!(delivery["attempts"], attempts);
        assert_eq!(delivery["responseStatus"], 500);
        assert_eq!(delivery["error"], "it answered 500");
        let last = attempts == 6;
        let status = if last { "failed" } else { "retried" };
        assert_eq!(delivery["status"], status);
        assert_eq!(delivery["nextAttemptAt"].is_null(), last);
        let shown = desk.shown(&path).await;
        assert_eq!(shown["failingSince"], "2026-01-01T00:00:00Z");
        assert_eq!(shown["failedAttempts"], attempts);
        assert_eq!(shown["lastError"], "it answered 500");
        assert_eq!(shown["lastSuccessAt"], Value::Null);
        assert_eq!(shown["enabled"], true, "it is not switched off");
    }
    desk.app.clock.advance(Duration::from_hours(12));
    assert_eq!(desk.deliver().await, 0);
    let failed = desk
        .shown(&format!("{path}/deliveries?status=failed"))
        .await;
    assert_eq!(failed["items"][0]["event"], "action_approval_request");
    let accepted = desk
        .shown(&format!("{path}/deliveries?status=accepted"))
        .await;
    assert_eq!(accepted["items"], json!([]));
    let requests = desk.hook.requests();
    let ids: BTreeSet<_> = requests.iter().map(|r| r.header("webhook-id")).collect();
    assert_eq!(
        (requests.len(), ids.len()),
        (6, 1),
        "one id for all of them"
    );
    assert!(requests.iter().all(|r| hook::is_signed(r, &secret)));
}

async fn whatever_goes_wrong_is_told_and_tried_again(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    let elsewhere = Answer::json(307, json!({})).with_header("location", "http://127.0.0.1:1/");
    let table = [
        (Fault::CutBefore, None, "the connection broke"),
        (Fault::CutAfter, None, "the connection broke"),
        (Fault::Status(404), Some(404), "it answered 404"),
        (
            Fault::Answer(elsewhere),
            Some(307),
            "it answered 307 and pointed elsewhere, which is not followed",
        ),
    ];
    for (fault, status, error) in table {
        desk.happens(desk.pending()).await;
        desk.hook.fail_next([fault]);
        assert_eq!(desk.deliver().await, 1);
        let delivery = desk.log(&path).await.remove(0);
        assert_eq!(delivery["status"], "retried");
        assert_eq!(delivery["responseStatus"], json!(status));
        assert_eq!(delivery["error"], error);
        assert_eq!(desk.shown(&path).await["failedAttempts"], 1);
        desk.app.clock.advance(Duration::from_secs(5));
        assert_eq!(desk.deliver().await, 1);
        let delivery = desk.log(&path).await.remove(0);
        assert_eq!(delivery["status"], "accepted");
        assert_eq!(delivery["error"], Value::Null);
        assert_eq!(desk.shown(&path).await["failingSince"], Value::Null);
    }
    // However much it answers, none of it is read.
    desk.happens(desk.pending()).await;
    desk.hook.fail_next([Fault::Oversized(10 * 1024 * 1024)]);
    assert_eq!(desk.deliver().await, 1);
    assert_eq!(desk.log(&path).await[0]["status"], "accepted");
    assert_eq!(desk.hook.requests().len(), 9);
}

async fn a_receiver_that_asks_for_a_pause_gets_it(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    desk.happens(desk.pending()).await;
    desk.hook.fail_next([Fault::RateLimited("60")]);
    desk.deliver().await;
    let delivery = desk.log(&path).await.remove(0);
    assert_eq!(delivery["nextAttemptAt"], "2026-01-01T00:01:00Z");
}

async fn two_senders_at_once_send_everything_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    let beside = TestApp::builder(backend)
        .reach(&desk.hook.address.to_string())
        .beside(&desk.app)
        .await;
    for _ in 0..40 {
        desk.happens(desk.pending()).await;
    }
    let all = async |app: &TestApp| {
        let mut sent = 0;
        loop {
            match app::webhooks::deliver_due(&app.app).await.unwrap() {
                0 => return sent,
                some => sent += some,
            }
        }
    };
    let (here, there) = tokio::join!(all(&desk.app), all(&beside));
    assert_eq!(here + there, 40);
    let requests = desk.hook.requests();
    let ids: BTreeSet<_> = requests.iter().map(|r| r.header("webhook-id")).collect();
    assert_eq!((requests.len(), ids.len()), (40, 40), "each of them once");
    let log = desk.log(&path).await;
    assert!(log.iter().all(|delivery| delivery["status"] == "accepted"));
}

async fn what_a_sender_took_when_it_died_is_sent_by_the_next(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    desk.happens(desk.pending()).await;
    // Claimed, and then nothing more: the process died.
    let mut tx = desk.app.app.db.write().await.unwrap();
    let now = desk.app.app.now();
    let until = now.plus(domain::limits::WEBHOOK_CLAIM);
    let webhook_id = path.rsplit('/').next().unwrap().parse().unwrap();
    let taken = store::webhook_delivery_claim(&mut tx, webhook_id, now, until, 10);
    assert_eq!(taken.await.unwrap().len(), 1);
    tx.commit().await.unwrap();
    assert_eq!(desk.deliver().await, 0, "another sender has claimed it");
    desk.app.clock.advance(domain::limits::WEBHOOK_CLAIM);
    assert_eq!(desk.deliver().await, 1);
    let delivery = desk.log(&path).await.remove(0);
    assert_eq!(delivery["status"], "accepted");
    assert_eq!(delivery["attempts"], 2);
    assert_eq!(desk.hook.requests().len(), 1);
}

/// A name that led outside when it was typed in can lead inside when something is sent.
async fn an_address_is_checked_again_when_something_is_sent(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    desk.happens(desk.pending()).await;
    let strict = TestApp::builder(backend).beside(&desk.app).await;
    assert_eq!(
        app::webhooks::deliver_due(&strict.app).await.unwrap(),
        1,
        "tried"
    );
    assert!(desk.hook.requests().is_empty());
    let delivery = desk.log(&path).await.remove(0);
    assert_eq!(delivery["status"], "retried");
    assert_eq!(delivery["error"], "the address is not https");
}

async fn what_waits_for_a_webhook_that_is_switched_off_fails_at_once(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    desk.happens(desk.pending()).await;
    let off = json!({"enabled": false});
    desk.app.owner().patch(&path, off).await.expect(200);
    desk.happens(desk.pending()).await;
    let log = desk.log(&path).await;
    assert_eq!(log.len(), 1, "the second was not put down");
    assert_eq!(log[0]["status"], "failed");
    assert_eq!(log[0]["error"], "the webhook is switched off");
    assert_eq!(log[0]["attempts"], 0);
    assert_eq!(desk.deliver().await, 0);
    assert_eq!(
        desk.shown(&path).await["failedAttempts"],
        0,
        "nothing was tried"
    );
    assert!(desk.hook.requests().is_empty());
}

async fn what_could_not_be_sent_for_a_day_is_not_sent_any_more(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    desk.happens(desk.pending()).await;
    desk.app.clock.advance(Duration::from_hours(25));
    assert_eq!(desk.deliver().await, 1);
    let delivery = desk.log(&path).await.remove(0);
    assert_eq!(delivery["status"], "failed");
    assert_eq!(delivery["error"], "it could not be sent in time");
    assert!(desk.hook.requests().is_empty());
    // An admin can have it delivered all the same.
    let again = format!(
        "{path}/deliveries/{}/redeliver",
        crate::support::id(&delivery)
    );
    desk.app.owner().post(&again, json!({})).await.expect(200);
    desk.deliver().await;
    assert_eq!(desk.log(&path).await[0]["status"], "accepted");
}

async fn only_its_own_organization_is_told(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    let session = desk.app.fixture.session(&desk.app.other);
    desk.app.insert_session(&session).await;
    let foreign = record(&desk.app, &desk.app.other, session.id, desk.pending());
    happens(&desk.app, foreign).await;
    assert_eq!(desk.deliver().await, 0);
    assert!(desk.log(&path).await.is_empty());
}

async fn old_deliveries_are_forgotten_and_waiting_ones_are_not(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    desk.happens(desk.pending()).await;
    desk.deliver().await;
    desk.happens(desk.pending()).await;
    let sweep = async || app::webhooks::sweep(&desk.app.app).await.unwrap();
    desk.app.clock.advance(WEBHOOK_DELIVERY_RETENTION);
    assert_eq!(sweep().await, 0);
    desk.app.clock.advance(Duration::from_secs(1));
    assert_eq!(sweep().await, 1);
    let log = desk.log(&path).await;
    assert_eq!((log.len(), &log[0]["status"]), (1, &json!("requested")));
}

async fn many_deliveries_of_one_webhook_are_sent_batch_by_batch(backend: Backend) {
    let desk = Desk::open(backend).await;
    desk.webhook().await;
    for _ in 0..20 {
        desk.happens(desk.pending()).await;
    }
    let stop = tokio_util::sync::CancellationToken::new();
    let running = tokio::spawn(app::webhooks::run(desk.app.app.clone(), stop.clone()));
    while desk.hook.requests().len() < 20 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stop.cancel();
    running.await.unwrap();
    assert_eq!(desk.hook.requests().len(), 20);
    assert_eq!(desk.deliver().await, 0, "all of it is written down");
}

async fn a_hanging_receiver_delays_no_other_and_gets_its_delivery_after_a_restart(
    backend: Backend,
) {
    let desk = Desk::open(backend).await;
    let (hanging, _) = desk.webhook().await;
    let other = hook::start().await;
    // Another desk of the same organization, at which the other receiver can be reached too.
    let app = TestApp::builder(backend)
        .reach(&desk.hook.address.to_string())
        .reach(&other.address.to_string())
        .beside(&desk.app)
        .await;
    let body = json!({"url": other.base_url});
    let made = app.owner().post("/v1/webhooks", body).await.expect(201);
    let quick = format!("/v1/webhooks/{}", crate::support::id(&made["webhook"]));
    desk.hook.fail_next([Fault::Late(Duration::from_mins(1))]);
    desk.happens(desk.pending()).await;
    let stop = tokio_util::sync::CancellationToken::new();
    let running = tokio::spawn(app::webhooks::run(app.app.clone(), stop.clone()));
    while desk.log(&quick).await[0]["status"] != "accepted" || desk.hook.requests().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(desk.log(&hanging).await[0]["status"], "requested");
    // The process ends before the receiver answers.
    stop.cancel();
    running.await.unwrap();
    assert_eq!(desk.log(&hanging).await[0]["status"], "requested");
    desk.app.clock.advance(domain::limits::WEBHOOK_CLAIM);
    assert_eq!(desk.deliver().await, 1, "by another sender");
    assert_eq!(desk.log(&hanging).await[0]["status"], "accepted");
    assert_eq!(desk.hook.requests().len(), 2, "at least once");
    assert_eq!(other.requests().len(), 1);
}
