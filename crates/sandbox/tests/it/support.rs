//! Providers for tests, each in a directory of its own that goes with everything in it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use domain::{caller::Incarnation, clock::Entropy};
use sandbox::{
    ExecRequest, ExecResult, Handle, Provider as _, Spec,
    local::{Local, Tier},
};
use tempfile::TempDir;

/// Randomness that no other test has. Not the test kit's, which would bring all other crates along.
#[derive(Debug)]
struct Unique;

impl Entropy for Unique {
    fn fill(&self, buffer: &mut [u8]) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        for chunk in buffer.chunks_mut(8) {
            let next = NEXT.fetch_add(1, Ordering::Relaxed);
            let seed = (u64::from(std::process::id()) << 32) + next;
            // A bijection (SplitMix64), so that different seeds stay different.
            let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..chunk.len()]);
        }
    }
}

pub(crate) fn entropy() -> Arc<dyn Entropy> {
    Arc::new(Unique)
}

/// A local provider that removes its sandboxes, also when a test fails.
pub(crate) struct Machine {
    pub(crate) local: Local,
    pub(crate) dir: TempDir,
}

impl Machine {
    pub(crate) fn new(tier: Tier) -> Self {
        let dir = TempDir::new().unwrap();
        let local = Local::open(&dir.path().join("state"), tier, entropy()).unwrap();
        Self { local, dir }
    }

    pub(crate) async fn create(&self) -> Handle {
        self.local.create(spec()).await.unwrap()
    }

    pub(crate) async fn shell(&self, handle: &Handle, line: &str) -> ExecResult {
        let request = ExecRequest::shell(line);
        self.local.exec(handle, request).await.unwrap()
    }

    /// What a line prints.
    pub(crate) async fn output(&self, handle: &Handle, line: &str) -> String {
        let result = self.shell(handle, line).await;
        let (stdout, stderr) = (result.stdout.text(), result.stderr.text());
        assert!(result.is_success(), "{line}: {:?} {stderr}", result.exit);
        stdout
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let local = self.local.clone();
        let clean = move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(local.clean(|_| true))
        };
        let cleaned = std::thread::spawn(clean).join().unwrap();
        if !std::thread::panicking() {
            cleaned.unwrap();
        }
    }
}

pub(crate) fn spec() -> Spec {
    let mut spec = Spec::new("test", Incarnation(1));
    spec.limits.memory_bytes = 512 * 1024 * 1024;
    spec.limits.disk_bytes = 1024 * 1024 * 1024;
    spec
}

/// Every test ends.
pub(crate) async fn bounded<T>(test: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(3), test)
        .await
        .expect("a test takes at most three minutes")
}

/// One that has an engine make images again and again, on a machine that has other tests to run. The runner is as patient
/// with engines (.config/nextest.toml).
pub(crate) async fn bounded_with_engine<T>(test: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(4), test)
        .await
        .expect("a test with an engine takes at most four minutes")
}
