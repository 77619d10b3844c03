//! Virtual time. Every process of the simulation has a runtime whose clock stands still but for what it waits for; the
//! scheduler lets one after the other run up to a moment. What is true for all of them is told here: the time of
//! the running task.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use domain::clock::{Clock, Timestamp};
use tokio::time::Instant;

/// 2026-01-01T00:00:00Z: where every simulation begins.
const START_US: i64 = 1_767_225_600_000_000;

/// The true time.
#[derive(Debug, Default)]
pub(crate) struct Time(Mutex<Now>);

#[derive(Debug, Default)]
struct Now {
    /// The moment at which the runtime that runs now was made, on its own clock and in truth.
    running: Option<(Instant, Duration)>,
    last: Duration,
}

impl Time {
    /// From now on the runtime runs that was made at `start`, which was `origin`.
    pub(crate) fn enter(&self, start: Instant, origin: Duration) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .running = Some((start, origin));
    }

    pub(crate) fn leave(&self, at: Duration) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        now.running = None;
        now.last = at;
    }

    pub(crate) fn now(&self) -> Duration {
        let now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match now.running {
            Some((start, origin)) => origin + own_clock().saturating_duration_since(start),
            None => now.last,
        }
    }
}

impl Time {
    /// How long it is until a moment, in truth.
    pub(crate) fn until(&self, moment: Timestamp) -> Duration {
        let from_start = u64::try_from(moment.micros() - START_US).unwrap_or_default();
        Duration::from_micros(from_start).saturating_sub(self.now())
    }
}

/// The clock of the runtime that runs now.
#[expect(clippy::disallowed_methods, reason = "a clock that stands still")]
pub(crate) fn own_clock() -> Instant {
    Instant::now()
}

/// The clock of one process: as fast as all others, and its wall clock off by a little.
#[derive(Debug, Clone)]
pub(crate) struct SkewedClock {
    pub(crate) time: Arc<Time>,
    /// Milliseconds ahead of the truth.
    pub(crate) skew_ms: i64,
}

impl Clock for SkewedClock {
    fn now(&self) -> Timestamp {
        let elapsed = i64::try_from(self.time.now().as_micros()).unwrap_or(i64::MAX / 2);
        let micros = START_US + elapsed + self.skew_ms * 1000;
        Timestamp::from_micros(micros).unwrap_or_else(|| {
            // Years away from where a simulation ends.
            unreachable!("a simulation ends within its year")
        })
    }

    fn monotonic(&self) -> Duration {
        self.time.now()
    }
}
