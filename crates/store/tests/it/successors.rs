//! The sandbox that a session moves to: its number is its own, and the session is in one of the two.

use domain::{
    caller::Incarnation,
    clock::{Clock as _, Timestamp},
    role::Role,
    session::{Session, SessionState},
};
use store::{Db, SessionRuntime};
use testkit::{
    clock::FakeClock,
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    a_session_is_cut_over_by_its_owner_from_the_sandbox_it_is_in,
    a_number_is_never_given_twice_and_dies_with_its_maker,
);

fn now() -> Timestamp {
    FakeClock::new().now()
}

fn runtime(sandbox: &str) -> SessionRuntime {
    SessionRuntime {
        sandbox: Some(sandbox.to_owned()),
        expires_at: Some(now()),
        ..SessionRuntime::default()
    }
}

/// A session that runs in `old`.
async fn running(db: &Db) -> Session {
    let fixture = Fixture::default();
    let (org, _) = fixture.organization(db, "acme", Role::Owner).await;
    let session = Session {
        state: SessionState::Running { started_at: now() },
        ..fixture.session(&org)
    };
    let mut tx = db.write().await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    let old = runtime("old");
    let set = store::session_runtime_set(&mut tx, &session, &old, now());
    assert!(set.await.unwrap());
    tx.commit().await.unwrap();
    session
}

async fn a_session_is_cut_over_by_its_owner_from_the_sandbox_it_is_in(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let session = running(&database.db).await;
    let (org, id) = (&session.organization_id, session.id);
    let mut tx = database.db.write().await.unwrap();
    let next = store::session_successor_begin(&mut tx, &session)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(next, Incarnation(session.incarnation.0 + 1));
    assert_eq!(
        store::session_successor_fetch(&mut tx, id).await.unwrap(),
        Some(next)
    );
    let made = store::session_successor_set_sandbox(&mut tx, &session, next, "new").await;
    assert!(made.unwrap());
    let earlier = Session {
        owner_epoch: session.owner_epoch - 1,
        ..session.clone()
    };
    let new = runtime("new");
    for (of, old, incarnation, is_done) in [
        (&earlier, "old", next, false),
        (&session, "another", next, false),
        (&session, "old", Incarnation(next.0 + 1), false),
        (&session, "old", next, true),
        (&session, "old", next, false),
    ] {
        let cut = store::session_cut_over(&mut tx, of, incarnation, old, &new, now()).await;
        assert_eq!(cut.unwrap(), is_done, "{old} {incarnation:?}");
    }
    let moved = store::session_fetch(&mut tx, org, id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(moved.incarnation, next);
    let row = store::session_runtime_fetch(&mut tx, org, id)
        .await
        .unwrap();
    assert_eq!(row, Some(new));
    assert_eq!(
        store::session_successor_fetch(&mut tx, id).await.unwrap(),
        None
    );
    assert_eq!(
        store::session_successor_sandbox(&mut tx, org, id)
            .await
            .unwrap(),
        None
    );
}

async fn a_number_is_never_given_twice_and_dies_with_its_maker(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let session = running(&database.db).await;
    let (org, id) = (&session.organization_id, session.id);
    let mut tx = database.db.write().await.unwrap();
    let first = store::session_successor_begin(&mut tx, &session)
        .await
        .unwrap()
        .unwrap();
    store::session_successor_end(&mut tx, &session)
        .await
        .unwrap();
    assert_eq!(
        store::session_successor_fetch(&mut tx, id).await.unwrap(),
        None
    );
    let second = store::session_successor_begin(&mut tx, &session)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(second, Incarnation(first.0 + 1));
    let made = store::session_successor_set_sandbox(&mut tx, &session, second, "half").await;
    assert!(made.unwrap());
    // Its maker is gone: the token is dead, and what it made is still known.
    let session = store::session_claim(&mut tx, org, id, now())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        store::session_successor_fetch(&mut tx, id).await.unwrap(),
        None
    );
    let left = store::session_successor_sandbox(&mut tx, org, id)
        .await
        .unwrap();
    assert_eq!(left.as_deref(), Some("half"));
    let booted = store::session_incarnate(&mut tx, &session, now())
        .await
        .unwrap();
    assert_eq!(booted.unwrap().incarnation, Incarnation(second.0 + 1));
}
