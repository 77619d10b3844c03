//! The contract, in process, with time moved by hand.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use coord::MemoryCoordination;
use testkit::clock::FakeClock;

use crate::conformance::{self, Time, for_every_case};

#[async_trait]
impl Time for FakeClock {
    async fn pass(&self, by: Duration) {
        self.advance(by);
    }
}

macro_rules! make_tests {
    ($($case:ident,)+) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $case() {
            let clock = Arc::new(FakeClock::new());
            let coordination = Arc::new(MemoryCoordination::new(clock.clone()));
            conformance::$case(coordination, &*clock).await;
        }
    )+};
}

for_every_case!(make_tests);
