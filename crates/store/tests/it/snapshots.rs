//! Snapshots: recorded by whom and for what they were taken of, and kept while something refers to them.

use domain::{
    clock::{Clock as _, Timestamp},
    configuration::{Configuration, ConfigurationStatus},
    id::OrganizationId,
    role::Role,
    session::{Session, SessionState},
};
use store::{Db, SessionRuntime, Snapshot};
use testkit::{
    clock::FakeClock,
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    a_snapshot_is_recorded_for_its_sandbox_by_its_owner_or_not_at_all,
    a_configuration_takes_one_over_the_one_that_was_there,
    what_nothing_refers_to_goes,
);

fn now() -> Timestamp {
    FakeClock::new().now()
}

fn snapshot(of: &Session, id: &str) -> Snapshot {
    Snapshot {
        organization_id: of.organization_id.clone(),
        id: id.to_owned(),
        provider: "fake".to_owned(),
        session_id: of.id,
        parent_id: Some("parent".to_owned()),
        byte_size: 7,
        depth: 2,
        created_at: now(),
    }
}

/// A session with a sandbox, and a configuration beside it.
async fn session(db: &Db) -> (Session, Configuration) {
    let fixture = Fixture::default();
    let (org, _) = fixture.organization(db, "acme", Role::Owner).await;
    let (session, configuration) = (fixture.session(&org), fixture.configuration(&org));
    let runtime = SessionRuntime {
        sandbox: Some("box".to_owned()),
        ..SessionRuntime::default()
    };
    let mut tx = db.write().await.unwrap();
    store::configuration_insert(&mut tx, &configuration)
        .await
        .unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    store::session_runtime_set(&mut tx, &session, &runtime, now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    (session, configuration)
}

async fn a_snapshot_is_recorded_for_its_sandbox_by_its_owner_or_not_at_all(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let (session, _) = session(&database.db).await;
    let mut tx = database.db.write().await.unwrap();
    let one = snapshot(&session, "one");
    store::snapshot_insert(&mut tx, &one).await.unwrap();
    store::snapshot_insert(&mut tx, &one).await.unwrap();
    let read = store::snapshot_fetch(&mut tx, &session.organization_id, "one").await;
    assert_eq!(read.unwrap(), Some(one));
    let foreign = OrganizationId::new("org_other").unwrap();
    assert_eq!(
        store::snapshot_fetch(&mut tx, &foreign, "one")
            .await
            .unwrap(),
        None
    );
    let earlier = Session {
        owner_epoch: session.owner_epoch - 1,
        ..session.clone()
    };
    for (of, sandbox, is_set) in [
        (&earlier, "box", false),
        (&session, "another", false),
        (&session, "box", true),
    ] {
        let set = store::session_snapshot_set(&mut tx, of, sandbox, "one", now()).await;
        assert_eq!(set.unwrap(), is_set);
    }
    let ended = SessionState::Pending.stop(now(), "enough").unwrap();
    store::session_set_state(&mut tx, &session, &ended, now())
        .await
        .unwrap();
    let set = store::session_snapshot_set(&mut tx, &session, "box", "two", now()).await;
    assert!(!set.unwrap(), "an ended session goes on from nothing");
}

async fn a_configuration_takes_one_over_the_one_that_was_there(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let (session, before) = session(&database.db).await;
    let mut tx = database.db.write().await.unwrap();
    let set = store::configuration_snapshot_set(&mut tx, &before, "one", now()).await;
    assert!(set.unwrap());
    let organization_id = &session.organization_id;
    let now_it_is = store::configuration_fetch(&mut tx, organization_id, before.id).await;
    let now_it_is = now_it_is.unwrap().unwrap();
    assert_eq!(now_it_is.snapshot_id.as_deref(), Some("one"));
    assert_eq!(now_it_is.status, ConfigurationStatus::Ready);
    let late = store::configuration_snapshot_set(&mut tx, &before, "two", now()).await;
    assert!(!late.unwrap(), "another update came first");
    let set = store::configuration_snapshot_set(&mut tx, &now_it_is, "two", now()).await;
    assert!(set.unwrap());
}

async fn what_nothing_refers_to_goes(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let (session, configuration) = session(&database.db).await;
    let mut tx = database.db.write().await.unwrap();
    for id in ["of_session", "of_configuration", "unused"] {
        store::snapshot_insert(&mut tx, &snapshot(&session, id))
            .await
            .unwrap();
    }
    let set = store::session_snapshot_set(&mut tx, &session, "box", "of_session", now());
    assert!(set.await.unwrap());
    let set = store::configuration_snapshot_set(&mut tx, &configuration, "of_configuration", now());
    assert!(set.await.unwrap());
    assert_eq!(
        store::snapshot_delete_unused(&mut tx, "another")
            .await
            .unwrap(),
        0
    );
    assert_eq!(
        store::snapshot_delete_unused(&mut tx, "fake")
            .await
            .unwrap(),
        1
    );
    let mut left = store::snapshot_list_ids(&mut tx, "fake").await.unwrap();
    left.sort();
    assert_eq!(left, ["of_configuration", "of_session"]);
    let ended = SessionState::Pending.stop(now(), "enough").unwrap();
    store::session_set_state(&mut tx, &session, &ended, now())
        .await
        .unwrap();
    assert_eq!(
        store::snapshot_delete_unused(&mut tx, "fake")
            .await
            .unwrap(),
        1
    );
    assert_eq!(
        store::snapshot_list_ids(&mut tx, "fake").await.unwrap(),
        ["of_configuration"]
    );
}
