//! A tool of sandboxes that counts how often each call was really made, by the line that it names. Some calls do what
//! the product does, in the session's sandbox; the others only take their time, and fail now and then.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use domain::policy::{Operation, Permit, ToolSpec};
use hub::{HubSlot, SandboxTools};
use serde_json::json;
use tokio::time::sleep;
use tools::{Availability, Executor, Executors, Failure, PermittedCall, Produced};

use crate::{rng::Rng, trace::Trace};

/// Lines of calls that only take their time end with this.
const IDLE: &str = "-idle";

/// Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Counted {
    made: Arc<Mutex<BTreeMap<String, u64>>>,
    storm: Arc<AtomicBool>,
    rng: Rng,
    trace: Trace,
}

impl Counted {
    /// The tool, and where a call of it has its line.
    pub(crate) const TOOL: &str = "save_snapshot";
    pub(crate) const FIELD: &str = "message";

    pub(crate) fn new(storm: Arc<AtomicBool>, rng: Rng, trace: Trace) -> Self {
        Self {
            made: Arc::default(),
            storm,
            rng,
            trace,
        }
    }

    /// The line of a call.
    pub(crate) fn line(&self, name: &str) -> String {
        let end = self.rng.pick(&["", IDLE]);
        format!("{name}{end}")
    }

    /// How often the call of a line was really made.
    pub(crate) fn times(&self, line: &str) -> u64 {
        self.made().get(line).copied().unwrap_or_default()
    }

    /// In its place, for the gateway behind the slot.
    pub(crate) fn add_to(&self, executors: Executors, slot: &Arc<HubSlot>) -> Executors {
        let counting = Arc::new(Counting {
            counted: self.clone(),
            real: SandboxTools::new(slot),
        });
        let operation = Operation::new(Self::TOOL).expect("a name");
        executors.with_builtin(operation, counting)
    }

    fn made(&self) -> MutexGuard<'_, BTreeMap<String, u64>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record_effect(&self, line: &str) {
        let times = {
            let mut made = self.made();
            let times = made.entry(line.to_owned()).or_default();
            *times += 1;
            *times
        };
        self.trace.note(format!("tool {line}"));
        if times > 1 {
            let what = format!("the tool call {line} was made {times} times");
            self.trace.violation(what);
        }
    }
}

/// In one gateway.
#[derive(Debug)]
struct Counting {
    counted: Counted,
    real: SandboxTools,
}

#[async_trait]
impl Executor for Counting {
    fn availability(&self, _: &ToolSpec) -> Availability {
        Availability::Ready("simulated".to_owned())
    }

    async fn execute(&self, permit: Permit, work: PermittedCall) -> Result<Produced, Failure> {
        let line = work.parameters[Counted::FIELD].as_str();
        let line = line.unwrap_or_default();
        let counted = &self.counted;
        counted.record_effect(line);
        if !line.ends_with(IDLE) {
            return self.real.execute(permit, work).await;
        }
        work.spend(permit)?;
        // Longer than any caller waits, at times.
        let took = match counted.rng.below(10) {
            0..7 => counted.rng.millis(1, 500),
            7..9 => counted.rng.millis(500, 10_000),
            _ => Duration::from_secs(counted.rng.between(10, 40)),
        };
        sleep(took).await;
        if counted.storm.load(Ordering::SeqCst) && counted.rng.chance(300) {
            counted.trace.fault("tool", line);
            let hint = "not now".to_owned();
            return Err(Failure::Unavailable { hint });
        }
        // No two answers are alike.
        let said = format!("{line} {:016x}", counted.rng.next());
        Produced::answer(&said, Some(&json!({"line": line})))
    }
}
