//! Time and randomness as arguments. The only implementations that read the real ones are in
//! `app::system`; tests supply their own.

use std::time::Duration;

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};

/// A point in time in UTC, whole microseconds: what both databases can store and return unchanged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(DateTime<Utc>);

impl Timestamp {
    pub fn from_datetime(at: DateTime<Utc>) -> Self {
        Self(at.trunc_subsecs(6))
    }

    /// `None` outside the years chrono can represent.
    pub fn from_micros(micros: i64) -> Option<Self> {
        DateTime::from_timestamp_micros(micros).map(Self)
    }

    pub fn micros(self) -> i64 {
        self.0.timestamp_micros()
    }

    pub fn unix_seconds(self) -> i64 {
        self.0.timestamp()
    }

    pub fn datetime(self) -> DateTime<Utc> {
        self.0
    }

    /// Later by `by`, saturating at the maximum.
    #[must_use]
    pub fn plus(self, by: Duration) -> Self {
        let delta = TimeDelta::from_std(by).unwrap_or(TimeDelta::MAX);
        Self(
            self.0
                .checked_add_signed(delta)
                .unwrap_or(DateTime::<Utc>::MAX_UTC),
        )
        .truncated()
    }

    /// Earlier by `by`, saturating at the minimum.
    #[must_use]
    pub fn minus(self, by: Duration) -> Self {
        let delta = TimeDelta::from_std(by).unwrap_or(TimeDelta::MAX);
        Self(
            self.0
                .checked_sub_signed(delta)
                .unwrap_or(DateTime::<Utc>::MIN_UTC),
        )
        .truncated()
    }

    /// The duration since `earlier`; zero if it is not earlier.
    pub fn since(self, earlier: Self) -> Duration {
        (self.0 - earlier.0).to_std().unwrap_or_default()
    }

    fn truncated(self) -> Self {
        Self::from_datetime(self.0)
    }
}

impl std::fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true))
    }
}

/// The source of time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Wall-clock time: for what is stored and shown. It may jump.
    fn now(&self) -> Timestamp;

    /// Time since a fixed point in this process: for measuring and for leases. Never goes back.
    fn monotonic(&self) -> Duration;
}

/// The source of randomness; cryptographically strong outside of tests.
pub trait Entropy: Send + Sync + std::fmt::Debug {
    fn fill(&self, buffer: &mut [u8]);
}

/// `N` fresh random bytes.
pub fn random_bytes<const N: usize>(entropy: &dyn Entropy) -> [u8; N] {
    let mut bytes = [0; N];
    entropy.fill(&mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_survive_the_round_trip_and_nanoseconds_are_cut() {
        let at = DateTime::from_timestamp_nanos(1_700_000_000_123_456_789);
        let stamp = Timestamp::from_datetime(at);
        assert_eq!(stamp.to_string(), "2023-11-14T22:13:20.123456Z");
        assert_eq!(Timestamp::from_micros(stamp.micros()), Some(stamp));
    }

    #[test]
    fn arithmetic_saturates_instead_of_panicking() {
        let stamp = Timestamp::from_micros(0).unwrap();
        assert!(stamp.plus(Duration::MAX) > stamp);
        assert!(stamp.minus(Duration::MAX) < stamp);
        assert_eq!(
            stamp.since(stamp.plus(Duration::from_secs(1))),
            Duration::ZERO
        );
    }
}
