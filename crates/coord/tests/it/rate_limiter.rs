//! The limiter limits, and admits visibly when it cannot count.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use coord::{Admission, RateLimiter};
use domain::lease::RateKey;
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use testkit::clock::FakeClock;

use crate::{faulty::Faulty, support::session_id};

const WINDOW: Duration = Duration::from_mins(1);

#[tokio::test]
async fn it_limits_and_says_when_to_come_back() {
    let clock = Arc::new(FakeClock::new());
    let limiter = RateLimiter::new(Faulty::new(clock.clone()));
    let key = RateKey::Actions(session_id());
    let got = limiter.check(key, WINDOW, 1).await;
    assert_eq!(got, Admission::Allowed { count: 1 });
    clock.advance(WINDOW / 4);
    let got = limiter.check(key, WINDOW, 1).await;
    let retry_after = WINDOW * 3 / 4;
    assert_eq!(
        got,
        Admission::Limited {
            count: 2,
            retry_after
        }
    );
    assert!(!got.is_allowed() && !got.is_degraded());
    clock.advance(retry_after);
    assert!(limiter.check(key, WINDOW, 1).await.is_allowed());
}

#[tokio::test]
async fn it_lets_through_what_it_cannot_count_and_recovers() {
    let coordination = Faulty::new(Arc::new(FakeClock::new()));
    let limiter = RateLimiter::new(coordination.clone());
    let key = RateKey::Actions(session_id());
    coordination.fail(3);
    for _ in 0..3 {
        let got = limiter.check(key, WINDOW, 0).await;
        assert_eq!(got, Admission::Degraded);
        assert!(got.is_allowed() && got.is_degraded());
    }
    assert!(!limiter.check(key, WINDOW, 0).await.is_allowed());
}

#[tokio::test]
async fn an_outage_is_one_warning_and_every_call_is_counted() {
    let (warnings, counted) = (Count::default(), Count::default());
    let _log = tracing::subscriber::set_default(warnings.clone());
    let _metrics = metrics::set_default_local_recorder(&counted);
    let coordination = Faulty::new(Arc::new(FakeClock::new()));
    let limiter = RateLimiter::new(coordination.clone());
    let key = RateKey::Actions(session_id());
    for outage in 1..=2 {
        coordination.fail(3);
        for _ in 0..4 {
            limiter.check(key, WINDOW, 100).await;
        }
        assert_eq!(warnings.get(), outage);
        assert_eq!(counted.get(), outage * 3);
    }
}

/// Counts warnings as a log, and increments as a recorder of metrics.
#[derive(Debug, Clone, Default)]
struct Count(Arc<AtomicU64>);

impl Count {
    fn get(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

impl tracing::Subscriber for Count {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        *metadata.level() == tracing::Level::WARN
    }

    fn event(&self, _event: &tracing::Event<'_>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn new_span(&self, _span: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _span: &tracing::span::Id, _values: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _span: &tracing::span::Id, _follows: &tracing::span::Id) {}
    fn enter(&self, _span: &tracing::span::Id) {}
    fn exit(&self, _span: &tracing::span::Id) {}
}

impl Recorder for Count {
    fn register_counter(&self, key: &Key, _metadata: &Metadata<'_>) -> Counter {
        assert_eq!(key.name(), "coordination_rate_limit_degraded_total");
        Counter::from_arc(self.0.clone())
    }

    fn register_gauge(&self, _key: &Key, _metadata: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _key: &Key, _metadata: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }

    fn describe_counter(&self, _key: KeyName, _unit: Option<Unit>, _text: SharedString) {}
    fn describe_gauge(&self, _key: KeyName, _unit: Option<Unit>, _text: SharedString) {}
    fn describe_histogram(&self, _key: KeyName, _unit: Option<Unit>, _text: SharedString) {}
}
