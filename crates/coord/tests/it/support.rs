//! Unique ids, a real clock, and waiting with a deadline.

use std::{
    hash::{BuildHasher, RandomState},
    time::{Duration, Instant},
};

use coord::{Delivery, Subscription};
use domain::{
    clock::{Clock, Entropy, Timestamp},
    id::{InstanceId, SessionId},
    lease::LeaseKey,
};
use testkit::clock::SeededEntropy;

/// Far longer than anything here takes, so that only a hang reaches it.
const DEADLINE: Duration = Duration::from_mins(1);

fn entropy() -> SeededEntropy {
    // The standard library seeds its maps from the system: a new number in every test process.
    SeededEntropy::new(RandomState::new().hash_one("test"))
}

pub(crate) fn instance_id() -> InstanceId {
    InstanceId::generate(start(), &entropy() as &dyn Entropy)
}

pub(crate) fn session_id() -> SessionId {
    SessionId::generate(start(), &entropy() as &dyn Entropy)
}

pub(crate) fn lease_key() -> LeaseKey {
    LeaseKey::Owner(session_id())
}

pub(crate) fn start() -> Timestamp {
    Timestamp::from_micros(1_767_225_600_000_000).unwrap()
}

/// Real time, for what Redis measures.
#[derive(Debug)]
pub(crate) struct RealClock(Instant);

#[expect(clippy::disallowed_methods, reason = "this is the clock")]
impl RealClock {
    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }
}

impl Clock for RealClock {
    fn now(&self) -> Timestamp {
        start().plus(self.monotonic())
    }

    fn monotonic(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Tries until `check` is true; fails the test at the deadline.
pub(crate) async fn eventually(what: &str, mut check: impl AsyncFnMut() -> bool) {
    let clock = RealClock::new();
    while !check().await {
        assert!(clock.monotonic() < DEADLINE, "never happened: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Awaits what must happen soon.
pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    let outcome = tokio::time::timeout(DEADLINE, future).await;
    outcome.unwrap_or_else(|_| panic!("never happened: {what}"))
}

pub(crate) async fn next(subscription: &mut Subscription) -> Delivery {
    soon("a delivery", subscription.recv())
        .await
        .expect("the subscription goes on")
}
