//! Rate limits that fail open: an outage of coordination does not block callers. Owns the decision
//! to admit; [`Coordination::hit`] counts.
//!
//! INVARIANT: uncounted admission is visible: in the result, in a metric for each call, and in one
//! log line for each outage.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use domain::lease::RateKey;

use crate::coordination::Coordination;

/// Calls admitted uncounted.
const DEGRADED: &str = "coordination_rate_limit_degraded_total";

/// The limiter's decision about one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    Allowed {
        count: u64,
    },
    Limited {
        count: u64,
        retry_after: Duration,
    },
    /// Allowed, because it could not be counted.
    Degraded,
}

impl Admission {
    pub fn is_allowed(self) -> bool {
        !matches!(self, Self::Limited { .. })
    }

    pub fn is_degraded(self) -> bool {
        matches!(self, Self::Degraded)
    }
}

#[derive(Debug)]
pub struct RateLimiter {
    coordination: Arc<dyn Coordination>,
    degraded: AtomicBool,
}

impl RateLimiter {
    pub fn new(coordination: Arc<dyn Coordination>) -> Self {
        Self {
            coordination,
            degraded: AtomicBool::new(false),
        }
    }

    pub async fn check(&self, key: RateKey, window: Duration, limit: u64) -> Admission {
        let answer = self.coordination.hit(key, window, limit).await;
        let was_degraded = self.degraded.swap(answer.is_err(), Ordering::Relaxed);
        match answer {
            Ok(counted) => {
                if was_degraded {
                    tracing::info!("rate limits are enforced again");
                }
                let count = counted.count;
                match counted.retry_after {
                    None => Admission::Allowed { count },
                    Some(retry_after) => Admission::Limited { count, retry_after },
                }
            }
            Err(error) => {
                metrics::counter!(DEGRADED).increment(1);
                if !was_degraded {
                    let error: &dyn std::error::Error = &error;
                    tracing::warn!(error, "rate limits are not enforced");
                }
                Admission::Degraded
            }
        }
    }
}
