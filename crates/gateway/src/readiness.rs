//! The checks behind `/ready`, run once for all concurrent requests. The route takes no credential: the load on the
//! database, the coordination service and storage must not grow with the number of requests. Not `moka`: it is one value, and
//! it ages on the project's clock.

use std::time::Duration;

use app::readiness::ReadinessCheck;
use domain::limits::READINESS_FRESH;
use tokio::sync::Mutex;

/// The last checks, and when they ran.
#[derive(Debug, Default)]
pub(crate) struct Readiness(Mutex<Option<(Duration, Vec<ReadinessCheck>)>>);

impl Readiness {
    /// Returns the last checks while they are fresh, else runs new ones with `check`. Concurrent requests wait for
    /// those; if the request that runs them is cancelled, the next waiting one runs them.
    pub(crate) async fn checks(
        &self,
        now: impl Fn() -> Duration,
        check: impl AsyncFnOnce() -> Vec<ReadinessCheck>,
    ) -> Vec<ReadinessCheck> {
        let mut last = self.0.lock().await;
        if let Some((made_at, checks)) = &*last
            && now().saturating_sub(*made_at) < READINESS_FRESH
        {
            return checks.clone();
        }
        let checks = check().await;
        *last = Some((now(), checks.clone()));
        checks
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::future::join_all;

    use super::*;

    #[tokio::test]
    async fn requests_at_the_same_time_share_one_check() {
        let (readiness, made) = (Readiness::default(), AtomicUsize::new(0));
        let ask = |second| {
            let (readiness, made) = (&readiness, &made);
            readiness.checks(
                move || Duration::from_secs(second),
                async move || {
                    made.fetch_add(1, Ordering::Relaxed);
                    tokio::task::yield_now().await;
                    Vec::new()
                },
            )
        };
        join_all((0..100).map(|_| ask(10))).await;
        assert_eq!(made.load(Ordering::Relaxed), 1);
        ask(11).await;
        assert_eq!(made.load(Ordering::Relaxed), 2, "they are old by then");
    }
}
