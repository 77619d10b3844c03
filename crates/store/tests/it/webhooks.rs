//! Webhooks in the store: who is told, one sender at a time, and a log that forgets in time.

use std::time::Duration;

use domain::{
    clock::Timestamp,
    id::{DeliveryId, InvocationId, OrganizationId, WebhookId},
    notice::NoticeKind,
    page::PageRequest,
    role::Role,
    webhook::{Attempt, Delivery, DeliveryStatus, Webhook, WebhookHealth},
};
use serde_json::json;
use store::{NewNotice, SealedWebhook};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    a_webhook_is_read_back_as_it_was_written,
    an_event_is_enqueued_for_its_subscribers_alone,
    an_enqueue_that_is_rolled_back_leaves_no_delivery,
    two_senders_never_take_the_same_delivery,
    what_a_dead_sender_took_is_free_again_in_time,
    a_late_failure_does_not_count_and_a_late_success_does,
    what_is_given_up_while_it_is_sent_counts_if_it_is_taken,
    health_is_what_the_last_attempts_say,
    what_is_over_is_repeated_from_the_beginning_and_forgotten_in_the_end,
    the_database_refuses_deliveries_that_cannot_be,
    a_webhook_that_is_removed_meanwhile_fails_no_enqueue,
);

use NoticeKind::{ActionApprovalRequest, ActionApprovalResult, ActionCompleted};

struct Desk {
    test: TestDatabase,
    fixture: Fixture,
    acme: OrganizationId,
}

impl Desk {
    async fn open(backend: Backend) -> Self {
        let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
        let (acme, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
        Self {
            test,
            fixture,
            acme,
        }
    }

    fn now(&self) -> Timestamp {
        self.fixture.now()
    }

    async fn webhook(&self, organization_id: &OrganizationId, events: &[NoticeKind]) -> Webhook {
        let now = self.now();
        let webhook = Webhook {
            id: WebhookId::generate(now, &self.fixture.entropy),
            organization_id: organization_id.clone(),
            url: "https://hooks.example/x".to_owned(),
            events: events.iter().copied().collect(),
            enabled: true,
            created_by: None,
            created_at: now,
            updated_at: now,
            health: WebhookHealth::default(),
        };
        let sealed = SealedWebhook {
            webhook,
            sealed_secret: "sealed".to_owned(),
            before: None,
        };
        let mut tx = self.test.db.write().await.unwrap();
        store::webhook_insert(&mut tx, &sealed).await.unwrap();
        tx.commit().await.unwrap();
        sealed.webhook
    }

    fn notice(&self, organization_id: &OrganizationId, event: NoticeKind) -> NewNotice {
        let (now, entropy) = (self.now(), &self.fixture.entropy);
        NewNotice {
            id: DeliveryId::generate(now, entropy),
            organization_id: organization_id.clone(),
            event,
            invocation_id: (event != NoticeKind::SpendNotice)
                .then(|| InvocationId::generate(now, entropy)),
            told: json!({"status": "approved"}),
            created_at: now,
        }
    }

    async fn enqueue(&self, notices: &[NewNotice]) {
        let mut tx = self.test.db.write().await.unwrap();
        store::webhook_delivery_enqueue_all(&mut tx, notices)
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }

    async fn log(&self, webhook: &Webhook) -> Vec<Delivery> {
        let mut conn = self.test.db.read().await.unwrap();
        let page = PageRequest::new(None, None).unwrap();
        let page = store::webhook_delivery_page(
            &mut conn,
            &webhook.organization_id,
            webhook.id,
            None,
            page,
        );
        page.await.unwrap().items
    }

    async fn claim(&self, webhook: &Webhook, limit: u32) -> Vec<Delivery> {
        let mut tx = self.test.db.write().await.unwrap();
        let (now, until) = (self.now(), self.now().plus(Duration::from_mins(1)));
        let claimed = store::webhook_delivery_claim(&mut tx, webhook.id, now, until, limit);
        let claimed = claimed.await.unwrap();
        tx.commit().await.unwrap();
        claimed
    }

    async fn settle(&self, taken: &Delivery, attempt: Attempt) -> bool {
        let settled = attempt.settle(taken.attempts, self.now());
        let mut tx = self.test.db.write().await.unwrap();
        let hit = store::webhook_delivery_settle(&mut tx, taken, &settled)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        hit
    }
}

fn accepted() -> Attempt {
    Attempt::Accepted {
        response_status: 200,
    }
}

fn failed() -> Attempt {
    Attempt::Failed {
        response_status: Some(500),
        error: "it answered 500".to_owned(),
        retry_after: None,
    }
}

async fn a_webhook_is_read_back_as_it_was_written(backend: Backend) {
    let desk = Desk::open(backend).await;
    for events in [
        &NoticeKind::ALL[..1],
        &NoticeKind::ALL[1..],
        NoticeKind::ALL,
    ] {
        let written = desk.webhook(&desk.acme, events).await;
        let mut conn = desk.test.db.read().await.unwrap();
        let read = store::webhook_fetch(&mut conn, &desk.acme, written.id)
            .await
            .unwrap();
        assert_eq!(read, Some(written));
    }
    let webhook = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    let mut tx = desk.test.db.write().await.unwrap();
    let (now, until) = (desk.now(), desk.now().plus(Duration::from_hours(1)));
    let rotated = store::webhook_rotate(&mut tx, &desk.acme, webhook.id, "newer", until, now);
    assert!(rotated.await.unwrap());
    let sealed = store::webhook_fetch_sealed(&mut tx, &desk.acme, webhook.id).await;
    let sealed = sealed.unwrap().unwrap();
    assert_eq!(sealed.sealed_secret, "newer");
    assert_eq!(sealed.before, Some(("sealed".to_owned(), until)));
}

async fn an_event_is_enqueued_for_its_subscribers_alone(backend: Backend) {
    let desk = Desk::open(backend).await;
    let fixture = &desk.fixture;
    let (other, _) = fixture
        .organization(&desk.test.db, "other", Role::Owner)
        .await;
    let all = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    let results = desk.webhook(&desk.acme, &[ActionApprovalResult]).await;
    let mut off = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    let foreign = desk.webhook(&other, NoticeKind::ALL).await;
    off.enabled = false;
    let mut tx = desk.test.db.write().await.unwrap();
    assert!(store::webhook_update(&mut tx, &off).await.unwrap());
    tx.commit().await.unwrap();
    let notices: Vec<_> = [ActionApprovalRequest, ActionApprovalResult, ActionCompleted]
        .map(|event| desk.notice(&desk.acme, event))
        .into();
    desk.enqueue(&notices).await;
    let unknown = OrganizationId::new("org_unknown").unwrap();
    desk.enqueue(&[desk.notice(&unknown, ActionCompleted)])
        .await;
    let ids = |log: Vec<Delivery>| {
        let mut ids: Vec<_> = log.iter().map(|delivery| delivery.id).collect();
        ids.sort();
        ids
    };
    let mut expected: Vec<_> = notices.iter().map(|notice| notice.id).collect();
    expected.sort();
    assert_eq!(ids(desk.log(&all).await), expected);
    assert_eq!(ids(desk.log(&results).await), [notices[1].id]);
    assert!(desk.log(&off).await.is_empty());
    assert!(desk.log(&foreign).await.is_empty());
    let told = &desk.log(&results).await[0];
    assert_eq!(told.status, DeliveryStatus::Requested);
    assert_eq!(told.invocation_id, notices[1].invocation_id);
    assert_eq!(told.told, json!({"status": "approved"}));
    assert_eq!((told.attempts, told.next_attempt_at), (0, Some(desk.now())));
}

async fn an_enqueue_that_is_rolled_back_leaves_no_delivery(backend: Backend) {
    let desk = Desk::open(backend).await;
    let webhook = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    let mut tx = desk.test.db.write().await.unwrap();
    let notice = desk.notice(&desk.acme, ActionCompleted);
    store::webhook_delivery_enqueue_all(&mut tx, &[notice])
        .await
        .unwrap();
    drop(tx);
    assert!(desk.log(&webhook).await.is_empty());
}

async fn two_senders_never_take_the_same_delivery(backend: Backend) {
    let desk = Desk::open(backend).await;
    let webhook = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    let notices: Vec<_> = (0..60)
        .map(|_| desk.notice(&desk.acme, ActionCompleted))
        .collect();
    desk.enqueue(&notices).await;
    let sender = async || {
        let mut taken = Vec::new();
        loop {
            let some = desk.claim(&webhook, 7).await;
            if some.is_empty() {
                return taken;
            }
            taken.extend(some.into_iter().map(|delivery| delivery.id));
        }
    };
    let (a, b, c, d) = tokio::join!(sender(), sender(), sender(), sender());
    let mut taken = [a, b, c, d].concat();
    taken.sort();
    let mut expected: Vec<_> = notices.iter().map(|notice| notice.id).collect();
    expected.sort();
    assert_eq!(taken, expected, "each of them, and each once");
}

async fn what_a_dead_sender_took_is_free_again_in_time(backend: Backend) {
    let desk = Desk::open(backend).await;
    let webhook = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    desk.enqueue(&[desk.notice(&desk.acme, ActionCompleted)])
        .await;
    let first = desk.claim(&webhook, 10).await;
    assert_eq!((first.len(), first[0].attempts), (1, 1));
    assert_eq!(first[0].status, DeliveryStatus::Requested);
    assert!(desk.claim(&webhook, 10).await.is_empty());
    desk.fixture.clock.advance(Duration::from_secs(59));
    assert!(desk.claim(&webhook, 10).await.is_empty());
    desk.fixture.clock.advance(Duration::from_secs(1));
    let second = desk.claim(&webhook, 10).await;
    assert_eq!((second.len(), second[0].attempts), (1, 2));
    assert_eq!(second[0].status, DeliveryStatus::Retried, "it shows");
}

async fn a_late_failure_does_not_count_and_a_late_success_does(backend: Backend) {
    let desk = Desk::open(backend).await;
    let webhook = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    desk.enqueue(&[desk.notice(&desk.acme, ActionCompleted)])
        .await;
    let slow = desk.claim(&webhook, 10).await.remove(0);
    desk.fixture.clock.advance(Duration::from_mins(1));
    let quick = desk.claim(&webhook, 10).await.remove(0);
    assert!(!desk.settle(&slow, failed()).await);
    assert_eq!(desk.log(&webhook).await[0].error, None);
    assert!(desk.settle(&slow, accepted()).await, "the receiver has it");
    assert!(!desk.settle(&quick, failed()).await);
    let shown = desk.log(&webhook).await.remove(0);
    assert_eq!(shown.status, DeliveryStatus::Accepted);
    assert_eq!(shown.next_attempt_at, None);
}

async fn what_is_given_up_while_it_is_sent_counts_if_it_is_taken(backend: Backend) {
    let desk = Desk::open(backend).await;
    let webhook = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    let notices = [ActionCompleted, ActionCompleted].map(|kind| desk.notice(&desk.acme, kind));
    desk.enqueue(&notices).await;
    let sent = desk.claim(&webhook, 1).await.remove(0);
    let mut tx = desk.test.db.write().await.unwrap();
    store::webhook_delivery_give_up(&mut tx, webhook.id, "off")
        .await
        .unwrap();
    tx.commit().await.unwrap();
    for given_up in desk.log(&webhook).await {
        assert_eq!(given_up.status, DeliveryStatus::Failed);
        assert_eq!(given_up.error.as_deref(), Some("off"));
    }
    assert!(!desk.settle(&sent, failed()).await, "it is over");
    assert!(desk.settle(&sent, accepted()).await, "the receiver has it");
    let log = desk.log(&webhook).await;
    let shown = log.iter().find(|delivery| delivery.id == sent.id).unwrap();
    assert_eq!(shown.status, DeliveryStatus::Accepted);
}

async fn health_is_what_the_last_attempts_say(backend: Backend) {
    let desk = Desk::open(backend).await;
    let webhook = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    let began = desk.now();
    let health = async || {
        let mut conn = desk.test.db.read().await.unwrap();
        let read = store::webhook_fetch(&mut conn, &desk.acme, webhook.id)
            .await
            .unwrap();
        read.unwrap().health
    };
    for attempts in [1, 2] {
        let mut tx = desk.test.db.write().await.unwrap();
        store::webhook_record_failure(&mut tx, &desk.acme, webhook.id, attempts, "no", desk.now())
            .await
            .unwrap();
        tx.commit().await.unwrap();
        desk.fixture.clock.advance(Duration::from_secs(1));
    }
    let failing = health().await;
    assert_eq!(failing.failing_since, Some(began), "since the first");
    assert_eq!(failing.failed_attempts, 3);
    assert_eq!(failing.last_error.as_deref(), Some("no"));
    let mut tx = desk.test.db.write().await.unwrap();
    store::webhook_record_success(&mut tx, &desk.acme, webhook.id, desk.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let well = health().await;
    assert_eq!((well.failing_since, well.failed_attempts), (None, 0));
    assert_eq!(well.last_success_at, Some(desk.now()));
    assert_eq!(well.last_error.as_deref(), Some("no"), "it is still of use");
}

async fn what_is_over_is_repeated_from_the_beginning_and_forgotten_in_the_end(backend: Backend) {
    let desk = Desk::open(backend).await;
    let webhook = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    let notices = [
        desk.notice(&desk.acme, ActionCompleted),
        desk.notice(&desk.acme, ActionCompleted),
    ];
    desk.enqueue(&notices).await;
    let repeat = async |id| {
        let mut tx = desk.test.db.write().await.unwrap();
        let repeated =
            store::webhook_delivery_repeat(&mut tx, &desk.acme, webhook.id, id, desk.now());
        let repeated = repeated.await.unwrap();
        tx.commit().await.unwrap();
        repeated
    };
    assert_eq!(repeat(notices[0].id).await, None, "it waits anyway");
    let taken = desk.claim(&webhook, 1).await.remove(0);
    let error = "no".to_owned();
    assert!(desk.settle(&taken, Attempt::Impossible { error }).await);
    desk.fixture.clock.advance(Duration::from_secs(10));
    let again = repeat(taken.id).await.unwrap();
    assert_eq!(again.status, DeliveryStatus::Requested);
    assert_eq!((again.attempts, again.error), (0, None));
    assert_eq!(again.requested_at, desk.now());
    let sweep = async |before| {
        let mut tx = desk.test.db.write().await.unwrap();
        let removed = store::webhook_delivery_sweep(&mut tx, before, 10)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        removed
    };
    let end = desk.now().plus(Duration::from_secs(1));
    assert_eq!(sweep(end).await, 0, "what waits is not forgotten");
    let taken = desk.claim(&webhook, 1).await.remove(0);
    assert!(desk.settle(&taken, accepted()).await);
    assert_eq!(sweep(taken.created_at).await, 0);
    assert_eq!(sweep(end).await, 1);
    assert_eq!(desk.log(&webhook).await.len(), 1);
}

async fn the_database_refuses_deliveries_that_cannot_be(backend: Backend) {
    let desk = Desk::open(backend).await;
    let webhook = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    let fixture = &desk.fixture;
    fixture
        .organization(&desk.test.db, "other", Role::Owner)
        .await;
    desk.enqueue(&[desk.notice(&desk.acme, ActionCompleted)])
        .await;
    for sql in [
        "UPDATE webhook_deliveries SET status = 'lost'",
        "UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL",
        "UPDATE webhook_deliveries SET status = 'accepted', next_attempt_at = NULL",
        "UPDATE webhook_deliveries SET next_attempt_at = NULL",
        "UPDATE webhook_deliveries SET organization_id = 'org_other'",
        "UPDATE webhook_deliveries SET event = 'x'",
        "UPDATE webhooks SET failed_attempts = 1",
        "UPDATE webhooks SET sealed_secret_before = 'x'",
        "UPDATE webhooks SET url = ''",
    ] {
        let outcome = desk.test.try_execute(sql).await;
        assert!(outcome.is_err(), "accepted: {sql}");
    }
    let mut tx = desk.test.db.write().await.unwrap();
    assert!(
        store::webhook_delete(&mut tx, &desk.acme, webhook.id)
            .await
            .unwrap()
    );
    tx.commit().await.unwrap();
    assert!(desk.log(&webhook).await.is_empty(), "its log goes with it");
}

/// The webhook is gone once its deletion commits; until then an enqueue for it waits.
async fn a_webhook_that_is_removed_meanwhile_fails_no_enqueue(backend: Backend) {
    let desk = Desk::open(backend).await;
    let webhook = desk.webhook(&desk.acme, NoticeKind::ALL).await;
    let notice = desk.notice(&desk.acme, ActionCompleted);
    let db = desk.test.db.clone();
    let mut deleting = desk.test.db.write().await.unwrap();
    assert!(
        store::webhook_delete(&mut deleting, &desk.acme, webhook.id)
            .await
            .unwrap()
    );
    let (begun, begin) = tokio::sync::oneshot::channel();
    let telling = tokio::spawn(async move {
        // SQLite has one writer, so the transaction itself waits there.
        begun.send(()).unwrap();
        let mut tx = db.write().await.unwrap();
        store::webhook_delivery_enqueue_all(&mut tx, &[notice])
            .await
            .unwrap();
        tx.commit().await.unwrap();
    });
    begin.await.unwrap();
    if backend == Backend::Postgres {
        desk.test.until_a_transaction_waits_for_a_lock().await;
    }
    deleting.commit().await.unwrap();
    telling.await.unwrap();
    assert!(desk.log(&webhook).await.is_empty());
}

/// Also for an organization without webhooks, and however many others there are.
#[tokio::test]
async fn telling_costs_one_look_at_an_index() {
    let test = TestDatabase::create(Backend::Sqlite).await;
    let path = test.url.trim_start_matches("sqlite:");
    let connection = rusqlite::Connection::open(path).unwrap();
    let statements = store::statements();
    let name = "WEBHOOK_DELIVERY_ENQUEUE_ALL";
    let statement = statements.iter().find(|statement| statement.name == name);
    let sql = format!("EXPLAIN QUERY PLAN {}", statement.unwrap().sqlite);
    let mut plan = connection.prepare(&sql).unwrap();
    let mut rows = plan.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        steps.push(row.get::<_, String>("detail").unwrap());
    }
    let plan = steps.join("; ");
    let lookup = "SEARCH w USING INDEX sqlite_autoindex_webhooks_2 (organization_id=?)";
    assert!(plan.contains(lookup), "{plan}");
    assert!(!plan.contains("SCAN w"), "{plan}");
}
