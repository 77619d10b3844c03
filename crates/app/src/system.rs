//! The real clock and the real randomness: the one place of the product that reads them.

use std::time::{Duration, Instant, SystemTime};

use domain::clock::{Clock, Entropy, Timestamp};

/// The machine's clock.
#[derive(Debug)]
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the clock"
    )]
    pub fn new() -> Self {
        Self {
            started: Instant::now(),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the clock"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::from_datetime(SystemTime::now().into())
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}

/// The operating system's random numbers.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads randomness"
    )]
    fn fill(&self, buffer: &mut [u8]) {
        // Without randomness no token or key of ours would be safe: there is nothing to go on with.
        getrandom::fill(buffer).expect("the operating system provides randomness");
    }
}
