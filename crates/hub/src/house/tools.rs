//! Tools of agents that are about the sandbox itself: `save_snapshot` and `verify`. Executors like any other, given to
//! the pipeline before there is a house.

use std::sync::Arc;

use agent::tool::{Args, validate};
use async_trait::async_trait;
use domain::policy::{Operation, Permit, ToolSpec};
use serde_json::{Value, json};
use tools::{Availability, Executor, Executors, Failure, PermittedCall, Produced};
use wire::live::SnapshotTarget;

use super::{Door, House, SaveError, session_key::SessionKey};

/// Does what needs a session's live sandbox.
#[derive(Debug)]
pub struct SandboxTools(Arc<Door>);

impl SandboxTools {
    pub const OPERATIONS: [&str; 2] = ["save_snapshot", "verify"];

    pub fn new(door: &Arc<Door>) -> Self {
        Self(Arc::clone(door))
    }

    /// With them among the executors of a process whose house is behind the door.
    pub fn add_to(mut executors: Executors, door: &Arc<Door>) -> Executors {
        let tools: Arc<dyn Executor> = Arc::new(Self::new(door));
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
        let house = self.0.house().map_err(|_| Failure::Unavailable {
            hint: "no session is live on this gateway".to_owned(),
        })?;
        let args = Value::Object(work.parameters.clone());
        let args = validate(work.spec.operation.as_str(), &args);
        match args.map_err(|wrong| Failure::Invalid(wrong.to_string()))? {
            Args::SaveSnapshot { .. } => save_snapshot(house, &work).await,
            Args::Verify { folder } => house.verify(&work, &folder).await,
            _ => Err(Failure::Invalid("this is another tool's".to_owned())),
        }
    }
}

/// The session of a permitted call: the decision looked it up in the organization that asked.
pub(super) fn key_of(work: &PermittedCall) -> Result<SessionKey, Failure> {
    let scope = &work.scope;
    let session_id = scope.session_id;
    let session_id = session_id.ok_or_else(|| Failure::Invalid("a session's only".to_owned()))?;
    Ok(SessionKey::of_row(&scope.organization_id, session_id))
}

async fn save_snapshot(house: &House, work: &PermittedCall) -> Result<Produced, Failure> {
    let saved = house.save(&key_of(work)?).await.map_err(failure)?;
    let (id, what) = (&saved.snapshot_id, saved.target);
    let text = match what {
        SnapshotTarget::Configuration => {
            format!("Saved as snapshot {id}. Sessions of this configuration start from it.")
        }
        SnapshotTarget::Session => format!("Saved as snapshot {id}. This session goes on from it."),
    };
    Produced::answer(&text, Some(&json!({"snapshotId": id, "target": what})))
}

/// None of it is the caller's fault. What may be better later is asked for again; the rest is told as it is.
fn failure(error: SaveError) -> Failure {
    if error.is_retryable() {
        let hint = error.to_string();
        return Failure::Unavailable { hint };
    }
    let reason = match error {
        // Too many files or bytes: the agent can remove some.
        SaveError::Sandbox(sandbox::Error::Invalid { reason }) => return Failure::Invalid(reason),
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
