//! Local sandboxes that go with their test, also when it fails.

use std::path::PathBuf;

use sandbox::local::Local;

pub(crate) struct Sandboxes {
    local: Local,
    /// What the provider has written down of them.
    records: PathBuf,
}

impl Sandboxes {
    /// `state` is the provider's directory.
    pub(crate) fn of(local: &Local, state: &std::path::Path) -> Self {
        Self {
            local: local.clone(),
            records: state.join("sandboxes"),
        }
    }
}

impl Drop for Sandboxes {
    fn drop(&mut self) {
        let (local, records) = (self.local.clone(), self.records.clone());
        let clean = move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            // A session that is still served brings up another sandbox when it loses the one it has. Where records
            // cannot be written nothing is made any more, and only an empty directory can be removed.
            for _ in 0..2000 {
                let cleaned = runtime.block_on(local.clean(|_| true));
                if cleaned.is_ok() && std::fs::remove_dir(&records).is_ok() {
                    return true;
                }
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            false
        };
        // In a thread of its own: the test's may be running a runtime.
        let cleaned = std::thread::spawn(clean).join();
        assert!(cleaned.is_ok_and(|cleaned| cleaned) || std::thread::panicking());
    }
}
