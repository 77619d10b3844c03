//! Artifacts: the records of stored bytes. The bytes themselves are in the object store, under the
//! scope and the digest named here; an artifact is found by its id alone, never by its content.

use crate::{
    audit::Sha256Hex,
    clock::Timestamp,
    id::{ArtifactId, OrganizationId, RunId, SessionId},
    policy::{ArtifactKind, CaseId, MediaType, Operation},
};

/// The kinds of an action's results: the whole result, and attached bytes.
pub const ACTION_RESULT: &str = "action_result";
pub const ACTION_ATTACHMENT: &str = "action_attachment";
/// Whether the record of an action holds less than these bytes: what users see is redacted and
/// truncated.
pub fn is_whole_of_an_action(kind: &str) -> bool {
    [ACTION_RESULT, ACTION_ATTACHMENT].contains(&kind)
}

/// The kind of a result that a tool of the sandbox returns to its agent.
pub const TOOL_ANSWER: &str = "tool_answer";
/// The kind of the list of evidence files that an agent submitted; the files are stored under the digests
/// it names.
pub const VERIFICATION: &str = "verification";
/// The kind of an artifact that is a whole case in one file. Its bytes are sent only to recipients
/// for whom a delivery was recorded.
pub const EXPORT_BUNDLE: &str = "export_bundle";

/// Whether only the gateway makes artifacts of this kind. It trusts what it wrote itself, so an upload must not have one
/// of these kinds.
pub fn is_kind_of_the_gateway(kind: &str) -> bool {
    is_whole_of_an_action(kind) || [TOOL_ANSWER, VERIFICATION, EXPORT_BUNDLE].contains(&kind)
}

/// Stored bytes and where they come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    pub id: ArtifactId,
    pub organization_id: OrganizationId,
    pub scope: ArtifactScope,
    pub kind: ArtifactKind,
    pub media_type: MediaType,
    pub sha256: Sha256Hex,
    pub byte_size: u64,
    /// `None` for an upload.
    pub lineage: Option<Lineage>,
    pub created_at: Timestamp,
}

/// The owner of an artifact. The same bytes in two scopes are two independent artifacts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ArtifactScope {
    Case(CaseId),
    Session(SessionId),
}

/// How an artifact was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lineage {
    pub run_id: RunId,
    pub derived_from: Vec<ArtifactId>,
    pub transformation: Operation,
}

impl ArtifactScope {
    pub fn case_id(&self) -> Option<&CaseId> {
        match self {
            Self::Case(case_id) => Some(case_id),
            Self::Session(_) => None,
        }
    }

    pub fn session_id(&self) -> Option<SessionId> {
        match self {
            Self::Case(_) => None,
            Self::Session(session_id) => Some(*session_id),
        }
    }
}

impl Artifact {
    /// The storage location in a form that reveals nothing about the storage.
    pub fn locator(&self) -> String {
        format!("artifact:{}", self.id)
    }
}
