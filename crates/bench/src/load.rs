//! A closed loop: each worker sends the next request when it has the answer to the last one.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, ensure};
use app::system::SystemClock;
use domain::clock::Clock;
use hdrhistogram::Histogram;

use crate::client::Client;

/// Long enough to average over, short enough to wait for all of them.
const MEASURE: Duration = Duration::from_secs(5);
const WARM_UP: Duration = Duration::from_secs(1);

/// What a loop measured.
#[derive(Debug)]
pub(crate) struct LoadMeasurement {
    pub(crate) workers: usize,
    took: Duration,
    /// What processors worked for it in this process: on both ends.
    worked: Option<Duration>,
    latencies_us: Histogram<u64>,
}

impl LoadMeasurement {
    /// Of a loop that was run elsewhere.
    pub(crate) fn of(workers: usize, took: Duration, latencies_us: Histogram<u64>) -> Self {
        Self {
            workers,
            took,
            worked: None,
            latencies_us,
        }
    }

    /// Of loops that ran at the same time, for equally long.
    pub(crate) fn together(all: Vec<Self>) -> anyhow::Result<Self> {
        let mut sum = Self::of(0, MEASURE, Histogram::new(3)?);
        for one in all {
            sum.workers += one.workers;
            sum.took = sum.took.max(one.took);
            // They are all of this process.
            sum.worked = sum.worked.max(one.worked);
            sum.latencies_us.add(one.latencies_us)?;
        }
        Ok(sum)
    }

    pub(crate) fn per_second(&self) -> f64 {
        // A count of requests is far below what a double holds exactly.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let count = self.latencies_us.len() as f64;
        count / self.took.as_secs_f64()
    }

    /// What one request costs processors. Unlike what is waited for, it is hardly more on a machine whose processors
    /// others use too.
    pub(crate) fn worked_us_each(&self) -> Option<u128> {
        let count = u128::from(self.latencies_us.len().max(1));
        self.worked.map(|worked| worked.as_micros() / count)
    }

    pub(crate) fn quantile(&self, q: f64) -> u64 {
        self.latencies_us.value_at_quantile(q)
    }
}

/// Runs `workers` loops against `address`; `request(worker, n)` is the n-th request of a worker.
pub(crate) async fn run(
    address: std::net::SocketAddr,
    workers: usize,
    expected_status: u16,
    request: impl Fn(usize, u64) -> Vec<u8> + Send + Sync + 'static,
) -> anyhow::Result<LoadMeasurement> {
    run_for(MEASURE, address, workers, expected_status, request).await
}

/// The same for so long.
pub(crate) async fn run_for(
    lasts: Duration,
    address: std::net::SocketAddr,
    workers: usize,
    expected_status: u16,
    request: impl Fn(usize, u64) -> Vec<u8> + Send + Sync + 'static,
) -> anyhow::Result<LoadMeasurement> {
    let clock = Arc::new(SystemClock::new());
    let (request, measuring) = (Arc::new(request), Arc::new(AtomicBool::new(false)));
    let stop = Arc::new(AtomicBool::new(false));
    let loops: Vec<_> = (0..workers)
        .map(|worker| {
            let (clock, request) = (Arc::clone(&clock), Arc::clone(&request));
            let (measuring, stop) = (Arc::clone(&measuring), Arc::clone(&stop));
            tokio::spawn(async move {
                let mut client = Client::connect(address).await?;
                let mut latencies = Histogram::<u64>::new(3)?;
                let mut n = 0;
                while !stop.load(Ordering::Relaxed) {
                    let bytes = request(worker, n);
                    n += 1;
                    let counts = measuring.load(Ordering::Relaxed);
                    let sent = clock.monotonic();
                    let status = client.call(&bytes).await?;
                    ensure!(status == expected_status, "answered {status}");
                    let took = clock.monotonic().saturating_sub(sent);
                    if counts {
                        latencies.record(u64::try_from(took.as_micros())?)?;
                    }
                }
                anyhow::Ok(latencies)
            })
        })
        .collect();
    tokio::time::sleep(WARM_UP).await;
    measuring.store(true, Ordering::Relaxed);
    let (started, worked_before) = (clock.monotonic(), processor_time()?);
    tokio::time::sleep(lasts).await;
    stop.store(true, Ordering::Relaxed);
    let took = clock.monotonic().saturating_sub(started);
    let worked = processor_time()?.saturating_sub(worked_before);
    let mut latencies_us = Histogram::<u64>::new(3)?;
    for (worker, task) in loops.into_iter().enumerate() {
        latencies_us.add(task.await?.with_context(|| format!("worker {worker}"))?)?;
    }
    Ok(LoadMeasurement {
        workers,
        took,
        worked: Some(worked),
        latencies_us,
    })
}

/// What this process has used of processors so far.
pub(crate) fn processor_time() -> anyhow::Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(')').context("a name")?;
    let ticks: u64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .map(|ticks| ticks.parse::<u64>().unwrap_or_default())
        .sum();
    // A hundred in a second, on every machine that Linux runs on.
    Ok(Duration::from_millis(ticks * 10))
}
