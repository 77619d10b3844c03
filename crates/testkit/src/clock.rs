//! Time and randomness under a test's control.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use domain::clock::{Clock, Entropy, Timestamp};

/// A clock that advances only when a test moves it.
#[derive(Debug)]
pub struct FakeClock {
    elapsed_us: AtomicU64,
}

/// 2026-01-01T00:00:00Z: where every fake clock begins.
const START_US: i64 = 1_767_225_600_000_000;

impl FakeClock {
    pub fn new() -> Self {
        Self {
            elapsed_us: AtomicU64::new(0),
        }
    }

    pub fn advance(&self, by: Duration) {
        let us = u64::try_from(by.as_micros()).expect("a test moves time by less than an age");
        self.elapsed_us.fetch_add(us, Ordering::SeqCst);
    }
}

impl Default for FakeClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Timestamp {
        let elapsed = self.elapsed_us.load(Ordering::SeqCst);
        Timestamp::from_micros(START_US)
            .expect("the start is valid")
            .plus(Duration::from_micros(elapsed))
    }

    fn monotonic(&self) -> Duration {
        Duration::from_micros(self.elapsed_us.load(Ordering::SeqCst))
    }
}

/// Randomness that repeats for the same seed (SplitMix64; good enough for distinct ids).
#[derive(Debug)]
pub struct SeededEntropy {
    state: Mutex<u64>,
}

impl SeededEntropy {
    pub fn new(seed: u64) -> Self {
        Self {
            state: Mutex::new(seed),
        }
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        let mut state = self.state.lock().expect("no test panics while holding it");
        for chunk in buffer.chunks_mut(8) {
            *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = *state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^= z >> 31;
            chunk.copy_from_slice(&z.to_le_bytes()[..chunk.len()]);
        }
    }
}
