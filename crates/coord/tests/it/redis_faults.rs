//! Redis killed, restarted empty, and frozen: everything ends in time, and nothing is silent.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use coord::{
    Acquisition, Admission, Attempt, Coordination, Delivery, Error, HeldLease, LeaseTerms, Loss,
    RateLimiter, RedisCoordination, Subscription,
};
use domain::{
    clock::Clock,
    lease::{LeaseKey, RateKey, Topic},
    limits::{CONNECTION_CHECK_EVERY, COORDINATION_TIMEOUT},
};
use testkit::redis::RedisServer;

use crate::support::{RealClock, eventually, instance_id, lease_key, next, session_id, soon};

/// A call may take one second by contract; the rest is for a busy machine.
const CALL_MAX: Duration = Duration::from_millis(2500);
const LIFE: Duration = Duration::from_mins(1);
/// Until a ready task is run, on a machine that is busy.
const BUSY: Duration = Duration::from_secs(1);

async fn start() -> (RedisServer, Arc<RedisCoordination>) {
    let server = RedisServer::start().await;
    let coordination = Arc::new(RedisCoordination::new(&server.url()).unwrap());
    coordination.ping().await.unwrap();
    (server, coordination)
}

/// Every operation must fail, retryably and in time.
async fn all_fail(coordination: &RedisCoordination) {
    let (key, holder, topic) = (lease_key(), instance_id(), Topic::Session(session_id()));
    let rate = RateKey::Actions(session_id());
    tokio::join!(
        in_time(coordination.ping()),
        in_time(coordination.acquire(key, holder, LIFE)),
        in_time(coordination.renew(key, holder, LIFE)),
        in_time(coordination.release(key, holder)),
        in_time(coordination.owner(key)),
        in_time(coordination.hit(rate, LIFE, 1)),
        in_time(coordination.publish(topic, Bytes::new())),
        in_time(coordination.subscribe(topic)),
        in_time(coordination.withdraw(holder)),
        in_time(coordination.instances()),
    );
    // And the calls after those that detected it.
    for _ in 0..3 {
        in_time(coordination.ping()).await;
    }
}

async fn in_time<T>(call: impl Future<Output = Result<T, Error>>) {
    let clock = RealClock::new();
    let error = call.await.err().expect("Redis cannot answer");
    let took = clock.monotonic();
    assert!(took < CALL_MAX, "took {took:?}");
    assert!(error.is_retryable(), "{error:?}");
}

/// Publishes until the subscription delivers it: the publisher's connection recovers on its own.
async fn flows_again(
    coordination: &RedisCoordination,
    topic: Topic<'_>,
    subscription: &mut Subscription,
) {
    eventually("published", async || {
        coordination.publish(topic, "after".into()).await.is_ok()
    })
    .await;
    assert_eq!(next(subscription).await, Delivery::Message("after".into()));
}

#[tokio::test]
async fn killed_calls_end_in_time_and_work_again_after_a_restart() {
    let (mut server, coordination) = start().await;
    server.stop();
    all_fail(&coordination).await;
    server.restart().await;
    let got = coordination.acquire(lease_key(), instance_id(), LIFE).await;
    assert_eq!(got.unwrap(), Acquisition::Acquired);
}

#[tokio::test]
async fn the_next_call_does_not_pay_for_an_outage() {
    let (mut server, coordination) = start().await;
    // The outage ended before it was detected: the connection is dead, and only using it reveals
    // that.
    server.restart().await;
    coordination.ping().await.unwrap();
    // Detected; it ends when all attempts to connect have failed.
    server.stop();
    in_time(coordination.ping()).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    server.restart().await;
    coordination.ping().await.unwrap();
}

#[tokio::test]
async fn frozen_calls_end_in_time_and_work_again_after_thawing() {
    let (server, coordination) = start().await;
    server.freeze();
    all_fail(&coordination).await;
    server.thaw();
    eventually("an answer", async || coordination.ping().await.is_ok()).await;
}

#[tokio::test]
async fn an_instance_can_start_before_its_service() {
    let mut server = RedisServer::start().await;
    server.stop();
    let coordination = RedisCoordination::new(&server.url()).unwrap();
    all_fail(&coordination).await;
    server.restart().await;
    coordination.ping().await.unwrap();
}

#[tokio::test]
async fn the_limiter_fails_open_and_closes_again() {
    let (mut server, coordination) = start().await;
    let limiter = RateLimiter::new(coordination);
    let key = RateKey::Actions(session_id());
    assert!(!limiter.check(key, LIFE, 0).await.is_allowed());
    server.stop();
    assert_eq!(limiter.check(key, LIFE, 0).await, Admission::Degraded);
    server.restart().await;
    let enforced = async || !limiter.check(key, LIFE, 0).await.is_degraded();
    eventually("counted again", enforced).await;
}

async fn hold(
    coordination: &Arc<RedisCoordination>,
    key: LeaseKey,
    ttl: Duration,
) -> (HeldLease, Arc<RealClock>) {
    let clock = Arc::new(RealClock::new());
    let terms = LeaseTerms {
        ttl,
        renew_every: ttl / 10,
    };
    let (shared, holder) = (coordination.clone(), instance_id());
    let attempt = HeldLease::acquire(shared, clock.clone(), key, holder, terms);
    match attempt.await.unwrap() {
        Attempt::Held(lease) => (lease, clock),
        Attempt::HeldBy(other) => panic!("held by {other}"),
    }
}

#[tokio::test]
async fn a_held_lease_lives_on_and_is_free_after_release() {
    let (_server, coordination) = start().await;
    let key = lease_key();
    let ttl = Duration::from_secs(1);
    let (lease, clock) = hold(&coordination, key, ttl).await;
    while clock.monotonic() < ttl * 2 {
        assert!(!lease.is_lost());
        assert!(coordination.owner(key).await.unwrap().is_some());
        tokio::time::sleep(ttl / 20).await;
    }
    assert!(lease.release().await.unwrap());
    assert_eq!(coordination.owner(key).await.unwrap(), None);
}

#[tokio::test]
async fn killed_a_held_lease_is_lost_within_its_life() {
    let (mut server, coordination) = start().await;
    let ttl = Duration::from_secs(3);
    let (lease, clock) = hold(&coordination, lease_key(), ttl).await;
    server.stop();
    let stopped = clock.monotonic();
    let loss = soon("loss", lease.lost()).await;
    assert!(matches!(loss, Loss::Unreachable | Loss::Lapsed), "{loss:?}");
    let after = clock.monotonic().saturating_sub(stopped);
    assert!(after <= ttl + BUSY, "after {after:?}");
}

#[tokio::test]
async fn frozen_a_held_lease_is_lost_within_its_life() {
    let (server, coordination) = start().await;
    let ttl = Duration::from_millis(1500);
    let (lease, clock) = hold(&coordination, lease_key(), ttl).await;
    server.freeze();
    let frozen = clock.monotonic();
    let loss = soon("loss", lease.lost()).await;
    assert_eq!(loss, Loss::Lapsed);
    let after = clock.monotonic().saturating_sub(frozen);
    assert!(after <= ttl + BUSY, "after {after:?}");
}

#[tokio::test]
async fn restarted_empty_a_held_lease_is_lost() {
    let (mut server, coordination) = start().await;
    let (lease, _) = hold(&coordination, lease_key(), Duration::from_secs(10)).await;
    server.restart().await;
    let loss = soon("loss", lease.lost()).await;
    assert_eq!(loss, Loss::Taken { now_held_by: None });
}

#[tokio::test]
async fn restarted_subscriptions_tell_the_gap_and_go_on() {
    let (mut server, coordination) = start().await;
    let topics = [Topic::Session(session_id()), Topic::Session(session_id())];
    let mut first = coordination.subscribe(topics[0]).await.unwrap();
    let mut second = coordination.subscribe(topics[1]).await.unwrap();
    coordination
        .publish(topics[0], "before".into())
        .await
        .unwrap();
    assert_eq!(next(&mut first).await, Delivery::Message("before".into()));
    for _ in 0..2 {
        server.restart().await;
        assert_eq!(next(&mut first).await, Delivery::Gap);
        assert_eq!(next(&mut second).await, Delivery::Gap);
        flows_again(&coordination, topics[0], &mut first).await;
        flows_again(&coordination, topics[1], &mut second).await;
    }
}

#[tokio::test]
async fn frozen_subscriptions_tell_the_gap_and_go_on() {
    let (server, coordination) = start().await;
    let topic = Topic::Session(session_id());
    let mut subscription = coordination.subscribe(topic).await.unwrap();
    server.freeze();
    // Frozen until the listener must have detected it, also on a busy machine: it pings at the latest
    // after one period and waits for one timeout.
    tokio::time::sleep(CONNECTION_CHECK_EVERY + COORDINATION_TIMEOUT + Duration::from_secs(2))
        .await;
    server.thaw();
    assert_eq!(next(&mut subscription).await, Delivery::Gap);
    flows_again(&coordination, topic, &mut subscription).await;
}

#[tokio::test]
async fn a_subscription_that_failed_is_not_kept() {
    let (mut server, coordination) = start().await;
    let topic = Topic::Session(session_id());
    server.stop();
    assert!(coordination.subscribe(topic).await.is_err());
    server.restart().await;
    let mut subscription = coordination.subscribe(topic).await.unwrap();
    flows_again(&coordination, topic, &mut subscription).await;
}
