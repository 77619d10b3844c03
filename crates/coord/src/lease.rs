//! A lease that is kept alive and reports its loss. One implementation for long leases and short
//! locks. Owns the heartbeat and the holder's own view of the lease's life; does not own fencing: a
//! paused process can still write late, which only the store's epoch check stops.
//!
//! INVARIANT: [`HeldLease::is_lost`] is true no later than the service may give the lease to another
//! holder. The life is counted from before each request was sent, so it ends here first, and every
//! caller checks it against the monotonic clock, instead of relying on a task that may be starved.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use domain::{
    clock::Clock,
    id::InstanceId,
    lease::LeaseKey,
    limits::{
        LEASE_RENEW_EVERY, LEASE_RENEW_FAILURES_MAX, LEASE_TTL, MIGRATION_LOCK_RENEW_EVERY,
        MIGRATION_LOCK_TTL,
    },
};
use tokio::time::{sleep, timeout};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{
    coordination::{Acquisition, Coordination, Renewal},
    error::Error,
};

/// How long a lease lives without renewal, and how often it is renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseTerms {
    pub ttl: Duration,
    pub renew_every: Duration,
}

impl LeaseTerms {
    pub const OWNER: Self = Self {
        ttl: LEASE_TTL,
        renew_every: LEASE_RENEW_EVERY,
    };
    pub const MIGRATION: Self = Self {
        ttl: MIGRATION_LOCK_TTL,
        renew_every: MIGRATION_LOCK_RENEW_EVERY,
    };
}

/// Why a lease is no longer held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The service reports another holder, or none.
    Taken { now_held_by: Option<InstanceId> },
    /// Too many renewals in a row failed.
    Unreachable,
    /// Its life ended without a renewal: the process was paused, or renewing took too long.
    Lapsed,
    /// The handle was released or dropped.
    Released,
}

/// The result of [`HeldLease::acquire`].
#[derive(Debug)]
pub enum Attempt {
    Held(HeldLease),
    HeldBy(InstanceId),
}

/// A lease this process holds until it is lost, released or dropped. Dropping stops renewing: the
/// lease then expires, and everything that depends on [`HeldLease::lost_token`] is cancelled at
/// once.
#[derive(Debug)]
pub struct HeldLease {
    shared: Arc<Shared>,
    already_held: bool,
    _heartbeat: AbortOnDropHandle<()>,
}

#[derive(Debug)]
struct Shared {
    coordination: Arc<dyn Coordination>,
    clock: Arc<dyn Clock>,
    key: LeaseKey,
    holder: InstanceId,
    terms: LeaseTerms,
    /// When the request of the last successful renewal was sent, in monotonic microseconds.
    renewed_us: AtomicU64,
    loss: OnceLock<Loss>,
    lost: CancellationToken,
}

impl HeldLease {
    pub async fn acquire(
        coordination: Arc<dyn Coordination>,
        clock: Arc<dyn Clock>,
        key: LeaseKey,
        holder: InstanceId,
        terms: LeaseTerms,
    ) -> Result<Attempt, Error> {
        let sent = clock.monotonic();
        let already_held = match coordination.acquire(key, holder, terms.ttl).await? {
            Acquisition::Acquired => false,
            Acquisition::Renewed => true,
            Acquisition::HeldBy(other) => return Ok(Attempt::HeldBy(other)),
        };
        let shared = Arc::new(Shared {
            coordination,
            clock,
            key,
            holder,
            terms,
            renewed_us: AtomicU64::new(micros(sent)),
            loss: OnceLock::new(),
            lost: CancellationToken::new(),
        });
        let heartbeat = tokio::spawn(Arc::clone(&shared).keep());
        Ok(Attempt::Held(Self {
            shared,
            already_held,
            _heartbeat: AbortOnDropHandle::new(heartbeat),
        }))
    }

    pub fn key(&self) -> LeaseKey {
        self.shared.key
    }

    /// Whether this process had the lease before: a lease excludes other instances, not other tasks
    /// of this one.
    pub fn was_already_held(&self) -> bool {
        self.already_held
    }

    /// Whether another holder may have the lease by now. Once true, always true.
    pub fn is_lost(&self) -> bool {
        self.shared.check().is_some()
    }

    /// Waits until the lease is lost.
    pub async fn lost(&self) -> Loss {
        self.shared.lost.cancelled().await;
        self.shared.loss.get().copied().unwrap_or(Loss::Released)
    }

    /// Cancelled when the lease is lost, for work that must stop with it.
    pub fn lost_token(&self) -> CancellationToken {
        // A child: cancelling it does not end the lease.
        self.shared.lost.child_token()
    }

    /// Releases the lease at once. `false` if it was not held any more. After an error it may still
    /// exist, and expires.
    pub async fn release(self) -> Result<bool, Error> {
        let shared = Arc::clone(&self.shared);
        // A renewal still under way finds nothing to renew: it cannot restore the lease.
        drop(self);
        shared.coordination.release(shared.key, shared.holder).await
    }
}

impl Drop for HeldLease {
    fn drop(&mut self) {
        self.shared.lose(Loss::Released);
    }
}

impl Shared {
    /// The heartbeat: renews until the lease is lost.
    async fn keep(self: Arc<Self>) {
        let mut failures = 0;
        loop {
            // Never asleep when the lease ends: the loss is reported then, not at the next
            // heartbeat.
            sleep(self.terms.renew_every.min(self.left())).await;
            if self.check().is_some() {
                return;
            }
            let answer = match self.renew().await {
                // Retries once: most failures are a connection that has to be re-established.
                Err(_) if self.check().is_none() => self.renew().await,
                answer => answer,
            };
            match answer {
                Ok(Renewal::Renewed) => failures = 0,
                Ok(Renewal::Lost { now_held_by }) => return self.lose(Loss::Taken { now_held_by }),
                Err(error) => {
                    failures += 1;
                    let error: &dyn std::error::Error = &error;
                    tracing::warn!(key = %self.key, failures, error, "a lease was not renewed");
                    if failures >= LEASE_RENEW_FAILURES_MAX {
                        return self.lose(Loss::Unreachable);
                    }
                }
            }
        }
    }

    async fn renew(&self) -> Result<Renewal, Error> {
        let sent = self.clock.monotonic();
        let request = self
            .coordination
            .renew(self.key, self.holder, self.terms.ttl);
        let left = self.left();
        let answer = match timeout(left, request).await {
            Ok(answer) => answer?,
            Err(_) => return Err(Error::no_answer("lease_renew", left)),
        };
        // A response that arrives after the end does not undo it: a caller may have been told
        // meanwhile that the lease is lost.
        if answer == Renewal::Renewed && self.check().is_none() {
            self.renewed_us.store(micros(sent), Ordering::Release);
        }
        Ok(answer)
    }

    /// How long the lease is certainly held without a renewal.
    fn left(&self) -> Duration {
        let renewed = Duration::from_micros(self.renewed_us.load(Ordering::Acquire));
        let ends = renewed.saturating_add(self.terms.ttl);
        ends.saturating_sub(self.clock.monotonic())
    }

    /// Why the lease is lost, if it is. INVARIANT: detects the end of its life without the service.
    fn check(&self) -> Option<Loss> {
        if self.loss.get().is_none() && self.left().is_zero() {
            self.lose(Loss::Lapsed);
        }
        self.loss.get().copied()
    }

    fn lose(&self, loss: Loss) {
        if self.loss.set(loss).is_ok() {
            if loss != Loss::Released {
                tracing::warn!(key = %self.key, ?loss, "a lease is lost");
            }
            self.lost.cancel();
        }
    }
}

fn micros(monotonic: Duration) -> u64 {
    u64::try_from(monotonic.as_micros()).unwrap_or(u64::MAX)
}
