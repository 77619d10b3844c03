//! A tool that does what the test says and counts how often: failures, hangs, crashes and outputs on demand.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use domain::policy::{Permit, ToolSpec};
use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use tools::{Availability, Executor, Failure, Output, OutputContent, PermittedCall, Produced};

/// What it does when it is called.
#[derive(Debug, Clone)]
pub enum Behaviour {
    Succeeds,
    Fails(Failure),
    /// Waits until [`FakeTool::release`] or for ever, unless it is told to stop.
    Hangs,
    /// Waits and does not listen.
    Ignores,
    Panics,
    /// Leaves these bytes, of this kind.
    Leaves(&'static str, &'static str),
}

/// An executor for tests.
#[derive(Debug)]
pub struct FakeTool {
    behaviour: Mutex<Behaviour>,
    calls: AtomicUsize,
    under_way: AtomicUsize,
    parameters: Mutex<Vec<Map<String, Value>>>,
    released: Semaphore,
    started: Semaphore,
}

impl FakeTool {
    pub fn new(behaviour: Behaviour) -> Arc<Self> {
        Arc::new(Self {
            behaviour: Mutex::new(behaviour),
            calls: AtomicUsize::new(0),
            under_way: AtomicUsize::new(0),
            parameters: Mutex::default(),
            released: Semaphore::new(0),
            started: Semaphore::new(0),
        })
    }

    pub fn behave(&self, behaviour: Behaviour) {
        *self.behaviour.lock().expect("not poisoned") = behaviour;
    }

    /// How often it was called.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// How many calls are neither over nor given up.
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::SeqCst)
    }

    /// What the last call was given.
    pub fn last_parameters(&self) -> Map<String, Value> {
        let parameters = self.parameters.lock().expect("not poisoned");
        parameters.last().cloned().expect("it was called")
    }

    /// Lets one call that hangs go on.
    pub fn release(&self) {
        self.released.add_permits(1);
    }

    /// Waits until a call is under way that was not waited for before.
    pub async fn started(&self) {
        self.started.acquire().await.expect("never closed").forget();
    }
}

/// A call that is under way until this is dropped.
struct InHand<'a>(&'a AtomicUsize);

impl Drop for InHand<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Executor for FakeTool {
    fn availability(&self, _: &ToolSpec) -> Availability {
        Availability::Ready("a fake".to_owned())
    }

    async fn execute(&self, permit: Permit, work: PermittedCall) -> Result<Produced, Failure> {
        work.spend(permit)?;
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.under_way.fetch_add(1, Ordering::SeqCst);
        let _in_hand = InHand(&self.under_way);
        self.parameters
            .lock()
            .expect("not poisoned")
            .push(work.parameters);
        self.started.add_permits(1);
        let behaviour = self.behaviour.lock().expect("not poisoned").clone();
        match behaviour {
            Behaviour::Succeeds => Ok(Produced::default()),
            Behaviour::Fails(failure) => Err(failure),
            Behaviour::Hangs => {
                tokio::select! {
                    () = work.cancel.cancelled() => Err(Failure::Cancelled),
                    released = self.released.acquire() => {
                        released.expect("never closed").forget();
                        Ok(Produced::default())
                    }
                }
            }
            Behaviour::Ignores => std::future::pending().await,
            Behaviour::Panics => panic!("the tool's own panic"),
            Behaviour::Leaves(kind, text) => Ok(Produced {
                outputs: vec![Output {
                    kind: kind.parse().expect("a kind"),
                    media_type: "text/plain".parse().expect("a media type"),
                    content: OutputContent::Bytes(text.into()),
                }],
                ..Produced::default()
            }),
        }
    }
}
