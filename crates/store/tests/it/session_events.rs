//! The log of a session: in order, without holes, by its owner alone.

use std::sync::Arc;

use domain::{
    clock::{Clock as _, Timestamp},
    id::OrganizationId,
    limits::LIVE_EVENTS_PAGE_LENGTH_MAX,
    role::Role,
    session::Session,
    session_event::SessionEvent,
};
use store::{Db, EventAppend};
use testkit::{
    clock::FakeClock,
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    events_read_back_in_order_and_page_by_page,
    a_page_of_large_events_is_shorter,
    only_the_owner_writes,
    a_session_does_not_change_hands_in_the_middle_of_an_append,
    an_event_goes_into_the_next_place_or_nowhere,
    racing_writers_leave_no_hole_and_no_double,
    old_events_go_and_the_newest_stays,
    another_organization_sees_nothing,
);

fn now() -> Timestamp {
    FakeClock::new().now()
}

fn event(seq: u64) -> SessionEvent {
    SessionEvent {
        seq,
        kind: "token".into(),
        payload: format!("{{\"token\":\"é \\u0000 '\\\"; {seq}\", \"b\": 1,\"a\":2}}"),
        created_at: now(),
    }
}

fn events(from: u64, to: u64) -> Vec<SessionEvent> {
    (from..=to).map(event).collect()
}

async fn session(db: &Db) -> Session {
    let fixture = Fixture::default();
    let (org, _) = fixture.organization(db, "acme", Role::Owner).await;
    let session = fixture.session(&org);
    let mut tx = db.write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    tx.commit().await.unwrap();
    session
}

async fn append(db: &Db, session: &Session, epoch: i64, events: &[SessionEvent]) -> EventAppend {
    let mut tx = db.write().await.unwrap();
    let outcome =
        store::session_event_append(&mut tx, &session.organization_id, session.id, epoch, events)
            .await
            .unwrap();
    if outcome == EventAppend::Appended {
        tx.commit().await.unwrap();
    }
    outcome
}

async fn list(db: &Db, session: &Session, after: u64, count: u32) -> Vec<SessionEvent> {
    let mut conn = db.read().await.unwrap();
    store::session_event_list(
        &mut conn,
        &session.organization_id,
        session.id,
        after,
        count,
    )
    .await
    .unwrap()
}

async fn last(db: &Db, session: &Session) -> u64 {
    let mut conn = db.read().await.unwrap();
    store::session_event_last(&mut conn, &session.organization_id, session.id)
        .await
        .unwrap()
}

async fn events_read_back_in_order_and_page_by_page(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let session = session(&test.db).await;
    let epoch = session.owner_epoch;
    assert_eq!(last(&test.db, &session).await, 0);
    assert_eq!(
        append(&test.db, &session, epoch, &[]).await,
        EventAppend::Appended
    );
    assert_eq!(
        append(&test.db, &session, epoch, &events(1, 5)).await,
        EventAppend::Appended
    );
    assert_eq!(
        append(&test.db, &session, epoch, &events(6, 6)).await,
        EventAppend::Appended
    );
    assert_eq!(last(&test.db, &session).await, 6);
    assert_eq!(list(&test.db, &session, 0, 100).await, events(1, 6));
    assert_eq!(list(&test.db, &session, 2, 2).await, events(3, 4));
    assert_eq!(list(&test.db, &session, 6, 100).await, []);
    assert_eq!(list(&test.db, &session, u64::MAX, 100).await, []);
}

async fn a_page_of_large_events_is_shorter(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let session = session(&test.db).await;
    let length = LIVE_EVENTS_PAGE_LENGTH_MAX as usize;
    let sized = |seq: u64, length: usize| SessionEvent {
        payload: format!("\"{}\"", "é".repeat(length)),
        ..event(seq)
    };
    let all = [
        sized(1, length / 2),
        sized(2, length / 2 - 10),
        sized(3, length / 2),
        sized(4, length + 1),
        sized(5, 1),
    ];
    append(&test.db, &session, session.owner_epoch, &all).await;
    let mut pages = Vec::new();
    let mut after = 0;
    loop {
        let page = list(&test.db, &session, after, 100).await;
        let Some(last) = page.last() else {
            break;
        };
        after = last.seq;
        pages.push(page.iter().map(|event| event.seq).collect::<Vec<_>>());
    }
    assert_eq!(pages, [vec![1, 2], vec![3], vec![4], vec![5]]);
}

async fn only_the_owner_writes(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let session = session(&test.db).await;
    let before = session.owner_epoch;
    append(&test.db, &session, before, &events(1, 1)).await;
    let mut tx = test.db.write().await.unwrap();
    let claimed = store::session_claim(&mut tx, &session.organization_id, session.id, now())
        .await
        .unwrap()
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(claimed.owner_epoch, before + 1);
    let late = append(&test.db, &session, before, &events(2, 2)).await;
    assert_eq!(late, EventAppend::NotOwner);
    let early = append(&test.db, &session, before + 2, &events(2, 2)).await;
    assert_eq!(early, EventAppend::NotOwner);
    let owner = append(&test.db, &session, before + 1, &events(2, 2)).await;
    assert_eq!(owner, EventAppend::Appended);
    assert_eq!(list(&test.db, &session, 0, 9).await.len(), 2);
}

async fn a_session_does_not_change_hands_in_the_middle_of_an_append(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let session = session(&test.db).await;
    let mut tx = test.db.write().await.unwrap();
    let outcome = store::session_event_append(
        &mut tx,
        &session.organization_id,
        session.id,
        session.owner_epoch,
        &events(1, 1),
    )
    .await
    .unwrap();
    assert_eq!(outcome, EventAppend::Appended);
    let (db, other) = (test.db.clone(), session.clone());
    let mut claim = tokio::spawn(async move {
        let mut tx = db.write().await.unwrap();
        store::session_claim(&mut tx, &other.organization_id, other.id, now())
            .await
            .unwrap();
        tx.commit().await.unwrap();
    });
    let soon = std::time::Duration::from_millis(300);
    assert!(tokio::time::timeout(soon, &mut claim).await.is_err());
    tx.commit().await.unwrap();
    claim.await.unwrap();
    let late = append(&test.db, &session, session.owner_epoch, &events(2, 2)).await;
    assert_eq!(late, EventAppend::NotOwner);
    assert_eq!(last(&test.db, &session).await, 1);
}

async fn an_event_goes_into_the_next_place_or_nowhere(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let session = session(&test.db).await;
    let epoch = session.owner_epoch;
    append(&test.db, &session, epoch, &events(1, 3)).await;
    for wrong in [events(3, 3), events(2, 5), events(5, 6), events(1, 9)] {
        let outcome = append(&test.db, &session, epoch, &wrong).await;
        assert_eq!(outcome, EventAppend::OutOfPlace, "{wrong:?}");
    }
    assert_eq!(list(&test.db, &session, 0, 100).await, events(1, 3));
}

async fn racing_writers_leave_no_hole_and_no_double(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let session = Arc::new(session(&test.db).await);
    let mut writers = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (db, session) = (test.db.clone(), Arc::clone(&session));
        writers.spawn(async move {
            let mut written = 0;
            while written < 5 {
                let next = last(&db, &session).await + 1;
                let batch = events(next, next + 1);
                let outcome = append(&db, &session, session.owner_epoch, &batch).await;
                written += u32::from(outcome == EventAppend::Appended);
            }
        });
    }
    while let Some(done) = writers.join_next().await {
        done.unwrap();
    }
    assert_eq!(list(&test.db, &session, 0, 500).await, events(1, 80));
}

async fn old_events_go_and_the_newest_stays(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let session = session(&test.db).await;
    append(&test.db, &session, session.owner_epoch, &events(1, 10)).await;
    let trim = async |kept| {
        let mut tx = test.db.write().await.unwrap();
        let removed =
            store::session_event_trim(&mut tx, &session.organization_id, session.id, kept)
                .await
                .unwrap();
        tx.commit().await.unwrap();
        removed
    };
    assert_eq!(trim(20).await, 0);
    assert_eq!(trim(4).await, 6);
    assert_eq!(list(&test.db, &session, 2, 100).await, events(7, 10));
    assert_eq!(trim(0).await, 3);
    assert_eq!(last(&test.db, &session).await, 10);
    let next = append(&test.db, &session, session.owner_epoch, &events(11, 11)).await;
    assert_eq!(next, EventAppend::Appended);
}

async fn another_organization_sees_nothing(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let mut session = session(&test.db).await;
    append(&test.db, &session, session.owner_epoch, &events(1, 2)).await;
    session.organization_id = "org_other".parse::<OrganizationId>().unwrap();
    assert_eq!(list(&test.db, &session, 0, 9).await, []);
    assert_eq!(last(&test.db, &session).await, 0);
    let outcome = append(&test.db, &session, session.owner_epoch, &events(1, 1)).await;
    assert_eq!(outcome, EventAppend::NotOwner);
}
