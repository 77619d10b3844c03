//! The audit log: records, checkpoints and proofs. Members of the API are camelCase; an event is shown
//! with the names it was hashed with.

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    audit::{ActionType, Outcome},
    clock::Timestamp,
    id::{SessionId, parse_field},
    page::PageRequest,
    policy::CaseId,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{ids::parse_optional, page::page_request};

wire_enum! {
    /// What was done.
    AuditActionType = ActionType {
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

wire_enum! {
    /// How it ended.
    AuditOutcome = Outcome {
        Allow = "allow",
        Deny = "deny",
        Success = "success",
        Failure = "failure",
    }
}

/// An event with its position in the organization's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditRecordView {
    pub event_id: Uuid,
    /// Its number in the log, from 0 without a gap.
    pub seq: u64,
    /// SHA-256 of 0x00 and the canonical record.
    pub leaf: String,
    /// The record as it was hashed: `event` in the contract's names, `ledger_id`, `seq`, `prev`, and its
    /// positions in the trails of its case and session.
    #[schema(value_type = Object)]
    pub record: Value,
}

/// Which records, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListAuditEventsQuery {
    /// Only of this case. Required from callers who are not administrators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_type: Option<AuditActionType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<AuditOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_id: Option<String>,
    /// Recorded at this time or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<DateTime<Utc>>,
    /// Recorded before this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<DateTime<Utc>>,
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many entries at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<u32>,
}

/// The key that checkpoints are signed with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditKeyView {
    /// The log's name, with which its checkpoints start.
    pub name: String,
    /// Always `Ed25519`.
    pub algorithm: String,
    /// The key itself, 32 bytes in base64.
    pub public_key: String,
    /// The same in the format of verifiers of signed notes: `NAME+HASH+KEY`.
    pub verifier_key: String,
}

/// The signed size and root of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditCheckpointView {
    /// The signed note (C2SP). With `Accept: text/plain` it is the whole response.
    pub checkpoint: String,
    /// How many records it covers.
    pub size: u64,
    /// The root of the Merkle tree over them, hexadecimal.
    pub root: String,
    pub signed_at: DateTime<Utc>,
    /// The key to verify the note with. Compare it with one obtained through another channel.
    pub verifier_key: String,
}

/// Which event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditProofQuery {
    /// The event's id.
    pub event: String,
}

/// A proof that an event is in the signed log (RFC 6962).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditProofView {
    #[serde(flatten)]
    pub record: AuditRecordView,
    /// Hashes from the leaf to the root, hexadecimal.
    pub proof: Vec<String>,
    /// The signed note whose size and root the proof is for.
    pub checkpoint: String,
}

/// Which two sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditConsistencyQuery {
    /// The size of a checkpoint that the caller keeps.
    pub from: u64,
    /// The size of a later one; the last one if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
}

/// A proof that a shorter log is a prefix of a longer one (RFC 6962).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditConsistencyView {
    pub from: u64,
    pub to: u64,
    /// Hexadecimal.
    pub proof: Vec<String>,
}

/// The case or session; exactly one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditBundleQuery {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

impl ListAuditEventsQuery {
    pub fn case_id(&self) -> Result<Option<CaseId>, Invalid> {
        self.case_id
            .as_deref()
            .map(|id| case_id("caseId", id))
            .transpose()
    }

    pub fn session_id(&self) -> Result<Option<SessionId>, Invalid> {
        parse_optional("sessionId", self.session_id.as_deref())
    }

    pub fn from(&self) -> Option<Timestamp> {
        self.from.map(Timestamp::from_datetime)
    }

    pub fn to(&self) -> Option<Timestamp> {
        self.to.map(Timestamp::from_datetime)
    }

    pub fn page_request(&self) -> Result<PageRequest<Uuid>, Invalid> {
        page_request(self.cursor.as_deref(), self.limit)
    }
}

impl AuditProofQuery {
    pub fn event_id(&self) -> Result<Uuid, Invalid> {
        let hyphenated = self.event.len() == uuid::fmt::Hyphenated::LENGTH;
        let id = Uuid::try_parse(&self.event).ok().filter(|_| hyphenated);
        id.ok_or_else(|| Invalid::new("event", "is not a valid event id"))
    }
}

impl AuditBundleQuery {
    /// The case or the session.
    pub fn case(&self) -> Result<Option<CaseId>, Invalid> {
        self.case
            .as_deref()
            .map(|id| case_id("case", id))
            .transpose()
    }

    pub fn session(&self) -> Result<Option<SessionId>, Invalid> {
        self.session
            .as_deref()
            .map(|id| parse_field("session", id))
            .transpose()
    }
}

fn case_id(field: &str, text: &str) -> Result<CaseId, Invalid> {
    CaseId::new(text).map_err(|error| Invalid::new(field, error.rule))
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn queries_refuse_what_they_do_not_know_and_name_what_is_wrong() {
        assert!(from_value::<ListAuditEventsQuery>(json!({ "case": "CASE_1" })).is_err());
        let query: ListAuditEventsQuery = from_value(json!({
            "caseId": "x", "sessionId": "x", "cursor": "x", "actionType": "tool_call",
        }))
        .unwrap();
        assert_eq!(query.case_id().unwrap_err().field, "caseId");
        assert_eq!(query.session_id().unwrap_err().field, "sessionId");
        assert_eq!(query.page_request().unwrap_err().field, "cursor");
        assert!(from_value::<ListAuditEventsQuery>(json!({ "outcome": "maybe" })).is_err());
        let event = "x".to_owned();
        assert_eq!(
            AuditProofQuery { event }.event_id().unwrap_err().field,
            "event"
        );
        let query: AuditBundleQuery =
            from_value(json!({ "case": "../C2", "session": "x" })).unwrap();
        assert_eq!(query.case().unwrap_err().field, "case");
        assert_eq!(query.session().unwrap_err().field, "session");
    }
}
