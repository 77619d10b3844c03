//! A held lease is kept, and its loss is reported in time. The lease's life is on a clock moved by
//! hand; the heartbeat's pauses are real and short.

use std::{sync::Arc, time::Duration};

use coord::{Attempt, Coordination, HeldLease, LeaseTerms, Loss};
use domain::{id::InstanceId, lease::LeaseKey, limits::LEASE_RENEW_FAILURES_MAX};
use testkit::clock::FakeClock;

use crate::{
    faulty::Faulty,
    support::{eventually, instance_id, lease_key, soon},
};

const TERMS: LeaseTerms = LeaseTerms {
    ttl: Duration::from_secs(30),
    renew_every: Duration::from_millis(10),
};

/// Heartbeats so rare that the test ends before the first.
const SELDOM: LeaseTerms = LeaseTerms {
    ttl: Duration::from_secs(30),
    renew_every: Duration::from_secs(29),
};

struct World {
    clock: Arc<FakeClock>,
    coordination: Arc<Faulty>,
    key: LeaseKey,
    holder: InstanceId,
}

impl World {
    fn new() -> Self {
        let clock = Arc::new(FakeClock::new());
        Self {
            coordination: Faulty::new(clock.clone()),
            clock,
            key: lease_key(),
            holder: instance_id(),
        }
    }

    async fn hold(&self, terms: LeaseTerms) -> HeldLease {
        match self.attempt(self.holder, terms).await {
            Attempt::Held(lease) => lease,
            Attempt::HeldBy(other) => panic!("held by {other}"),
        }
    }

    async fn attempt(&self, holder: InstanceId, terms: LeaseTerms) -> Attempt {
        let (coordination, clock) = (self.coordination.clone(), self.clock.clone());
        HeldLease::acquire(coordination, clock, self.key, holder, terms)
            .await
            .unwrap()
    }

    async fn owner(&self) -> Option<InstanceId> {
        self.coordination.owner(self.key).await.unwrap()
    }

    /// Waits for `beats` renewals that start from now on, and for the last of them to end.
    async fn beats(&self, beats: u64) {
        let wanted = self.coordination.renewals() + beats + 1;
        eventually("a heartbeat", async || {
            self.coordination.renewals() >= wanted
        })
        .await;
    }
}

#[tokio::test]
async fn heartbeats_keep_it_for_many_lives() {
    let world = World::new();
    let lease = world.hold(TERMS).await;
    for _ in 0..10 {
        world.clock.advance(TERMS.ttl * 2 / 3);
        world.beats(1).await;
        assert!(!lease.is_lost());
        assert_eq!(world.owner().await, Some(world.holder));
    }
}

#[tokio::test]
async fn it_is_exclusive_but_does_not_lock_its_own_process_out() {
    let world = World::new();
    let lease = world.hold(TERMS).await;
    assert!(!lease.was_already_held());
    assert_eq!(lease.key(), world.key);
    let other = world.attempt(instance_id(), TERMS).await;
    assert!(matches!(other, Attempt::HeldBy(holder) if holder == world.holder));
    assert!(world.hold(TERMS).await.was_already_held());
}

#[tokio::test]
async fn a_paused_process_knows_at_once_without_its_heartbeat() {
    let world = World::new();
    let lease = world.hold(SELDOM).await;
    world.clock.advance(SELDOM.ttl / 2);
    assert!(!lease.is_lost());
    world.clock.advance(SELDOM.ttl / 2);
    // Nothing was awaited in between: no task had a chance to run.
    assert!(lease.is_lost());
    assert_eq!(soon("loss", lease.lost()).await, Loss::Lapsed);
    assert!(lease.lost_token().is_cancelled());
}

#[tokio::test]
async fn a_lapse_is_reported_by_the_heartbeat_and_not_undone_by_it() {
    let world = World::new();
    let lease = world.hold(TERMS).await;
    world.clock.advance(TERMS.ttl);
    assert_eq!(soon("loss", lease.lost()).await, Loss::Lapsed);
    // Even where the service would still renew, for its clock may be slower.
    let renewals = world.coordination.renewals();
    tokio::time::sleep(TERMS.renew_every * 5).await;
    assert_eq!(world.coordination.renewals(), renewals);
    assert!(lease.is_lost());
}

#[tokio::test]
async fn it_is_lost_when_another_holder_has_it() {
    let world = World::new();
    let lease = world.hold(TERMS).await;
    let token = lease.lost_token();
    let other = instance_id();
    assert!(
        world
            .coordination
            .release(world.key, world.holder)
            .await
            .unwrap()
    );
    world
        .coordination
        .acquire(world.key, other, TERMS.ttl)
        .await
        .unwrap();
    let loss = soon("loss", lease.lost()).await;
    // The heartbeat can run between the two steps above.
    assert!(
        matches!(loss, Loss::Taken { now_held_by } if now_held_by.is_none_or(|id| id == other))
    );
    assert!(lease.is_lost() && token.is_cancelled());
    assert!(!lease.release().await.unwrap());
    assert_eq!(world.owner().await, Some(other));
}

#[tokio::test]
async fn failures_are_forgiven_until_there_are_too_many_in_a_row() {
    let world = World::new();
    let lease = world.hold(TERMS).await;
    // Each heartbeat tries twice. One failed attempt less than the limit:
    world
        .coordination
        .fail(u64::from(LEASE_RENEW_FAILURES_MAX) * 2 - 1);
    world.beats(u64::from(LEASE_RENEW_FAILURES_MAX) * 2).await;
    assert!(!lease.is_lost());
    // The count was reset by the success above.
    world
        .coordination
        .fail(u64::from(LEASE_RENEW_FAILURES_MAX) * 2 - 1);
    world.beats(u64::from(LEASE_RENEW_FAILURES_MAX) * 2).await;
    assert!(!lease.is_lost());
    world.coordination.fail(u64::MAX);
    assert_eq!(soon("loss", lease.lost()).await, Loss::Unreachable);
}

#[tokio::test]
async fn failing_renewals_do_not_count_as_life() {
    let world = World::new();
    let lease = world.hold(TERMS).await;
    world.coordination.fail(2);
    world.clock.advance(TERMS.ttl);
    assert!(lease.is_lost());
}

#[tokio::test]
async fn a_renewal_that_never_answers_does_not_hide_the_end() {
    let world = World::new();
    let terms = LeaseTerms {
        ttl: Duration::from_millis(50),
        ..TERMS
    };
    let lease = world.hold(terms).await;
    world.coordination.hang();
    soon("a renewal under way", async {
        while world.coordination.renewals() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
    world.clock.advance(terms.ttl);
    assert_eq!(soon("loss", lease.lost()).await, Loss::Lapsed);
}

#[tokio::test]
async fn release_frees_it_at_once() {
    let world = World::new();
    let lease = world.hold(TERMS).await;
    let token = lease.lost_token();
    assert!(lease.release().await.unwrap());
    assert!(token.is_cancelled());
    assert_eq!(world.owner().await, None);
}

#[tokio::test]
async fn dropping_stops_the_heartbeat_and_lets_it_expire() {
    let world = World::new();
    let lease = world.hold(TERMS).await;
    world.beats(1).await;
    let token = lease.lost_token();
    drop(lease);
    assert!(token.is_cancelled());
    tokio::time::sleep(TERMS.renew_every * 2).await;
    let renewals = world.coordination.renewals();
    tokio::time::sleep(TERMS.renew_every * 5).await;
    assert_eq!(world.coordination.renewals(), renewals);
    assert_eq!(world.owner().await, Some(world.holder));
    world.clock.advance(TERMS.ttl);
    assert_eq!(world.owner().await, None);
}
