//! Shapes of the tool gateway's contract (v1). Members are snake_case, as the contract writes them.

mod artifact_ref;
mod run;
mod tool_call;

pub use artifact_ref::{ArtifactLineage, ArtifactRef, ArtifactRefScope, HashSource};
pub use run::{
    CreateRunRequest, EndRunRequest, PolicyVersionsView, RunActorView, RunArtifactRef,
    RunArtifacts, RunEndStatus, RunView, WaitQuery,
};
pub use tool_call::{
    ExpectedPolicyVersions, InputArtifact, ToolCallActor, ToolCallAnswer, ToolCallError,
    ToolCallOutcome, ToolCallRequest,
};
