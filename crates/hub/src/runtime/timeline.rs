//! How long each step of a boot took.

use std::time::Duration;

domain::text_enum! {
    /// A step of a boot, in its order.
    Step {
        Sandbox = "sandbox",
        Repositories = "repositories",
        Files = "files",
        Agent = "agent",
        Ready = "ready",
    }
}

/// The steps that are done, and how long each took.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BootTimeline(Vec<(Step, Duration)>);

impl BootTimeline {
    pub(super) fn took(&mut self, step: Step, duration: Duration) {
        self.0.push((step, duration));
    }

    pub fn steps(&self) -> &[(Step, Duration)] {
        &self.0
    }

    pub fn total(&self) -> Duration {
        self.0.iter().map(|(_, duration)| *duration).sum()
    }
}
