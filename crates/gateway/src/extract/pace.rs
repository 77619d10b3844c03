//! The minimum rate of a body, and how its memory grows.

use std::{sync::Arc, time::Duration};

use axum::body::Bytes;
use domain::{
    capacity::{CapacityExceeded, CapacityPermit},
    clock::Clock,
    limits::{BODY_BYTES_PER_SECOND_MIN, BODY_FIRST_BYTES},
};
use futures::{Stream, StreamExt as _};

/// Why a body was not read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyError {
    TooLarge,
    TooSlow,
    /// The client disconnected.
    Broken,
    /// There is no memory for it.
    Exceeded(CapacityExceeded),
}

/// The part of a body read so far. Its memory grows by doubling, and not before it is reserved.
#[derive(Debug, Default)]
pub(super) struct Buffer(Vec<u8>);

impl Buffer {
    pub(super) fn push(
        &mut self,
        piece: &[u8],
        max: usize,
        permit: Option<&mut CapacityPermit>,
    ) -> Result<(), BodyError> {
        let wanted = self.0.len() + piece.len();
        if wanted > max {
            return Err(BodyError::TooLarge);
        }
        if wanted > self.0.capacity() {
            let doubled = (2 * self.0.capacity()).max(BODY_FIRST_BYTES);
            let capacity = doubled.max(wanted).min(max);
            reserve(permit, capacity)?;
            self.0.reserve_exact(capacity - self.0.len());
        }
        self.0.extend_from_slice(piece);
        Ok(())
    }

    /// All of it, in exactly as much memory as it needs.
    pub(super) fn into_bytes(mut self) -> Bytes {
        self.0.shrink_to_fit();
        self.0.into()
    }
}

pub(super) fn reserve(permit: Option<&mut CapacityPermit>, bytes: usize) -> Result<(), BodyError> {
    let Some(permit) = permit else {
        return Ok(());
    };
    let more = (bytes as u64).saturating_sub(permit.amount());
    permit.grow(more).map_err(BodyError::Exceeded)
}

/// How long the next chunk may take: the grace, less the backlog of the body against the minimum rate. Only waiting for
/// the client counts; the time for processing a chunk does not.
#[derive(Debug)]
pub(super) struct Pace {
    clock: Arc<dyn Clock>,
    grace: Duration,
    credit: Duration,
}

impl Pace {
    pub(super) fn new(clock: Arc<dyn Clock>, grace: Duration) -> Self {
        Self {
            clock,
            grace,
            credit: grace,
        }
    }

    pub(super) async fn next<S, E>(&mut self, pieces: &mut S) -> Result<Option<Bytes>, BodyError>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
    {
        let begun = self.clock.monotonic();
        let piece = tokio::time::timeout(self.credit, pieces.next()).await;
        let piece = piece.map_err(|_| BodyError::TooSlow)?;
        let waited = self.clock.monotonic().saturating_sub(begun);
        let Some(piece) = piece else {
            return Ok(None);
        };
        let piece = piece.map_err(|_| BodyError::Broken)?;
        let earned = Duration::from_micros(
            (piece.len() as u64).saturating_mul(1_000_000) / BODY_BYTES_PER_SECOND_MIN,
        );
        let left = self.credit.checked_sub(waited).ok_or(BodyError::TooSlow)?;
        self.credit = (left + earned).min(self.grace);
        Ok(Some(piece))
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use domain::{
        capacity::{CapacityPool, Claimant},
        limits::MODEL_REQUEST_BYTES,
    };
    use futures::stream;
    use testkit::clock::FakeClock;

    use super::*;

    fn pace(clock: &Arc<FakeClock>) -> Pace {
        let clock: Arc<dyn Clock> = Arc::clone(clock) as _;
        Pace::new(clock, Duration::from_secs(10))
    }

    /// Chunks, each of which arrives after so many seconds.
    fn timed(
        clock: &Arc<FakeClock>,
        pieces: &[(u64, usize)],
    ) -> impl Stream<Item = Result<Bytes, io::Error>> + Unpin {
        let clock = Arc::clone(clock);
        let pieces = stream::iter(pieces.to_vec()).map(move |(seconds, size)| {
            clock.advance(Duration::from_secs(seconds));
            Ok(Bytes::from(vec![0; size]))
        });
        Box::pin(pieces)
    }

    async fn ends(pieces: &[(u64, usize)]) -> Result<usize, BodyError> {
        let clock = Arc::new(FakeClock::new());
        let (mut pace, mut pieces) = (pace(&clock), timed(&clock, pieces));
        let mut length = 0;
        while let Some(piece) = pace.next(&mut pieces).await? {
            length += piece.len();
        }
        Ok(length)
    }

    #[tokio::test]
    async fn a_body_may_fall_behind_the_rate_by_the_grace_and_no_more() {
        const SECOND: usize = 8 * 1024;
        // Single bytes with pauses.
        assert_eq!(
            ends(&[(4, 1), (4, 1), (4, 1)]).await,
            Err(BodyError::TooSlow)
        );
        // A pause is compensated by the following chunks.
        let paused = [(9, SECOND), (1, 9 * SECOND), (9, SECOND)];
        assert_eq!(ends(&paused).await, Ok(11 * SECOND));
        // A large first chunk does not compensate a long pause.
        assert_eq!(
            ends(&[(0, 1000 * SECOND), (11, 1)]).await,
            Err(BodyError::TooSlow)
        );
        // At exactly the minimum rate it may continue.
        assert_eq!(ends(&[(1, SECOND); 100]).await, Ok(100 * SECOND));
    }

    #[tokio::test]
    async fn one_that_never_comes_ends() {
        let clock = Arc::new(FakeClock::new());
        let mut pace = Pace::new(clock, Duration::from_millis(10));
        let mut silent = stream::pending::<Result<Bytes, io::Error>>();
        assert_eq!(pace.next(&mut silent).await, Err(BodyError::TooSlow));
    }

    #[test]
    fn memory_is_reserved_in_steps_before_it_is_taken() {
        let pool = CapacityPool::new(MODEL_REQUEST_BYTES);
        let claimant = Claimant::organization("acme".parse().unwrap());
        let mut permit = pool
            .try_acquire(&claimant, BODY_FIRST_BYTES as u64)
            .unwrap();
        let mut buffer = Buffer::default();
        let max = 1024 * 1024;
        for _ in 0..64 {
            buffer
                .push(&[0; 16 * 1024], max, Some(&mut permit))
                .unwrap();
            assert!(buffer.0.capacity() as u64 <= permit.amount());
            assert!(permit.amount() <= (2 * buffer.0.len()).max(BODY_FIRST_BYTES) as u64);
        }
        let refused = buffer.push(&[0], max, Some(&mut permit));
        assert_eq!(refused, Err(BodyError::TooLarge));
    }
}
