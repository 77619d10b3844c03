//! Shapes of the tool gateway's contract (v1). Members are snake_case, as the contract writes them.

mod artifact_ref;

pub use artifact_ref::{ArtifactLineage, ArtifactRef, ArtifactRefScope, HashSource};
