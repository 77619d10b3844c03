//! Artifacts: what is known about stored bytes. The bytes themselves lie in the object store, under the
//! scope and the digest named here; an artifact is found by its id alone, never by its content.

use crate::{
    audit::Sha256Hex,
    clock::Timestamp,
    id::{ArtifactId, OrganizationId, RunId, SessionId},
    policy::{ArtifactKind, CaseId, MediaType, Operation},
};

/// The kinds of what an action answers with: the whole of a result, and bytes that came with it.
pub const ACTION_RESULT: &str = "action_result";
pub const ACTION_ATTACHMENT: &str = "action_attachment";
/// Whether the record of an action has less than these bytes: what people are shown is redacted and cut.
pub fn is_whole_of_an_action(kind: &str) -> bool {
    [ACTION_RESULT, ACTION_ATTACHMENT].contains(&kind)
}

/// The kind of what an agent is told by a tool of its sandbox.
pub const TOOL_ANSWER: &str = "tool_answer";
/// The kind of the list of what an agent handed in as evidence; the files lie under the digests it names.
pub const VERIFICATION: &str = "verification";
/// The kind of an artifact that is a whole case in one file. Its bytes are handed out only to whom a
/// delivery of it was recorded for.
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
    /// `None` for what somebody uploaded.
    pub lineage: Option<Lineage>,
    pub created_at: Timestamp,
}

/// Whose an artifact is. The same bytes in two scopes are two artifacts that know nothing of each other.
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
    /// Where it is stored, in a word that says nothing about the storage.
    pub fn locator(&self) -> String {
        format!("artifact:{}", self.id)
    }
}
