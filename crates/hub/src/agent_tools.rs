//! The agent's tools that act on its own sandbox: `save_snapshot` and `verify`. Executors like any other; they are given to
//! the mediation pipeline before the hub is built.

use std::sync::Arc;

use agent::tool::{Args, validate};
use async_trait::async_trait;
use domain::policy::{Operation, Permit, ToolSpec};
use serde_json::{Value, json};
use tools::{Availability, Executor, Executors, Failure, PermittedCall, Produced};
use wire::live::SnapshotTarget;

use crate::{hub::Hub, registry::SessionKey, session_sandbox::SaveError, slot::HubSlot};

/// Executes the tools that need a session's sandbox.
#[derive(Debug)]
pub struct SandboxTools(Arc<HubSlot>);

impl SandboxTools {
    pub const OPERATIONS: [&str; 2] = ["save_snapshot", "verify"];

    pub fn new(slot: &Arc<HubSlot>) -> Self {
        Self(Arc::clone(slot))
    }

    /// Adds them to the executors of a process whose hub is in the slot.
    pub fn add_to(mut executors: Executors, slot: &Arc<HubSlot>) -> Executors {
        let tools: Arc<dyn Executor> = Arc::new(Self::new(slot));
        for operation in Self::OPERATIONS {
            if let Ok(operation) = Operation::new(operation) {
                executors = executors.with_builtin(operation, Arc::clone(&tools));
            }
        }
        executors
    }
}

#[async_trait]
impl Executor for SandboxTools {
    fn availability(&self, _: &ToolSpec) -> Availability {
        Availability::Ready("part of the gateway".to_owned())
    }

    async fn execute(&self, permit: Permit, work: PermittedCall) -> Result<Produced, Failure> {
        work.spend(permit)?;
        let hub = self.0.hub().map_err(|_| Failure::Unavailable {
            hint: "no session is live on this gateway".to_owned(),
        })?;
        let args = Value::Object(work.parameters.clone());
        let args = validate(work.spec.operation.as_str(), &args);
        match args.map_err(|wrong| Failure::Invalid(wrong.to_string()))? {
            Args::SaveSnapshot { .. } => save_snapshot(hub, &work).await,
            Args::Verify { folder } => {
                let key = session_key(&work)?;
                hub.inside.store_evidence(&key, &folder).await
            }
            _ => Err(Failure::Invalid("this is another tool's".to_owned())),
        }
    }
}

/// Returns the session of a permitted call: the decision looked it up in the organization of the caller.
fn session_key(work: &PermittedCall) -> Result<SessionKey, Failure> {
    let scope = &work.scope;
    let session_id = scope.session_id;
    let session_id = session_id.ok_or_else(|| Failure::Invalid("a session's only".to_owned()))?;
    Ok(SessionKey::from_row(&scope.organization_id, session_id))
}

async fn save_snapshot(hub: &Hub, work: &PermittedCall) -> Result<Produced, Failure> {
    let saved = hub
        .sandboxes
        .save_by_key(&session_key(work)?)
        .await
        .map_err(failure)?;
    let (id, what) = (&saved.snapshot_id, saved.target);
    let text = match what {
        SnapshotTarget::Configuration => {
            format!("Saved as snapshot {id}. Sessions of this configuration start from it.")
        }
        SnapshotTarget::Session => format!("Saved as snapshot {id}. This session goes on from it."),
    };
    Produced::answer(&text, Some(&json!({"snapshotId": id, "target": what})))
}

/// None of these is the caller's fault. What may succeed later is retried; the rest is reported as it is.
fn failure(error: SaveError) -> Failure {
    if error.is_retryable() {
        let hint = error.to_string();
        return Failure::Unavailable { hint };
    }
    let reason = match error {
        // Too many files or bytes: the agent can remove some.
        SaveError::Sandbox(sandbox::Error::Invalid { reason }) => return Failure::Invalid(reason),
        SaveError::LimitReached(message) => return Failure::Invalid(message),
        SaveError::Stopped => "the session was stopped meanwhile",
        SaveError::NoHelper => {
            "the sandbox has no helper that could take secrets out of its env files"
        }
        SaveError::Boot(_) => "the sandbox is not this gateway's to save any more",
        SaveError::NotUp
        | SaveError::Sandbox(_)
        | SaveError::Overtaken
        | SaveError::Unavailable => "the snapshot could not be taken",
    };
    Failure::Tool {
        reason,
        retryable: false,
    }
}
