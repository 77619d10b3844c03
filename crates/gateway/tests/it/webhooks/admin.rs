//! Webhooks as admins manage them.

use std::time::Duration;

use domain::limits::WEBHOOKS_PER_ORGANIZATION_MAX;
use serde_json::{Value, json};
use testkit::{
    app::Person,
    database::Backend,
    standin::{Fault, hook},
};

use super::Desk;
use crate::support::{UNKNOWN_ID, id, ids};

testkit::on_both_databases!(
    a_webhook_is_added_changed_and_removed,
    an_address_that_leads_inside_is_refused_with_its_field,
    the_secret_is_shown_once_and_kept_sealed,
    a_secret_that_was_replaced_counts_for_another_day,
    a_delivery_is_sent_again_under_its_id,
    a_webhook_is_tried_out_without_leaving_a_delivery,
    an_organization_has_so_many_webhooks_and_no_more,
    the_log_is_paged_and_private_to_the_organization,
    what_admins_do_is_in_the_audit_log,
);

async fn a_webhook_is_added_changed_and_removed(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    let made = desk.shown(&path).await;
    let expected = json!({
        "id": id(&made),
        "url": desk.hook.base_url,
        "events": ["action_approval_request", "action_approval_result", "action_completed", "spend_notice"],
        "enabled": true,
        "createdBy": Person::Owner.user_id().as_str(),
        "createdAt": "2026-01-01T00:00:00Z",
        "updatedAt": "2026-01-01T00:00:00Z",
        "lastSuccessAt": null,
        "failingSince": null,
        "failedAttempts": 0,
        "lastError": null,
    });
    assert_eq!(made, expected);
    let list = desk.shown("/v1/webhooks").await;
    assert_eq!(list["items"], json!([made]));
    desk.app.clock.advance(Duration::from_secs(1));
    let admin = desk.app.person(Person::Admin);
    let url = format!("{}/other", desk.hook.base_url);
    let table = [
        (
            json!({"events": ["action_completed", "action_completed"]}),
            "events",
            json!(["action_completed"]),
        ),
        (json!({"enabled": false}), "enabled", json!(false)),
        (json!({"url": url}), "url", json!(url)),
        (json!({}), "updatedAt", json!("2026-01-01T00:00:01Z")),
    ];
    for (change, member, value) in table {
        let changed = admin.patch(&path, change).await.expect(200);
        assert_eq!(changed[member], value);
        assert_eq!(desk.shown(&path).await, changed);
    }
    let refused = admin.patch(&path, json!({"events": []})).await;
    let refused = refused.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(refused["errors"][0]["field"], "events");
    admin.delete(&path).await.expect(204);
    admin.get(&path).await.expect_problem(404, "NOT_FOUND");
    admin.delete(&path).await.expect_problem(404, "NOT_FOUND");
}

async fn an_address_that_leads_inside_is_refused_with_its_field(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    let addresses = [
        "http://127.0.0.1:1/",
        "https://127.0.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://10.0.0.1/",
        "https://localhost/",
        "https://user:pass@93.184.215.14/",
        "http://93.184.215.14/",
        "ftp://93.184.215.14/",
        "hooks.example.com",
        "",
    ];
    for url in addresses {
        let owner = desk.app.owner();
        let created = owner.post("/v1/webhooks", json!({"url": url})).await;
        let changed = owner.patch(&path, json!({"url": url})).await;
        for answer in [created, changed] {
            let problem = answer.expect_problem(400, "INVALID_REQUEST");
            assert_eq!(problem["errors"][0]["field"], "url", "{url}");
        }
    }
    assert_eq!(desk.shown(&path).await["url"], desk.hook.base_url);
}

async fn the_secret_is_shown_once_and_kept_sealed(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, secret) = desk.webhook().await;
    assert!(secret.starts_with("whsec_"));
    let (other, others) = desk.webhook().await;
    assert_ne!(secret, others);
    desk.happens(desk.pending()).await;
    desk.deliver().await;
    let owner = desk.app.owner();
    for path in [
        path.clone(),
        "/v1/webhooks".to_owned(),
        format!("{path}/deliveries"),
        "/v1/audit/events".to_owned(),
    ] {
        let answer = owner.get(&path).await;
        answer.expect(200);
        assert!(!answer.text().contains("whsec_"), "{path}");
        assert!(!answer.text().contains(&secret[6..]), "{path}");
    }
    // One that was put in the place of another does not open, and nothing is sent.
    desk.app
        .database
        .execute(&format!(
            "UPDATE webhooks SET sealed_secret = (SELECT sealed_secret FROM webhooks WHERE id = '{}')
             WHERE id = '{}'",
            other.rsplit('/').next().unwrap(),
            path.rsplit('/').next().unwrap(),
        ))
        .await;
    let before = desk.hook.requests().len();
    let tested = owner.post(&format!("{path}/test"), json!({})).await;
    let tested = tested.expect(200);
    assert_eq!(tested["error"], "its secret cannot be read; rotate it");
    assert_eq!(desk.hook.requests().len(), before);
}

async fn a_secret_that_was_replaced_counts_for_another_day(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, first) = desk.webhook().await;
    let rotate = format!("{path}/rotate-secret");
    let rotated = desk.app.owner().post(&rotate, json!({})).await.expect(200);
    assert_eq!(rotated["webhook"], desk.shown(&path).await);
    let second = rotated["secret"].as_str().unwrap();
    assert_ne!(first, second);
    let told = async || {
        desk.happens(desk.pending()).await;
        desk.deliver().await;
        let request = desk.hook.last_request();
        (
            hook::is_signed(&request, &first),
            hook::is_signed(&request, second),
        )
    };
    assert_eq!(told().await, (true, true));
    desk.app.clock.advance(Duration::from_hours(24));
    assert_eq!(told().await, (false, true));
}

async fn a_delivery_is_sent_again_under_its_id(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    desk.happens(desk.pending()).await;
    let delivery = id(&desk.log(&path).await[0]);
    let again = format!("{path}/deliveries/{delivery}/redeliver");
    let owner = desk.app.owner();
    // It waits anyway.
    let early = owner.post(&again, json!({})).await;
    early.expect_problem(409, "CONFLICT");
    desk.deliver().await;
    let asked = owner.post(&again, json!({})).await.expect(200);
    assert_eq!(asked["status"], "requested");
    assert_eq!(asked["attempts"], 0);
    assert_eq!(desk.deliver().await, 1);
    let requests = desk.hook.requests();
    assert_eq!(requests.len(), 2);
    for request in &requests {
        assert_eq!(request.header("webhook-id"), delivery);
    }
    let off = json!({"enabled": false});
    owner.patch(&path, off).await.expect(200);
    let late = owner.post(&again, json!({})).await;
    late.expect_problem(409, "CONFLICT");
    let (other, _) = desk.webhook().await;
    for wrong in [
        format!("{path}/deliveries/{UNKNOWN_ID}/redeliver"),
        format!("{path}/deliveries/x/redeliver"),
        format!("{other}/deliveries/{delivery}/redeliver"),
    ] {
        let answer = owner.post(&wrong, json!({})).await;
        answer.expect_problem(404, "NOT_FOUND");
    }
}

async fn a_webhook_is_tried_out_without_leaving_a_delivery(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, secret) = desk.webhook().await;
    let test = format!("{path}/test");
    let tested = desk.app.owner().post(&test, json!({})).await.expect(200);
    assert_eq!(tested["accepted"], true);
    assert_eq!(tested["responseStatus"], 200);
    assert_eq!(tested["error"], Value::Null);
    let request = desk.hook.last_request();
    assert!(hook::is_signed(&request, &secret));
    assert_eq!(request.header("webhook-id"), tested["id"]);
    assert_eq!(request.body["type"], "ping");
    desk.hook.fail_next([Fault::Status(503), Fault::CutBefore]);
    let tested = desk.app.owner().post(&test, json!({})).await.expect(200);
    assert_eq!(tested["accepted"], false);
    assert_eq!(tested["responseStatus"], 503);
    let tested = desk.app.owner().post(&test, json!({})).await.expect(200);
    assert_eq!(tested["error"], "the connection broke");
    assert!(desk.log(&path).await.is_empty());
    assert_eq!(desk.deliver().await, 0);
}

async fn an_organization_has_so_many_webhooks_and_no_more(backend: Backend) {
    let desk = Desk::open(backend).await;
    for _ in 0..WEBHOOKS_PER_ORGANIZATION_MAX {
        desk.webhook().await;
    }
    let body = json!({"url": desk.hook.base_url});
    let answer = desk.app.owner().post("/v1/webhooks", body.clone()).await;
    answer.expect_problem(409, "LIMIT_REACHED");
    let foreign = desk.app.foreigner().post("/v1/webhooks", body).await;
    foreign.expect(201);
}

async fn the_log_is_paged_and_private_to_the_organization(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    for _ in 0..5 {
        desk.app.clock.advance(Duration::from_millis(1));
        desk.happens(desk.pending()).await;
    }
    let all: Vec<_> = desk.log(&path).await.iter().map(id).collect();
    let mut seen = Vec::new();
    let mut page = desk.shown(&format!("{path}/deliveries?limit=2")).await;
    loop {
        seen.extend(ids(&page));
        let Some(cursor) = page["nextCursor"].as_str() else {
            break;
        };
        let next = format!("{path}/deliveries?limit=2&status=requested&cursor={cursor}");
        page = desk.shown(&next).await;
    }
    assert_eq!((seen.len(), &seen), (5, &all));
    let wrong = desk
        .app
        .owner()
        .get(&format!("{path}/deliveries?status=lost"));
    wrong.await.expect_problem(400, "INVALID_REQUEST");
    let foreigner = desk.app.foreigner();
    assert_eq!(
        foreigner.get("/v1/webhooks").await.expect(200)["items"],
        json!([])
    );
    let again = format!("{path}/deliveries/{}/redeliver", all[0]);
    foreigner
        .post(&again, json!({}))
        .await
        .expect_problem(404, "NOT_FOUND");
}

async fn what_admins_do_is_in_the_audit_log(backend: Backend) {
    let desk = Desk::open(backend).await;
    let (path, _) = desk.webhook().await;
    desk.happens(desk.pending()).await;
    desk.deliver().await;
    let owner = desk.app.owner();
    let delivery = id(&desk.log(&path).await[0]);
    owner.patch(&path, json!({})).await.expect(200);
    for verb in [
        "rotate-secret",
        "test",
        &format!("deliveries/{delivery}/redeliver"),
    ] {
        let answer = owner.post(&format!("{path}/{verb}"), json!({})).await;
        answer.expect(200);
    }
    owner.delete(&path).await.expect(204);
    app::audit::sign_pending(&desk.app.app, &desk.app.acme)
        .await
        .unwrap();
    let events = desk.shown("/v1/audit/events").await.to_string();
    for operation in [
        "webhook_create",
        "webhook_update",
        "webhook_rotate",
        "webhook_test",
        "webhook_delivery_redeliver",
        "webhook_delete",
    ] {
        assert!(events.contains(operation), "{operation}: {events}");
    }
}
