//! Audit events and the records that chain them. An event states who did what under which policy and
//! with which outcome, in closed words, ids and digests; it has no field for free text. A record gives
//! an event its position: in the organization's log and in the trails of its case and its session.

mod fold;
mod record;
mod written;

use uuid::Uuid;

pub use fold::{Folded, Refusals, Refused};
pub use record::{Envelope, GENESIS, Record, Trail, TrailPosition};

use self::written::Written;
use crate::{
    canonical::in_order,
    clock::Timestamp,
    invalid::Invalid,
    policy::{CaseId, LaneId, PolicyVersions, RoleClass, RoleId, RuleId},
    run::RunErrorCode,
};

/// The contract every event is written under.
pub const CONTRACT_VERSION: &str = "v1";

crate::text_enum! {
    /// What was done.
    ActionType {
        AuthzDecision = "authz_decision",
        ToolCall = "tool_call",
        DbWrite = "db_write",
        DbRead = "db_read",
        PolicyChange = "policy_change",
        Promotion = "promotion",
        Export = "export",
        Override = "override",
        System = "system",
    }
}

crate::text_enum! {
    /// How it ended.
    Outcome {
        Allow = "allow",
        Deny = "deny",
        Success = "success",
        Failure = "failure",
    }
}

crate::text_enum! {
    /// How important it is for auditors.
    Severity {
        Info = "info",
        Warn = "warn",
        Error = "error",
        Critical = "critical",
    }
}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Actor {
    pub class: RoleClass,
    pub id: SafeText<120>,
}

/// What changed of the target, in closed words such as the names of roles. `from` is absent for a creation, `to` for
/// a removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub from: Option<SafeText<64>>,
    pub to: Option<SafeText<64>>,
}

/// A reference to stored bytes: what they are and what they hash to, never the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactDigest {
    pub id: SafeText<120>,
    pub kind: SafeText<80>,
    pub sha256: Sha256Hex,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub id: Uuid,
    pub at: Timestamp,
    pub action: ActionType,
    pub outcome: Outcome,
    /// Why, as a word of the contract.
    pub reason: Option<SafeText<64>>,
    pub severity: Option<Severity>,
    pub actor: Actor,
    /// The name of the acting agent.
    pub agent_name: Option<SafeText<120>>,
    pub role: Option<RoleId>,
    pub lane: Option<LaneId>,
    pub case_id: Option<CaseId>,
    pub run_id: Option<SafeText<120>>,
    pub parent_run_id: Option<SafeText<120>>,
    pub correlation_id: Option<SafeText<120>>,
    /// The tool or table, and the operation on it.
    pub target: Option<(SafeText<200>, SafeText<200>)>,
    pub change: Option<Change>,
    /// How many equal occurrences the event stands for, if more than one.
    pub count: Option<u64>,
    pub versions: PolicyVersions,
    pub rule: Option<RuleId>,
    /// The policy that was evaluated beside the pinned one, if any.
    pub policy_ref: Option<SafeText<300>>,
    pub request_sha256: Option<Sha256Hex>,
    pub response_sha256: Option<Sha256Hex>,
    pub inputs: Vec<ArtifactDigest>,
    pub outputs: Vec<ArtifactDigest>,
    pub error: Option<(RunErrorCode, bool)>,
}

/// Text of at most `MAX` visible ASCII characters: how an event may hold a name. Control characters,
/// line breaks and external prose are rejected.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafeText<const MAX: usize>(String);

impl<const MAX: usize> SafeText<MAX> {
    pub fn new(field: &str, text: impl Into<String>) -> Result<Self, Invalid> {
        let text = text.into();
        let safe = |b: u8| b.is_ascii_alphanumeric() || b"._-:/@+".contains(&b);
        if text.is_empty() || text.len() > MAX || !text.bytes().all(safe) {
            let message = format!("must be 1 to {MAX} letters, digits or ._-:/@+");
            return Err(Invalid::new(field, message));
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A SHA-256 as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256Hex(String);

impl Sha256Hex {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(crate::canonical::sha256_hex(bytes))
    }

    pub fn new(field: &str, text: impl Into<String>) -> Result<Self, Invalid> {
        let text = text.into();
        let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if text.len() != 64 || !text.bytes().all(digit) {
            return Err(Invalid::new(
                field,
                "must be 64 lower-case hexadecimal digits",
            ));
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Event {
    /// An event with the mandatory fields; the rest is absent and can be filled in.
    pub fn new(
        id: Uuid,
        at: Timestamp,
        action: ActionType,
        outcome: Outcome,
        actor: Actor,
        versions: PolicyVersions,
    ) -> Self {
        Self {
            id,
            at,
            action,
            outcome,
            reason: None,
            severity: None,
            actor,
            agent_name: None,
            role: None,
            lane: None,
            case_id: None,
            run_id: None,
            parent_run_id: None,
            correlation_id: None,
            target: None,
            change: None,
            count: None,
            versions,
            rule: None,
            policy_ref: None,
            request_sha256: None,
            response_sha256: None,
            inputs: Vec::new(),
            outputs: Vec::new(),
            error: None,
        }
    }

    /// The canonical bytes of the event, in the field names of the contract; absent values are left out.
    pub fn canonical_bytes(&self) -> Vec<u8> {
        in_order(&Written::of(self))
    }
}

#[cfg(test)]
mod tests;
