//! What every implementation of `Coordination` must do. A case gets the implementation and a way to
//! advance time; it uses ids of its own, because a back end may be shared.
//!
//! On Redis time is real. So entries that must expire get `SHORT`, and entries that must still live
//! get `LONG`: no case depends on being quick.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use coord::{Acquisition, Coordination, Counted, Delivery, Error, Renewal};
use domain::{
    clock::Clock as _,
    instance::{Drain, Instance, InstanceRole, Load, Swept},
    lease::{LeaseKey, RateKey, Topic},
    limits::{PUBLISH_BYTES_MAX, SUBSCRIPTION_QUEUE_MAX},
};

use crate::support::{
    RealClock, eventually, instance_id, lease_key, next, session_id, soon, start,
};

/// Advances time for a back end: at least `by`.
#[async_trait]
pub(crate) trait Time: Sync {
    async fn pass(&self, by: Duration);
}

pub(crate) const SHORT: Duration = Duration::from_millis(300);
/// Long enough to act in, short enough to wait for.
pub(crate) const MEDIUM: Duration = Duration::from_millis(1500);
pub(crate) const LONG: Duration = Duration::from_mins(1);

/// More attempts than any machine needs to do a few calls within [`MEDIUM`].
const ATTEMPTS_MAX: usize = 20;

/// What `act` did to something that lives for [`MEDIUM`], while it certainly lived: done anew where the machine was too
/// busy for that.
async fn in_medium<T>(mut act: impl AsyncFnMut() -> T) -> T {
    for _ in 0..ATTEMPTS_MAX {
        let clock = RealClock::new();
        let done = act().await;
        if clock.monotonic() < MEDIUM {
            return done;
        }
    }
    panic!("{ATTEMPTS_MAX} times a few calls took longer than {MEDIUM:?}");
}

/// Every case, given to a macro that makes a test of each.
macro_rules! for_every_case {
    ($make_tests:ident) => {
        $make_tests! {
            a_lease_has_one_holder,
            acquiring_what_one_holds_renews_it,
            acquiring_again_prolongs_the_life,
            renewing_prolongs_the_life,
            an_expired_lease_is_free_and_its_former_holder_cannot_touch_the_next,
            renewing_what_is_gone_is_lost,
            release_frees_at_once_and_only_once,
            kinds_of_lease_do_not_meet,
            owners_are_told_in_the_order_they_are_asked_for,
            of_64_that_race_one_wins,
            hits_are_counted_and_refused_beyond_the_limit,
            a_window_ends_and_is_not_prolonged_by_hits,
            concurrent_hits_are_all_counted,
            messages_reach_every_subscriber_in_order,
            topics_do_not_meet_and_nothing_is_kept_for_later,
            a_slow_subscriber_is_told_what_it_missed,
            messages_too_large_are_refused,
            leaving_one_subscription_keeps_the_others,
            a_topic_can_be_left_and_joined_again,
            subscriptions_end_with_the_coordination,
            instances_are_listed_while_they_live,
            an_announcement_replaces_the_one_before,
            withdrawn_instances_are_gone,
            it_answers,
        }
    };
}
pub(crate) use for_every_case;

type Shared = Arc<dyn Coordination>;

pub(crate) async fn a_lease_has_one_holder(coordination: Shared, _time: &dyn Time) {
    let (key, first, second) = (lease_key(), instance_id(), instance_id());
    assert_eq!(coordination.owner(key).await.unwrap(), None);
    let got = coordination.acquire(key, first, LONG).await.unwrap();
    assert_eq!(got, Acquisition::Acquired);
    let got = coordination.acquire(key, second, LONG).await.unwrap();
    assert_eq!(got, Acquisition::HeldBy(first));
    assert_eq!(coordination.owner(key).await.unwrap(), Some(first));
}

pub(crate) async fn acquiring_what_one_holds_renews_it(coordination: Shared, _time: &dyn Time) {
    let (key, holder) = (lease_key(), instance_id());
    coordination.acquire(key, holder, LONG).await.unwrap();
    let got = coordination.acquire(key, holder, LONG).await.unwrap();
    assert_eq!(got, Acquisition::Renewed);
}

pub(crate) async fn acquiring_again_prolongs_the_life(coordination: Shared, time: &dyn Time) {
    let (key, holder) = (lease_key(), instance_id());
    coordination.acquire(key, holder, MEDIUM).await.unwrap();
    coordination.acquire(key, holder, LONG).await.unwrap();
    time.pass(MEDIUM).await;
    assert_eq!(coordination.owner(key).await.unwrap(), Some(holder));
}

pub(crate) async fn renewing_prolongs_the_life(coordination: Shared, time: &dyn Time) {
    let (key, holder, got) = in_medium(async || {
        let (key, holder) = (lease_key(), instance_id());
        coordination.acquire(key, holder, MEDIUM).await.unwrap();
        let got = coordination.renew(key, holder, LONG).await.unwrap();
        (key, holder, got)
    })
    .await;
    assert_eq!(got, Renewal::Renewed);
    time.pass(MEDIUM).await;
    assert_eq!(coordination.owner(key).await.unwrap(), Some(holder));
}

pub(crate) async fn an_expired_lease_is_free_and_its_former_holder_cannot_touch_the_next(
    coordination: Shared,
    time: &dyn Time,
) {
    let (key, first, second) = (lease_key(), instance_id(), instance_id());
    coordination.acquire(key, first, SHORT).await.unwrap();
    time.pass(SHORT).await;
    assert_eq!(coordination.owner(key).await.unwrap(), None);
    let got = coordination.acquire(key, second, LONG).await.unwrap();
    assert_eq!(got, Acquisition::Acquired);
    let now_held_by = Some(second);
    let got = coordination.renew(key, first, LONG).await.unwrap();
    assert_eq!(got, Renewal::Lost { now_held_by });
    assert!(!coordination.release(key, first).await.unwrap());
    assert_eq!(coordination.owner(key).await.unwrap(), now_held_by);
}

pub(crate) async fn renewing_what_is_gone_is_lost(coordination: Shared, time: &dyn Time) {
    let (key, holder) = (lease_key(), instance_id());
    let lost = Renewal::Lost { now_held_by: None };
    assert_eq!(coordination.renew(key, holder, LONG).await.unwrap(), lost);
    coordination.acquire(key, holder, SHORT).await.unwrap();
    time.pass(SHORT).await;
    assert_eq!(coordination.renew(key, holder, LONG).await.unwrap(), lost);
    assert_eq!(coordination.owner(key).await.unwrap(), None);
}

pub(crate) async fn release_frees_at_once_and_only_once(coordination: Shared, _time: &dyn Time) {
    let (key, first, second) = (lease_key(), instance_id(), instance_id());
    coordination.acquire(key, first, LONG).await.unwrap();
    assert!(!coordination.release(key, second).await.unwrap());
    assert!(coordination.release(key, first).await.unwrap());
    assert!(!coordination.release(key, first).await.unwrap());
    let got = coordination.acquire(key, second, LONG).await.unwrap();
    assert_eq!(got, Acquisition::Acquired);
}

pub(crate) async fn kinds_of_lease_do_not_meet(coordination: Shared, _time: &dyn Time) {
    let id = session_id();
    let keys = [
        LeaseKey::Owner(id),
        LeaseKey::Runtime(id),
        LeaseKey::Migration(id),
    ];
    for key in keys {
        let got = coordination.acquire(key, instance_id(), LONG).await;
        assert_eq!(got.unwrap(), Acquisition::Acquired);
    }
}

pub(crate) async fn owners_are_told_in_the_order_they_are_asked_for(
    coordination: Shared,
    _time: &dyn Time,
) {
    let (keys, holder) = ([lease_key(), lease_key(), lease_key()], instance_id());
    for key in [keys[0], keys[2]] {
        coordination.acquire(key, holder, LONG).await.unwrap();
    }
    let owners = coordination.owners(&keys).await.unwrap();
    assert_eq!(owners, [Some(holder), None, Some(holder)]);
    assert_eq!(coordination.owners(&[]).await.unwrap(), []);
}

pub(crate) async fn of_64_that_race_one_wins(coordination: Shared, _time: &dyn Time) {
    let key = lease_key();
    let racers = (0..64).map(|_| {
        let coordination = Arc::clone(&coordination);
        tokio::spawn(async move {
            let racer = instance_id();
            (racer, coordination.acquire(key, racer, LONG).await.unwrap())
        })
    });
    let results = futures::future::join_all(racers).await;
    let results: Vec<_> = results.into_iter().map(Result::unwrap).collect();
    let won = |(_, got): &&(_, _)| *got == Acquisition::Acquired;
    let winners: Vec<_> = results.iter().filter(won).collect();
    assert_eq!(winners.len(), 1);
    let winner = winners[0].0;
    let losers = results.iter().filter(|(racer, _)| *racer != winner);
    for (_, got) in losers {
        assert_eq!(*got, Acquisition::HeldBy(winner));
    }
}

pub(crate) async fn hits_are_counted_and_refused_beyond_the_limit(
    coordination: Shared,
    _time: &dyn Time,
) {
    let (key, other) = (
        RateKey::Actions(session_id()),
        RateKey::Actions(session_id()),
    );
    for count in 1..=2 {
        let got = coordination.hit(key, LONG, 2).await.unwrap();
        let retry_after = None;
        let allowed = true;
        assert_eq!(
            got,
            Counted {
                count,
                allowed,
                retry_after
            }
        );
    }
    let got = coordination.hit(key, LONG, 2).await.unwrap();
    assert_eq!((got.count, got.allowed), (3, false));
    let retry_after = got.retry_after.unwrap();
    assert!(retry_after > Duration::ZERO && retry_after <= LONG);
    assert!(coordination.hit(other, LONG, 2).await.unwrap().allowed);
}

pub(crate) async fn a_window_ends_and_is_not_prolonged_by_hits(
    coordination: Shared,
    time: &dyn Time,
) {
    let (key, got) = in_medium(async || {
        let key = RateKey::Actions(session_id());
        coordination.hit(key, MEDIUM, 1).await.unwrap();
        time.pass(MEDIUM / 2).await;
        let got = coordination.hit(key, MEDIUM, 1).await.unwrap();
        (key, got)
    })
    .await;
    assert_eq!((got.count, got.allowed), (2, false));
    time.pass(MEDIUM / 2).await;
    let got = coordination.hit(key, MEDIUM, 1).await.unwrap();
    assert_eq!((got.count, got.allowed), (1, true));
}

pub(crate) async fn concurrent_hits_are_all_counted(coordination: Shared, _time: &dyn Time) {
    let key = RateKey::Actions(session_id());
    let hits = (0..64).map(|_| coordination.hit(key, LONG, 10));
    let counted = futures::future::join_all(hits).await;
    let counted: Vec<_> = counted.into_iter().map(Result::unwrap).collect();
    let mut counts: Vec<_> = counted.iter().map(|counted| counted.count).collect();
    counts.sort_unstable();
    assert_eq!(counts, (1..=64).collect::<Vec<_>>());
    assert_eq!(counted.iter().filter(|counted| counted.allowed).count(), 10);
}

fn message(n: usize) -> Delivery {
    Delivery::Message(Bytes::from(n.to_string()))
}

pub(crate) async fn messages_reach_every_subscriber_in_order(
    coordination: Shared,
    _time: &dyn Time,
) {
    let topic = Topic::Session(session_id());
    let mut first = coordination.subscribe(topic).await.unwrap();
    let mut second = coordination.subscribe(topic).await.unwrap();
    for n in 0..100 {
        let payload = Bytes::from(n.to_string());
        coordination.publish(topic, payload).await.unwrap();
    }
    for n in 0..100 {
        assert_eq!(next(&mut first).await, message(n));
        assert_eq!(next(&mut second).await, message(n));
    }
}

pub(crate) async fn topics_do_not_meet_and_nothing_is_kept_for_later(
    coordination: Shared,
    _time: &dyn Time,
) {
    let (topic, other) = (Topic::Session(session_id()), Topic::Session(session_id()));
    coordination.publish(topic, "early".into()).await.unwrap();
    let mut subscription = coordination.subscribe(topic).await.unwrap();
    let _other = coordination.subscribe(other).await.unwrap();
    coordination.publish(other, "other".into()).await.unwrap();
    coordination.publish(topic, "mine".into()).await.unwrap();
    let mine = Delivery::Message("mine".into());
    assert_eq!(next(&mut subscription).await, mine);
}

pub(crate) async fn a_slow_subscriber_is_told_what_it_missed(
    coordination: Shared,
    _time: &dyn Time,
) {
    const MISSED: usize = 7;
    let topic = Topic::Session(session_id());
    let mut slow = coordination.subscribe(topic).await.unwrap();
    let mut quick = coordination.subscribe(topic).await.unwrap();
    for n in 0..SUBSCRIPTION_QUEUE_MAX + MISSED {
        let payload = Bytes::from(n.to_string());
        coordination.publish(topic, payload).await.unwrap();
        assert_eq!(next(&mut quick).await, message(n));
    }
    assert_eq!(next(&mut slow).await, Delivery::Lagged(MISSED as u64));
    for n in MISSED..SUBSCRIPTION_QUEUE_MAX + MISSED {
        assert_eq!(next(&mut slow).await, message(n));
    }
}

pub(crate) async fn messages_too_large_are_refused(coordination: Shared, _time: &dyn Time) {
    let topic = Topic::Session(session_id());
    let mut subscription = coordination.subscribe(topic).await.unwrap();
    let largest = Bytes::from(vec![7; PUBLISH_BYTES_MAX]);
    let too_large = Bytes::from(vec![7; PUBLISH_BYTES_MAX + 1]);
    let error = coordination.publish(topic, too_large).await.unwrap_err();
    assert!(matches!(
        error,
        Error::TooLarge {
            bytes_max: PUBLISH_BYTES_MAX,
            ..
        }
    ));
    assert!(!error.is_retryable());
    coordination.publish(topic, largest.clone()).await.unwrap();
    assert_eq!(next(&mut subscription).await, Delivery::Message(largest));
}

pub(crate) async fn leaving_one_subscription_keeps_the_others(
    coordination: Shared,
    _time: &dyn Time,
) {
    let topic = Topic::Session(session_id());
    let leaving = coordination.subscribe(topic).await.unwrap();
    let mut staying = coordination.subscribe(topic).await.unwrap();
    drop(leaving);
    coordination.publish(topic, "m".into()).await.unwrap();
    let expected = Delivery::Message("m".into());
    assert_eq!(next(&mut staying).await, expected);
}

pub(crate) async fn a_topic_can_be_left_and_joined_again(coordination: Shared, _time: &dyn Time) {
    let topic = Topic::Session(session_id());
    for n in 0..50 {
        let mut subscription = coordination.subscribe(topic).await.unwrap();
        let payload = Bytes::from(n.to_string());
        coordination.publish(topic, payload).await.unwrap();
        assert_eq!(next(&mut subscription).await, message(n));
    }
}

pub(crate) async fn subscriptions_end_with_the_coordination(
    coordination: Shared,
    _time: &dyn Time,
) {
    let topic = Topic::Session(session_id());
    let mut subscription = coordination.subscribe(topic).await.unwrap();
    drop(coordination);
    assert_eq!(soon("the end", subscription.recv()).await, None);
}

fn instance(advertised_url: &str) -> Instance {
    Instance {
        id: instance_id(),
        role: InstanceRole::Gateway,
        advertised_url: advertised_url.to_owned(),
        version: "0.1.0".to_owned(),
        started_at: start(),
        heartbeat_at: start().plus(Duration::from_micros(1)),
        load: Load {
            hubs_max: 500,
            running: 3,
            drain: Some(Drain {
                since: start(),
                handed_over: 2,
                put_away: 1,
            }),
            swept: Swept {
                adopted: 1,
                dead: 2,
                ended: 3,
                waiting: 4,
                foreign: 5,
            },
            ..Load::default()
        },
    }
}

/// The listed ones among `mine`; others may be announced in the same back end.
async fn listed(coordination: &Shared, mine: &[&Instance]) -> Vec<Instance> {
    let mut all = coordination.instances().await.unwrap();
    assert!(all.is_sorted_by_key(|instance| instance.id));
    all.retain(|listed| mine.iter().any(|instance| instance.id == listed.id));
    all
}

pub(crate) async fn instances_are_listed_while_they_live(coordination: Shared, time: &dyn Time) {
    let lasting = instance("http://b");
    coordination.announce(&lasting, LONG).await.unwrap();
    let (brief, live, found) = in_medium(async || {
        let brief = instance("http://a");
        coordination.announce(&brief, MEDIUM).await.unwrap();
        let live = listed(&coordination, &[&brief, &lasting]).await.len();
        let found = coordination.instance(brief.id).await.unwrap();
        (brief, live, found)
    })
    .await;
    assert_eq!(live, 2);
    assert_eq!(found.as_ref(), Some(&brief));
    time.pass(MEDIUM).await;
    let found = coordination.instance(brief.id).await.unwrap();
    assert_eq!(found, None);
    assert_eq!(listed(&coordination, &[&brief, &lasting]).await, [lasting]);
    assert!(!coordination.withdraw(brief.id).await.unwrap());
}

pub(crate) async fn an_announcement_replaces_the_one_before(coordination: Shared, time: &dyn Time) {
    let mut instance = instance("http://a");
    coordination.announce(&instance, MEDIUM).await.unwrap();
    instance.heartbeat_at = start().plus(LONG);
    coordination.announce(&instance, LONG).await.unwrap();
    time.pass(MEDIUM).await;
    assert_eq!(listed(&coordination, &[&instance]).await, [instance]);
}

pub(crate) async fn withdrawn_instances_are_gone(coordination: Shared, _time: &dyn Time) {
    let instance = instance("http://a");
    coordination.announce(&instance, LONG).await.unwrap();
    assert!(coordination.withdraw(instance.id).await.unwrap());
    assert_eq!(listed(&coordination, &[&instance]).await, []);
    assert!(!coordination.withdraw(instance.id).await.unwrap());
}

pub(crate) async fn it_answers(coordination: Shared, _time: &dyn Time) {
    eventually("an answer", async || coordination.ping().await.is_ok()).await;
}
