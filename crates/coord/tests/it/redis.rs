//! The contract, through the Redis that all tests share, with real time; and what is particular to
//! Redis: the formats that other versions and other languages read.

use std::time::Duration;

use async_trait::async_trait;
use coord::{Acquisition, Error};
use domain::lease::{RateKey, Topic};
use redis::AsyncCommands;
use testkit::redis::{coordination, shared_url};

use crate::{
    conformance::{self, LONG, SHORT, Time, for_every_case},
    support::{eventually, instance_id, lease_key, session_id},
};

struct RealTime;

#[async_trait]
impl Time for RealTime {
    async fn pass(&self, by: Duration) {
        // Redis counts whole milliseconds from when the command arrived.
        tokio::time::sleep(by + Duration::from_millis(5)).await;
    }
}

macro_rules! make_tests {
    ($($case:ident,)+) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $case() {
            conformance::$case(coordination(&shared_url()), &RealTime).await;
        }
    )+};
}

for_every_case!(make_tests);

async fn plain() -> redis::aio::MultiplexedConnection {
    let client = redis::Client::open(shared_url()).unwrap();
    client.get_multiplexed_async_connection().await.unwrap()
}

#[tokio::test]
async fn a_lease_is_the_key_and_the_instance_id_with_a_life() {
    let (mut plain, key, holder) = (plain().await, lease_key(), instance_id());
    let coordination = coordination(&shared_url());
    coordination.acquire(key, holder, LONG).await.unwrap();
    let value: String = plain.get(key.to_string()).await.unwrap();
    assert_eq!(value, holder.to_string());
    let left_ms: i64 = plain.pttl(key.to_string()).await.unwrap();
    assert!((1..=60_000).contains(&left_ms), "{left_ms}");
}

#[tokio::test]
async fn a_foreign_value_is_refused_but_never_taken_over() {
    let (mut plain, key) = (plain().await, lease_key());
    let () = plain
        .pset_ex(key.to_string(), "other", 60_000)
        .await
        .unwrap();
    let coordination = coordination(&shared_url());
    let holder = instance_id();
    let error = coordination.acquire(key, holder, LONG).await.unwrap_err();
    assert!(matches!(error, Error::Refused { .. }) && !error.is_retryable());
    assert!(!coordination.release(key, holder).await.unwrap());
}

#[tokio::test]
async fn a_count_without_a_life_gets_one() {
    let (mut plain, key) = (plain().await, RateKey::Actions(session_id()));
    let () = plain.set(key.to_string(), 1000).await.unwrap();
    let coordination = coordination(&shared_url());
    let got = coordination.hit(key, SHORT, 1).await.unwrap();
    assert_eq!((got.count, got.allowed), (1001, false));
    assert!(got.retry_after.unwrap() <= SHORT);
    let allowed = async || coordination.hit(key, SHORT, 1).await.unwrap().allowed;
    eventually("the count ends", allowed).await;
}

#[tokio::test]
async fn the_last_subscriber_to_leave_unsubscribes() {
    let mut plain = plain().await;
    let topic = Topic::Session(session_id());
    let mut subscribers = async || {
        let mut command = redis::cmd("PUBSUB");
        command.arg("NUMSUB").arg(topic.to_string());
        let (_, count): (String, u64) = command.query_async(&mut plain).await.unwrap();
        count
    };
    let coordination = coordination(&shared_url());
    let first = coordination.subscribe(topic).await.unwrap();
    let second = coordination.subscribe(topic).await.unwrap();
    // One connection for the whole process, however many subscribe.
    assert_eq!(subscribers().await, 1);
    drop(first);
    // Joining another topic takes as long as leaving this one would.
    let _other = coordination
        .subscribe(Topic::Session(session_id()))
        .await
        .unwrap();
    assert_eq!(subscribers().await, 1);
    drop(second);
    eventually("unsubscribed", async || subscribers().await == 0).await;
}

#[tokio::test]
async fn two_processes_see_one_another() {
    let one = coordination(&shared_url());
    let two = coordination(&shared_url());
    let (key, first, second) = (lease_key(), instance_id(), instance_id());
    one.acquire(key, first, LONG).await.unwrap();
    let got = two.acquire(key, second, LONG).await.unwrap();
    assert_eq!(got, Acquisition::HeldBy(first));
}
