//! The world outside: a service in which actions are had done. It counts what really happened, by the line that each
//! call asks for, and answers now and then that it failed: before it did anything, or after.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use domain::{action::Risk, policy::Permit};
use integrations::{
    Action, ActionCall, ActionOutput, ActionSource, BuiltInSource, Failure, FailureKind, Param,
    Retry, schema::Schema,
};
use secrecy::SecretString;
use serde_json::json;
use tokio::time::sleep;

use crate::{rng::Rng, trace::Trace};

/// Its name on the wire.
pub(crate) const NAME: &str = "linear";
pub(crate) const READ: &str = "look";
pub(crate) const WRITE: &str = "write";

/// Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Outside {
    actions: Arc<Vec<Action>>,
    done: Arc<Mutex<BTreeMap<String, u64>>>,
    storm: Arc<AtomicBool>,
    rng: Rng,
    trace: Trace,
}

impl Outside {
    pub(crate) fn new(storm: Arc<AtomicBool>, rng: Rng, trace: Trace) -> Self {
        let schema = json!({"type": "object", "required": ["line"], "additionalProperties": false,
            "properties": {"line": {"type": "string"}}});
        let action = |name, risk| Action {
            name,
            description: "Does it once.",
            risk,
            schema: Schema::read(schema.clone()).expect("a schema"),
            params: Param::of(&schema),
        };
        Self {
            actions: Arc::new(vec![action(READ, Risk::Read), action(WRITE, Risk::Write)]),
            done: Arc::default(),
            storm,
            rng,
            trace,
        }
    }

    /// How often the line was really written.
    pub(crate) fn times(&self, line: &str) -> u64 {
        self.done().get(line).copied().unwrap_or_default()
    }

    pub(crate) fn all(&self) -> BTreeMap<String, u64> {
        self.done().clone()
    }

    fn done(&self) -> MutexGuard<'_, BTreeMap<String, u64>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn does(&self, line: &str) {
        let times = {
            let mut done = self.done();
            let times = done.entry(line.to_owned()).or_default();
            *times += 1;
            *times
        };
        self.trace.note(format!("effect {line}"));
        if times > 1 {
            let what = format!("the effect {line} happened {times} times");
            self.trace.violation(what);
        }
    }

    /// Short mostly, and sometimes longer than a call may take.
    async fn work(&self) {
        let took = match self.rng.below(100) {
            0..70 => self.rng.millis(1, 50),
            70..97 => self.rng.millis(50, 3_000),
            _ => Duration::from_secs(self.rng.between(3, 60)),
        };
        sleep(took).await;
    }
}

impl BuiltInSource for Outside {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "The world"
    }

    fn guide(&self) -> &'static str {
        "Writes lines."
    }

    fn actions(&self) -> &[Action] {
        &self.actions
    }
}

#[async_trait]
impl ActionSource for Outside {
    async fn execute(
        &self,
        permit: Permit,
        call: ActionCall,
        _: Option<&SecretString>,
    ) -> Result<ActionOutput, Failure> {
        let risk = if call.action == WRITE {
            Risk::Write
        } else {
            Risk::Read
        };
        call.spend(permit)?;
        let line = call.params["line"].as_str().unwrap_or_default();
        let is_stormy = self.storm.load(Ordering::SeqCst);
        self.work().await;
        if is_stormy && self.rng.chance(60) {
            self.trace.fault("refused", line);
            let later = Retry::Later(Duration::from_secs(1));
            return Err(Failure::new(FailureKind::RateLimited, later, "too much"));
        }
        if risk == Risk::Write {
            self.does(line);
        }
        self.work().await;
        if is_stormy && risk == Risk::Write && self.rng.chance(60) {
            self.trace.fault("silent", line);
            let unknown = Retry::OutcomeUnknown;
            return Err(Failure::new(FailureKind::TimedOut, unknown, "no answer"));
        }
        Ok(ActionOutput::structured(
            json!({"line": line, "done": true}),
        ))
    }
}
