//! Local sandboxes that go with their test, also when it fails.

use sandbox::local::Local;

pub(crate) struct Sandboxes(pub(crate) Local);

impl Drop for Sandboxes {
    fn drop(&mut self) {
        let local = self.0.clone();
        let clean = move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(local.clean(|_| true))
        };
        // In a thread of its own: the test's may be running a runtime.
        let cleaned = std::thread::spawn(clean).join();
        assert!(cleaned.is_ok_and(|cleaned| cleaned.is_ok()) || std::thread::panicking());
    }
}
