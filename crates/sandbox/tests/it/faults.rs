//! The knobs of the fake.

use std::{collections::BTreeMap, time::Duration};

use sandbox::{
    Error, ExecRequest, Liveness, Provider as _, SnapshotRequest,
    fake::{Fake, Operation},
};

use crate::support::{entropy, spec};

#[tokio::test]
async fn an_operation_fails_as_often_as_told() {
    let fake = Fake::new(entropy());
    let handle = fake.create(spec()).await.unwrap();
    let error = Error::failed("snapshot", "no");
    fake.turn(|knobs| {
        knobs.fail_next(Operation::Snapshot, error.clone());
        knobs.fail_next(Operation::Snapshot, Error::Gone);
    });
    let take = || fake.snapshot(&handle, SnapshotRequest::default());
    assert_eq!(take().await, Err(error));
    assert_eq!(take().await, Err(Error::Gone));
    take().await.unwrap();
    assert_eq!(
        fake.calls(),
        [&[Operation::Create][..], &[Operation::Snapshot; 3]].concat()
    );
}

#[tokio::test]
async fn the_step_that_is_named_fails() {
    for step in 0..3 {
        let fake = Fake::new(entropy());
        fake.turn(|knobs| knobs.fail_at = Some((step, Error::Gone)));
        let created = fake.create(spec()).await;
        let Ok(handle) = created else {
            assert_eq!(step, 0);
            continue;
        };
        let ran = fake.exec(&handle, ExecRequest::new(["true"])).await;
        assert_eq!(ran.is_err(), step == 1);
        let read = fake.list(&handle, &sandbox::HomePath::home()).await;
        assert_eq!(read.is_err(), step == 2);
    }
}

#[tokio::test]
async fn sandboxes_die_when_told() {
    let fake = Fake::new(entropy());
    let handle = fake.create(spec()).await.unwrap();
    fake.turn(|knobs| knobs.die_after = Some(1));
    fake.reattach(&handle).await.unwrap();
    assert_eq!(fake.reattach(&handle).await, Err(Error::Gone));
    assert_eq!(fake.liveness(&handle).await, Liveness::Dead);
    let other = fake.create(spec()).await.unwrap();
    fake.kill(&other);
    assert_eq!(fake.liveness(&other).await, Liveness::Dead);
}

#[tokio::test]
async fn liveness_lies_and_does_not_know() {
    let fake = Fake::new(entropy());
    let handle = fake.create(spec()).await.unwrap();
    for lie in [Liveness::Dead, Liveness::Unknown, Liveness::Alive] {
        fake.turn(|knobs| knobs.liveness = Some(lie));
        assert_eq!(fake.liveness(&handle).await, lie);
    }
    fake.turn(|knobs| {
        knobs.liveness = None;
        knobs.fail_next(Operation::Liveness, Error::Gone);
    });
    assert_eq!(fake.liveness(&handle).await, Liveness::Unknown);
    assert_eq!(fake.liveness(&handle).await, Liveness::Alive);
}

#[tokio::test(start_paused = true)]
async fn an_operation_takes_as_long_as_told() {
    let fake = Fake::new(entropy());
    let hour = Duration::from_hours(1);
    fake.turn(|knobs| knobs.slow = BTreeMap::from([(Operation::Create, hour)]));
    let early = tokio::time::timeout(hour / 2, fake.create(spec())).await;
    assert!(early.is_err());
    assert!(fake.labels().is_empty());
    let late = tokio::time::timeout(hour * 2, fake.create(spec())).await;
    late.unwrap().unwrap();
    assert_eq!(fake.labels(), ["test"]);
}
