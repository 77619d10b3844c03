//! A provider in memory, with knobs that make it fail: for the tests of everything above sandboxes.
//!
//! Clones share everything, so a clone is what another process of ours would have: it reattaches by handle.
//! A few programs are understood (`programs.rs`); a test that needs others says what they answer.

mod files;
mod knobs;
mod programs;
mod provider;

use std::{
    collections::BTreeMap,
    fmt,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use domain::{audit::Sha256Hex, caller::Incarnation, clock::Entropy};

use self::files::Files;
pub use knobs::{Knobs, Operation};

use crate::{
    Env, Error, ExecRequest, ExecResult, Handle, ProcessState, Result, SandboxId, SnapshotId,
    SnapshotRef,
};

pub const NAME: &str = "fake";

/// Answers programs in place of the fake.
type OnExec = Arc<dyn Fn(&Handle, &ExecRequest) -> Option<ExecResult> + Send + Sync>;

#[derive(Clone)]
pub struct Fake {
    entropy: Arc<dyn Entropy>,
    state: Arc<Mutex<FakeState>>,
}

#[derive(Default)]
struct FakeState {
    knobs: Knobs,
    calls: Vec<(Operation, Option<SandboxId>)>,
    sandboxes: BTreeMap<SandboxId, FakeSandbox>,
    /// Labels and incarnations of sandboxes that were ended from outside.
    dead: BTreeMap<SandboxId, (String, Incarnation)>,
    snapshots: BTreeMap<SnapshotId, (SnapshotRef, Files)>,
    endpoints: BTreeMap<u16, SocketAddr>,
    on_exec: Option<OnExec>,
}

#[derive(Debug)]
struct FakeSandbox {
    label: String,
    incarnation: Incarnation,
    env: Env,
    files: Files,
    processes: BTreeMap<String, (ProcessState, Bytes)>,
    parent: Option<SnapshotRef>,
    /// The addresses of ports as they were when it was made.
    endpoints: BTreeMap<u16, SocketAddr>,
}

impl Fake {
    pub fn new(entropy: Arc<dyn Entropy>) -> Self {
        Self {
            entropy,
            state: Arc::default(),
        }
    }

    /// Turns knobs; they stay until they are turned again.
    pub fn turn(&self, change: impl FnOnce(&mut Knobs)) {
        change(&mut self.state().knobs);
    }

    /// Sets the address of a port in sandboxes that are made from now on, for a stand-in that a test runs.
    pub fn set_endpoint(&self, port: u16, at: SocketAddr) {
        self.state().endpoints.insert(port, at);
    }

    /// Answers programs before those that the fake knows.
    pub fn on_exec(
        &self,
        answer: impl Fn(&Handle, &ExecRequest) -> Option<ExecResult> + Send + Sync + 'static,
    ) {
        self.state().on_exec = Some(Arc::new(answer));
    }

    /// Lists the operations so far.
    pub fn calls(&self) -> Vec<Operation> {
        self.state().calls.iter().map(|(what, _)| *what).collect()
    }

    /// Lists the labels of the sandboxes that exist.
    pub fn labels(&self) -> Vec<String> {
        let state = self.state();
        state
            .sandboxes
            .values()
            .map(|one| one.label.clone())
            .collect()
    }

    /// Ends a sandbox from outside, as a machine that fails would.
    pub fn kill(&self, handle: &Handle) {
        let mut state = self.state();
        if let Some(sandbox) = state.sandboxes.remove(&handle.id) {
            let left = (sandbox.label, sandbox.incarnation);
            state.dead.insert(handle.id.clone(), left);
        }
    }

    /// What the sandbox's programs have in their environment, for tests that look for secrets.
    pub fn env(&self, handle: &Handle) -> Option<Env> {
        let state = self.state();
        state.sandboxes.get(&handle.id).map(|one| one.env.clone())
    }

    fn state(&self) -> MutexGuard<'_, FakeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every operation begins here: it is recorded, waits, and fails if a knob says so.
    async fn begin_operation(&self, operation: Operation, id: Option<&SandboxId>) -> Result<()> {
        let wait = {
            let mut state = self.state();
            state.calls.push((operation, id.cloned()));
            if state.knobs.count_down_to_death() {
                state.sandboxes.clear();
            }
            state.knobs.wait(operation)
        };
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        let failure = self.state().knobs.failure(operation);
        failure.map_or(Ok(()), Err)
    }

    /// Acts on a sandbox that exists.
    fn with<T>(
        &self,
        handle: &Handle,
        act: impl FnOnce(&mut FakeSandbox) -> Result<T>,
    ) -> Result<T> {
        if handle.provider != NAME {
            return Err(Error::Gone);
        }
        act(self
            .state()
            .sandboxes
            .get_mut(&handle.id)
            .ok_or(Error::Gone)?)
    }

    async fn run(&self, handle: &Handle, request: &ExecRequest) -> Result<ExecResult> {
        let on_exec = self.state().on_exec.clone();
        if let Some(result) = on_exec.and_then(|answer| answer(handle, request)) {
            return Ok(result);
        }
        let (result, takes) = self.with(handle, |sandbox| {
            Ok(programs::run(request, &sandbox.env, &mut sandbox.files))
        })?;
        tokio::time::sleep(takes.min(request.timeout)).await;
        Ok(result)
    }
}

impl Fake {
    fn save_snapshot(&self, handle: &Handle) -> Result<SnapshotRef> {
        let (files, parent) = self.with(handle, |sandbox| {
            Ok((sandbox.files.clone(), sandbox.parent.clone()))
        })?;
        let text = format!("{:?} {:?}", files, parent.as_ref().map(|one| &one.id));
        let snapshot = SnapshotRef {
            provider: NAME.to_owned(),
            id: SnapshotId::from_digest(&Sha256Hex::of(text.as_bytes())),
            size: files.values().map(|(bytes, _)| bytes.len() as u64).sum(),
            depth: parent.as_ref().map_or(1, |parent| parent.depth + 1),
            parent: parent.map(|parent| parent.id),
        };
        let kept = (snapshot.clone(), files);
        self.state().snapshots.insert(snapshot.id.clone(), kept);
        Ok(snapshot)
    }
}

impl fmt::Debug for Fake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fake({} sandboxes)", self.state().sandboxes.len())
    }
}
