//! Sessions are created exactly once and change only by compare-and-set.

use std::{sync::Arc, time::Duration};

use domain::{
    clock::Timestamp,
    page::PageRequest,
    role::Role,
    session::{Session, SessionState, SessionStatus},
    sharing::SessionViewer,
};
use store::{Db, SessionFilter, SessionInsert};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    a_session_reads_back_as_it_was_written,
    one_key_makes_one_session_under_64_racers,
    sessions_without_a_key_never_collide,
    the_same_key_in_two_organizations_makes_two_sessions,
    a_state_is_written_once_by_racing_writers,
    every_state_reads_back,
    lists_are_filtered_and_paged_without_gap_or_repeat,
    stuck_sessions_are_found_oldest_first,
    a_dropped_transaction_leaves_nothing,
);

async fn insert(db: &Db, session: &Session) -> SessionInsert {
    let mut tx = db.write().await.unwrap();
    let outcome = store::session_insert(&mut tx, session).await.unwrap();
    tx.commit().await.unwrap();
    outcome
}

async fn fetch(db: &Db, session: &Session) -> Option<Session> {
    let mut conn = db.read().await.unwrap();
    store::session_fetch(&mut conn, &session.organization_id, session.id)
        .await
        .unwrap()
}

async fn set_state(
    db: &Db,
    session: &Session,
    next: &SessionState,
    now: Timestamp,
) -> Option<Session> {
    let mut tx = db.write().await.unwrap();
    let moved = store::session_set_state(&mut tx, session, next, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    moved
}

async fn a_session_reads_back_as_it_was_written(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, user) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let mut session = fixture.session(&org);
    session.created_by = Some(user);
    session.client_metadata = Some(serde_json::json!({ "thread": [1, 2.5, "é", null] }));
    session.system_prompt = Some("be brief".into());
    session.initial_prompt = Some("fix the build\nplease".into());
    session.title = Some("Fix".into());
    session.snapshot_id = Some("snap".into());
    session.ssh_public_keys = vec!["ssh-ed25519 AAAA".into()];
    session.idempotency_key = Some("k".into());
    session.request_digest = Some("d".into());
    assert_eq!(insert(&test.db, &session).await, SessionInsert::Inserted);
    assert_eq!(fetch(&test.db, &session).await, Some(session.clone()));
    let mut conn = test.db.read().await.unwrap();
    assert_eq!(
        store::session_fetch_any(&mut conn, session.id)
            .await
            .unwrap(),
        Some(session.clone())
    );
    assert_eq!(
        store::session_fetch_key(&mut conn, &org, "k")
            .await
            .unwrap(),
        Some(session)
    );
}

async fn one_key_makes_one_session_under_64_racers(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let barrier = Arc::new(tokio::sync::Barrier::new(64));
    let racers: Vec<_> = (0..64)
        .map(|_| {
            let mut session = fixture.session(&org);
            session.idempotency_key = Some("same".into());
            session.request_digest = Some("d".into());
            let (db, barrier) = (test.db.clone(), Arc::clone(&barrier));
            tokio::spawn(async move {
                barrier.wait().await;
                match insert(&db, &session).await {
                    SessionInsert::Inserted => (true, session.id),
                    SessionInsert::KeyTaken(existing) => (false, existing.id),
                }
            })
        })
        .collect();
    let mut outcomes = Vec::new();
    for racer in racers {
        outcomes.push(racer.await.unwrap());
    }
    assert_eq!(outcomes.iter().filter(|(won, _)| *won).count(), 1);
    let winner = outcomes[0].1;
    assert!(
        outcomes.iter().all(|(_, id)| *id == winner),
        "all were given the same session"
    );
    let mut conn = test.db.read().await.unwrap();
    let page = PageRequest::new(None, None).unwrap();
    let all = store::session_list(
        &mut conn,
        &org,
        SessionViewer::All,
        &SessionFilter::default(),
        page,
    )
    .await
    .unwrap();
    assert_eq!(all.items.len(), 1);
}

async fn sessions_without_a_key_never_collide(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    for _ in 0..3 {
        assert_eq!(
            insert(&test.db, &fixture.session(&org)).await,
            SessionInsert::Inserted
        );
    }
}

async fn the_same_key_in_two_organizations_makes_two_sessions(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    for name in ["acme", "other"] {
        let (org, _) = fixture.organization(&test.db, name, Role::Owner).await;
        let mut session = fixture.session(&org);
        session.idempotency_key = Some("same".into());
        session.request_digest = Some("d".into());
        assert_eq!(insert(&test.db, &session).await, SessionInsert::Inserted);
    }
}

async fn a_state_is_written_once_by_racing_writers(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let session = fixture.session(&org);
    insert(&test.db, &session).await;
    let now = fixture.now();
    let racers: Vec<_> = (0..16)
        .map(|_| {
            let (db, session) = (test.db.clone(), session.clone());
            let next = session.state.clone().start(now).unwrap();
            tokio::spawn(async move { set_state(&db, &session, &next, now).await.is_some() })
        })
        .collect();
    let mut wins = 0;
    for racer in racers {
        wins += u32::from(racer.await.unwrap());
    }
    assert_eq!(wins, 1, "one writer changed the row");

    let mut stale_owner = fetch(&test.db, &session).await.unwrap();
    stale_owner.owner_epoch = -1;
    let next = stale_owner.state.clone().run(now).unwrap();
    assert_eq!(
        set_state(&test.db, &stale_owner, &next, now).await,
        None,
        "an old epoch is refused"
    );
}

async fn every_state_reads_back(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let session = fixture.session(&org);
    insert(&test.db, &session).await;
    let mut current = session;
    let mut visit = async |next: SessionState| {
        fixture.clock.advance(Duration::from_millis(1500));
        let moved = set_state(&test.db, &current, &next, fixture.now())
            .await
            .expect("moved");
        assert_eq!(moved.state, next);
        assert_eq!(moved.updated_at, fixture.now());
        assert_eq!(fetch(&test.db, &moved).await.unwrap().state, next);
        current = moved;
    };
    let at = fixture.now();
    visit(SessionState::Starting { since: at }).await;
    visit(SessionState::Running { started_at: at }).await;
    visit(SessionState::Paused {
        started_at: at,
        paused_at: at,
        reason: "idle".into(),
    })
    .await;
    visit(SessionState::Running { started_at: at }).await;
    visit(SessionState::Failed {
        ended_at: at,
        reason: "crash".into(),
    })
    .await;
    visit(SessionState::Starting { since: at }).await;
    visit(SessionState::Stopped {
        ended_at: at,
        reason: "user".into(),
    })
    .await;
}

async fn lists_are_filtered_and_paged_without_gap_or_repeat(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, user) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let mut ids = Vec::new();
    for n in 0..7 {
        fixture.clock.advance(Duration::from_millis(2));
        let mut session = fixture.session(&org);
        session.created_by = (n % 2 == 0).then(|| user.clone());
        insert(&test.db, &session).await;
        ids.push(session.id);
    }
    ids.reverse();
    let mut conn = test.db.read().await.unwrap();
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let request = PageRequest::new(cursor, Some(3)).unwrap();
        let page = store::session_list(
            &mut conn,
            &org,
            SessionViewer::All,
            &SessionFilter::default(),
            request,
        )
        .await
        .unwrap();
        assert!(page.items.len() <= 3);
        seen.extend(page.items.iter().map(|session| session.id));
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, ids, "newest first, each once");

    let request = PageRequest::new(None, None).unwrap();
    let mine = SessionFilter {
        created_by: Some(user),
        ..SessionFilter::default()
    };
    assert_eq!(
        store::session_list(&mut conn, &org, SessionViewer::All, &mine, request)
            .await
            .unwrap()
            .items
            .len(),
        4
    );
    let running = SessionFilter {
        status: Some(SessionStatus::Running),
        ..SessionFilter::default()
    };
    assert!(
        store::session_list(&mut conn, &org, SessionViewer::All, &running, request)
            .await
            .unwrap()
            .items
            .is_empty()
    );
}

async fn stuck_sessions_are_found_oldest_first(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let mut starting = Vec::new();
    for _ in 0..3 {
        let mut session = fixture.session(&org);
        session.state = SessionState::Starting {
            since: fixture.now(),
        };
        insert(&test.db, &session).await;
        starting.push(session.id);
        fixture.clock.advance(Duration::from_mins(1));
    }
    insert(&test.db, &fixture.session(&org)).await;
    let mut conn = test.db.read().await.unwrap();
    let before = fixture.now().minus(Duration::from_secs(90));
    let stuck = store::session_list_stuck(&mut conn, before, 10)
        .await
        .unwrap();
    let ids: Vec<_> = stuck.iter().map(|session| session.id).collect();
    assert_eq!(ids, starting[..2]);
}

async fn a_dropped_transaction_leaves_nothing(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let session = fixture.session(&org);
    let mut tx = test.db.write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    drop(tx);
    assert_eq!(fetch(&test.db, &session).await, None);
    assert_eq!(
        insert(&test.db, &session).await,
        SessionInsert::Inserted,
        "and the writer is free"
    );
}
