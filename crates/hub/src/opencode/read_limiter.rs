//! Bounds everything that is read from the agent's server: bytes, JSON and time, of one response, of one event, and of all
//! that one agent ever sends.
//!
//! INVARIANT: nothing is parsed before its depth and the memory that it takes were counted.

use std::{
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use domain::limits::{
    AGENT_INFLIGHT_BYTES_MAX, AGENT_READ_BURST_BYTES, AGENT_READ_BYTES_MAX,
    AGENT_READ_BYTES_PER_SECOND, AGENT_REQUEST_TIMEOUT,
};
use reqwest::Response;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep, timeout_at},
};

use super::error::{AgentError, ExceededLimit};
use crate::sandbox_http::{self, JsonTooLarge};

/// The semaphore counts kilobytes: its permits are 32 bits.
const PERMIT_BYTES: usize = 1024;

/// The limits of one agent, and what was read of it so far. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct ReadLimiter {
    pace: Arc<Mutex<ReadPace>>,
    budget: ReadBudget,
}

/// The memory budget for what was read of one session's sandbox and is still in use, from any program in it. Clones share
/// it.
#[derive(Debug, Clone)]
pub struct ReadBudget(Arc<Semaphore>);

/// Reserved memory for something that was read and is still in use. Clones share the reservation.
#[derive(Debug, Clone, Default)]
pub struct MemoryReservation(
    #[expect(dead_code, reason = "it holds room until it is dropped")]
    Option<Arc<OwnedSemaphorePermit>>,
);

/// Reservations are not part of a value: all are equal.
impl PartialEq for MemoryReservation {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Default for ReadBudget {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(
            AGENT_INFLIGHT_BYTES_MAX / PERMIT_BYTES,
        )))
    }
}

impl ReadBudget {
    /// Waits until this much memory is free, and reserves it. More than the budget takes all of it.
    pub async fn reserve(&self, memory: usize) -> MemoryReservation {
        let wanted = memory.min(AGENT_INFLIGHT_BYTES_MAX).div_ceil(PERMIT_BYTES);
        let wanted = u32::try_from(wanted).unwrap_or(u32::MAX);
        let permit = Arc::clone(&self.0).acquire_many_owned(wanted).await;
        // It is never closed.
        MemoryReservation(permit.ok().map(Arc::new))
    }

    pub(crate) fn downgrade(&self) -> Weak<Semaphore> {
        Arc::downgrade(&self.0)
    }

    pub(crate) fn upgrade(weak: &Weak<Semaphore>) -> Option<Self> {
        weak.upgrade().map(Self)
    }
}

impl ReadLimiter {
    pub(super) fn new() -> Self {
        Self {
            pace: Arc::default(),
            budget: ReadBudget::default(),
        }
    }

    /// Uses this budget instead of an own one.
    pub(super) fn sharing(self, budget: ReadBudget) -> Self {
        Self { budget, ..self }
    }

    /// Counts what was read, and waits if it came too fast: the agent's socket fills meanwhile.
    pub(super) async fn count(&self, cost: u64) -> Result<(), ExceededLimit> {
        let pause = {
            let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
            pace.take(cost, now())?
        };
        if !pause.is_zero() {
            sleep(pause).await;
        }
        Ok(())
    }

    /// Waits until this much memory is reserved.
    pub(super) async fn reserve(&self, memory: usize) -> MemoryReservation {
        self.budget.reserve(memory).await
    }

    /// Reads the body of a response, within its limits of bytes and time.
    pub(super) async fn body(&self, answer: Response, max: usize) -> Result<Vec<u8>, AgentError> {
        let mut body = Vec::new();
        self.read(answer, max, |piece| body.extend_from_slice(piece))
            .await?;
        Ok(body)
    }

    /// Reads and drops a response, so that its connection can be reused.
    pub(super) async fn discard(&self, answer: Response, max: usize) -> Result<(), AgentError> {
        self.read(answer, max, |_| {}).await
    }

    /// Reads a response piece by piece.
    ///
    /// INVARIANT: one deadline for the whole response, so that a byte a second ends too.
    async fn read(
        &self,
        mut answer: Response,
        max: usize,
        mut keep: impl FnMut(&[u8]),
    ) -> Result<(), AgentError> {
        let said = answer.content_length();
        if said.is_some_and(|said| said > max as u64) {
            return Err(ExceededLimit::Answer(max).into());
        }
        let mut deadline = now() + AGENT_REQUEST_TIMEOUT;
        let mut length = 0;
        loop {
            let piece = timeout_at(deadline, answer.chunk()).await;
            let Some(piece) = piece.map_err(|_| AgentError::Timeout)?? else {
                return Ok(());
            };
            length += piece.len();
            if length > max {
                return Err(ExceededLimit::Answer(max).into());
            }
            keep(&piece);
            // The time that the gateway waits does not count.
            let before = now();
            self.count(piece.len() as u64).await?;
            deadline += now().saturating_duration_since(before);
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "deadlines and pace of the runtime's own clock"
)]
fn now() -> Instant {
    Instant::now()
}

/// A token bucket that may go below zero: then the next read waits.
#[derive(Debug, Default)]
struct ReadPace {
    total: u64,
    /// The total, which does not refill.
    owed: u64,
    since: Option<Instant>,
}

impl ReadPace {
    /// Counts a read, and returns how long to wait after it.
    fn take(&mut self, cost: u64, now: Instant) -> Result<Duration, ExceededLimit> {
        self.total = self.total.saturating_add(cost);
        if self.total > AGENT_READ_BYTES_MAX {
            return Err(ExceededLimit::Total(AGENT_READ_BYTES_MAX));
        }
        let since = self.since.replace(now).unwrap_or(now);
        let passed = now.saturating_duration_since(since).as_micros();
        let refilled = passed * u128::from(AGENT_READ_BYTES_PER_SECOND) / 1_000_000;
        let refilled = u64::try_from(refilled).unwrap_or(u64::MAX);
        self.owed = self.owed.saturating_sub(refilled).saturating_add(cost);
        let above = self.owed.saturating_sub(AGENT_READ_BURST_BYTES);
        let micros = above.saturating_mul(1_000_000) / AGENT_READ_BYTES_PER_SECOND;
        Ok(Duration::from_micros(micros))
    }
}

/// Returns an upper bound of the memory that this JSON takes when it is parsed. Fails if that is too much.
pub(super) fn check_memory(json: &[u8]) -> Result<usize, ExceededLimit> {
    sandbox_http::estimate_memory(json).map_err(|heavy| match heavy {
        JsonTooLarge::Depth(max) => ExceededLimit::Depth(max),
        JsonTooLarge::Memory(max) => ExceededLimit::Memory(max),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_read_at_once_and_what_follows_at_its_pace() {
        let mut pace = ReadPace::default();
        let begin = now();
        assert_eq!(pace.take(AGENT_READ_BURST_BYTES, begin), Ok(Duration::ZERO));
        let second = Duration::from_secs(1);
        assert_eq!(pace.take(AGENT_READ_BYTES_PER_SECOND, begin), Ok(second));
        assert_eq!(pace.take(0, begin + second), Ok(Duration::ZERO));
        let half = AGENT_READ_BYTES_PER_SECOND / 2;
        assert_eq!(pace.take(half, begin + second), Ok(second / 2));
        // After a long rest there is room for one burst again, and no more.
        let later = begin + 1000 * second;
        assert_eq!(pace.take(AGENT_READ_BURST_BYTES, later), Ok(Duration::ZERO));
        assert_eq!(pace.take(half, later), Ok(second / 2));
    }

    #[test]
    fn the_life_of_an_agent_has_a_bound() {
        let mut pace = ReadPace {
            total: AGENT_READ_BYTES_MAX - 1,
            ..ReadPace::default()
        };
        assert!(pace.take(1, now()).is_ok());
        assert_eq!(
            pace.take(1, now()),
            Err(ExceededLimit::Total(AGENT_READ_BYTES_MAX))
        );
    }
}
