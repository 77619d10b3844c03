//! Lanes and roles, as the policy files define them. The words are closed sets: an unknown word refuses
//! to load instead of being ignored.

use std::{collections::BTreeSet, time::Duration};

use super::name::{LaneId, Operation, RoleId, TableName};
use crate::limits::PENDING_LIFE;

crate::text_enum! {
    /// What a call in a lane must name as its scope; each value is verified, not only present.
    ScopeKey {
        CaseId = "case_id",
        ClientSessionId = "client_session_id",
        ExportReason = "export_reason",
        OverrideReason = "override_reason",
        OverrideTicketId = "override_ticket_id",
        RunId = "run_id",
        SessionId = "session_id",
    }
}

crate::text_enum! {
    /// What is prohibited in a lane.
    Prohibition {
        /// No input, handle or reference of another case.
        CrossCaseLookup = "cross_case_lookup",
        /// Nothing of a case leaves the case's store.
        ExternalExport = "external_export",
        /// Nothing is sent to an address that a request names. Every call obeys it: no request can name one.
        RawExternalDestination = "raw_external_destination",
        /// Nothing is written where other cases would read it.
        SharedKnowledgeWrite = "shared_knowledge_write",
        /// Nothing is delivered without a record. Every call obeys it: its run is recorded with its decision.
        UnauditedDelivery = "unaudited_delivery",
        /// No change without the digests before and after.
        SilentChanges = "silent_changes",
    }
}

crate::text_enum! {
    /// How a lane may write to a table.
    WriteMode {
        Append = "append",
        Upsert = "upsert",
    }
}

crate::text_enum! {
    /// What kind of actor may hold a role.
    RoleClass {
        Agent = "agent",
        Human = "human",
        System = "system",
    }
}

/// The operation that writes records. Its target is in its parameters, so lanes allow it by listing
/// tables and not by naming it.
pub const RECORD_WRITE: &str = "record.write";

/// Exempts a lane from the organization's lock, by a ticket.
pub const OVERRIDE_ENABLE: &str = "override.enable";
/// Ends the exemption.
pub const OVERRIDE_DISABLE: &str = "override.disable";

/// A table and how it may be written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WriteTarget {
    pub table: TableName,
    pub mode: WriteMode,
}

/// A lane: a named rule for which roles may call which tools, on which scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    pub id: LaneId,
    pub purpose: String,
    pub callers: BTreeSet<RoleId>,
    pub tools: BTreeSet<Operation>,
    pub writes: BTreeSet<WriteTarget>,
    pub requires: BTreeSet<ScopeKey>,
    pub prohibits: BTreeSet<Prohibition>,
    /// How long an approver has for an action in it; `None` for the default.
    pub hold: Option<Duration>,
    /// The longest that an organization may choose instead; `None` is the time itself.
    pub hold_max: Option<Duration>,
}

impl Lane {
    /// How long an approver has where the organization chose no other time.
    pub fn approval_time(&self) -> Duration {
        self.hold.unwrap_or(PENDING_LIFE)
    }

    /// The longest that an organization may choose.
    pub fn approval_ceiling(&self) -> Duration {
        self.hold_max.unwrap_or_else(|| self.approval_time())
    }
}

/// A role: who it is for, and which lanes it may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyRole {
    pub id: RoleId,
    pub description: String,
    pub class: RoleClass,
    pub lanes: BTreeSet<LaneId>,
}
