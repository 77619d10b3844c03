//! The clock and the randomness of the machine: the one place of this command that reads them.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A time after which nothing more is begun.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the clock"
    )]
    pub(crate) fn after(duration: Duration) -> Self {
        Self(Instant::now() + duration)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the clock"
    )]
    pub(crate) fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads randomness"
)]
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without randomness two runs could share a key, and one would get the other's result.
    getrandom::fill(&mut bytes).expect("the operating system provides randomness");
    bytes
}

/// A key that no other run has.
pub(crate) fn idempotency_key() -> String {
    let id = uuid::Builder::from_random_bytes(random()).into_uuid();
    format!("sandbox-cli-{id}")
}

/// A unique name.
pub(crate) fn unique() -> String {
    uuid::Builder::from_random_bytes(random())
        .into_uuid()
        .simple()
        .to_string()
}

/// Milliseconds since 1970.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the clock"
)]
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}

/// Between half of the duration and all of it, so that many waiting callers do not return at once.
pub(crate) fn jittered(duration: Duration) -> Duration {
    let [byte] = random();
    duration.mul_f64(0.5 + f64::from(byte) / 510.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_stays_between_half_and_whole() {
        let whole = Duration::from_secs(8);
        for _ in 0..1000 {
            let jittered = jittered(whole);
            assert!(jittered >= whole / 2 && jittered <= whole, "{jittered:?}");
        }
    }

    #[test]
    fn keys_differ() {
        assert_ne!(idempotency_key(), idempotency_key());
    }
}
