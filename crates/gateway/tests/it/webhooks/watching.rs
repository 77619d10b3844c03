//! Notices for clients of a session, on any instance.

use std::time::Duration;

use app::{
    App, Parts,
    notices::{self, Notice, NoticeSubscription, NoticeUpdate},
};
use domain::{
    id::InstanceId,
    instance::Instance,
    lease::Topic,
    limits::{PENDING_PER_SESSION_MAX, SUBSCRIPTION_QUEUE_MAX},
};
use serde_json::Value;
use testkit::{
    app::{CoordinationBackend, TestApp},
    database::Backend,
};
use wire::notice::NoticeMessage;

use super::{Desk, happens, moves, record, states};

testkit::on_both_databases!(
    defect_21_a_late_client_is_told_what_waits_and_then_what_happens,
    defect_21_instances_that_share_memory_hear_each_other,
    defect_21_instances_hear_each_other_through_redis,
    messages_have_the_documented_shape,
    a_slow_subscriber_is_told_so_and_gets_pending_requests_again,
    a_session_of_another_organization_is_not_there,
);

async fn listen(app: &App, desk: &Desk) -> NoticeSubscription {
    let acme = &desk.app.acme;
    notices::subscribe(app, acme, desk.session).await.unwrap()
}

async fn next(watch: &mut NoticeSubscription) -> Value {
    match watch.next().await.unwrap().unwrap() {
        NoticeUpdate::Notice(message) => message,
        missed @ NoticeUpdate::Missed(_) => panic!("{missed:?}"),
    }
}

fn id(notice: &Notice) -> String {
    notice.record().invocation.id.to_string()
}

async fn defect_21_a_late_client_is_told_what_waits_and_then_what_happens(backend: Backend) {
    let desk = Desk::open(backend).await;
    let app = &desk.app.app;
    let decided = desk.happens(states(&desk)[3].clone()).await;
    let first = desk.happens(desk.pending()).await;
    desk.app.clock.advance(Duration::from_secs(1));
    let second = desk.happens(desk.pending()).await;
    let mut watch = listen(app, &desk).await;
    // Published late: it is known from the list, and not sent twice.
    notices::publish(app, &second).await;
    notices::publish(app, &decided).await;
    for (pending, expires_at) in [
        (&first, "2026-01-01T00:05:00Z"),
        (&second, "2026-01-01T00:05:01Z"),
    ] {
        let message = next(&mut watch).await;
        assert_eq!(message["type"], "action_approval_request");
        assert_eq!(message["payload"]["invocationId"], id(pending));
        assert_eq!(message["payload"]["params"]["title"], "It is broken");
        assert_eq!(message["payload"]["expiresAt"], expires_at);
    }
    let message = next(&mut watch).await;
    assert_eq!(message["type"], "action_approval_result");
    assert_eq!(message["payload"]["status"], "denied");
    assert_eq!(message["payload"]["reason"], "not now");
    // Asked for once more, it is another question.
    desk.app.clock.advance(Duration::from_secs(1));
    let again = record_again(&desk, &second).await;
    notices::publish(app, &again).await;
    let message = next(&mut watch).await;
    assert_eq!(message["payload"]["invocationId"], id(&second));
    assert_eq!(message["payload"]["expiresAt"], "2026-01-01T00:05:02Z");
}

/// The same invocation, pending until later.
async fn record_again(desk: &Desk, notice: &Notice) -> Notice {
    moves(&desk.app, notice.record(), desk.pending(), None).await
}

async fn each_hears_the_other(desk: &Desk, here: &App, there: &App) {
    let (mut at_here, mut at_there) = (listen(here, desk).await, listen(there, desk).await);
    for (teller, number) in [(here, 0), (there, 1), (here, 2)] {
        let state = states(desk).remove(3 + number);
        let notice = Notice::of(teller, desk.record(state)).unwrap();
        notices::publish(teller, &notice).await;
        for watch in [&mut at_here, &mut at_there] {
            let message = next(watch).await;
            assert_eq!(message["payload"]["invocationId"], id(&notice));
            assert_eq!(message["type"], notice.kind().as_str());
        }
    }
}

async fn defect_21_instances_that_share_memory_hear_each_other(backend: Backend) {
    let desk = Desk::open(backend).await;
    let app = &desk.app.app;
    let parts: &Parts = app;
    let there = App::new(Parts {
        instance: Instance {
            id: InstanceId::generate(app.now(), &desk.app.fixture.entropy),
            ..app.instance.clone()
        },
        ..parts.clone()
    });
    each_hears_the_other(&desk, app, &there).await;
}

async fn defect_21_instances_hear_each_other_through_redis(backend: Backend) {
    let desk = Desk::open(backend).await;
    let instance = || TestApp::builder(backend).coordination(CoordinationBackend::Redis);
    let here = instance().beside(&desk.app).await;
    let there = instance().beside(&desk.app).await;
    each_hears_the_other(&desk, &here.app, &there.app).await;
}

async fn messages_have_the_documented_shape(backend: Backend) {
    let desk = Desk::open(backend).await;
    let app = &desk.app.app;
    let mut watch = listen(app, &desk).await;
    for state in states(&desk) {
        let mut record = desk.record(state);
        record.result = Some(serde_json::json!({"ok": true}));
        let notice = Notice::of(app, record).unwrap();
        notices::publish(app, &notice).await;
        let message = next(&mut watch).await;
        let read: NoticeMessage = serde_json::from_value(message.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), message);
    }
}

async fn a_slow_subscriber_is_told_so_and_gets_pending_requests_again(backend: Backend) {
    let desk = Desk::open(backend).await;
    let app = &desk.app.app;
    let mut watch = listen(app, &desk).await;
    let mut waiting = Vec::new();
    for _ in 0..PENDING_PER_SESSION_MAX {
        waiting.push(id(&desk.happens(desk.pending()).await));
    }
    waiting.sort();
    let expired = Notice::of(app, desk.record(states(&desk).remove(5))).unwrap();
    for _ in 0..SUBSCRIPTION_QUEUE_MAX + 3 {
        notices::publish(app, &expired).await;
    }
    // Others may say other things on the topic.
    let topic = Topic::Session(desk.session);
    app.coordination
        .publish(topic, r#"{"type": "token"}"#.into())
        .await
        .unwrap();
    assert_eq!(
        watch.next().await.unwrap(),
        Some(NoticeUpdate::Missed(Some(4)))
    );
    let mut told = Vec::new();
    for _ in 0..waiting.len() {
        let message = next(&mut watch).await;
        assert_eq!(message["type"], "action_approval_request");
        told.push(
            message["payload"]["invocationId"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    told.sort();
    assert_eq!(told, waiting);
    for _ in 0..SUBSCRIPTION_QUEUE_MAX - 1 {
        assert_eq!(next(&mut watch).await["payload"]["status"], "expired");
    }
}

async fn a_session_of_another_organization_is_not_there(backend: Backend) {
    let desk = Desk::open(backend).await;
    let app = &desk.app.app;
    let other = &desk.app.other;
    let refused = notices::subscribe(app, other, desk.session).await;
    assert!(matches!(refused, Err(app::Error::NotFound("session"))));
    // What happens elsewhere is not heard here.
    let session = desk.app.fixture.session(other);
    desk.app.insert_session(&session).await;
    let mut watch = listen(app, &desk).await;
    let foreign = record(&desk.app, other, session.id, desk.pending());
    let foreign = happens(&desk.app, foreign).await;
    notices::publish(app, &foreign).await;
    let own = desk.happens(desk.pending()).await;
    notices::publish(app, &own).await;
    assert_eq!(next(&mut watch).await["payload"]["invocationId"], id(&own));
}
