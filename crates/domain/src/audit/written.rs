//! The serialized form of events.
//!
//! INVARIANT: members are in the order of their names, here as in the canonical form, so that serializing them in
//! order yields that form. A test compares the two.

use serde::{Serialize, Serializer, ser::SerializeStruct as _};

use super::{
    ActionType, Actor, ArtifactDigest, CONTRACT_VERSION, Change, Event, Outcome, SafeText,
    Severity, Sha256Hex,
};
use crate::policy::{CaseId, LaneId, PolicyVersions, RoleId, RuleId};

#[derive(Serialize)]
pub(super) struct Written<'a> {
    action_type: &'static str,
    actor: WrittenActor<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    authz: Option<WrittenAuthz<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    case_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<WrittenChange<'a>>,
    contract_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<WrittenError>,
    event_id: String,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    input_artifacts: &'a [ArtifactDigest],
    #[serde(skip_serializing_if = "Option::is_none")]
    lane_id: Option<&'a str>,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    output_artifacts: &'a [ArtifactDigest],
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_run_id: Option<&'a str>,
    policy_versions: WrittenVersions<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_hash_sha256: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_hash_sha256: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<WrittenTarget<'a>>,
    timestamp_utc: String,
}

#[derive(Serialize)]
struct WrittenActor<'a> {
    actor_id: &'a str,
    actor_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_name: Option<&'a str>,
}

#[derive(Serialize)]
struct WrittenAuthz<'a> {
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy_ref: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_id: Option<&'static str>,
}

#[derive(Serialize)]
struct WrittenChange<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'a str>,
}

#[derive(Serialize)]
struct WrittenError {
    error_code: &'static str,
    retryable: bool,
}

#[derive(Serialize)]
struct WrittenTarget<'a> {
    name: &'a str,
    operation: &'a str,
    target_type: &'static str,
}

#[derive(Serialize)]
struct WrittenVersions<'a> {
    lanes: &'a str,
    roles: &'a str,
    tools: &'a str,
}

impl<'a> Written<'a> {
    pub(super) fn of(event: &'a Event) -> Self {
        let target = event.target.as_ref();
        Self {
            action_type: event.action.as_str(),
            actor: WrittenActor::of(&event.actor, event.agent_name.as_ref()),
            authz: WrittenAuthz::of(event),
            case_id: event.case_id.as_ref().map(CaseId::as_str),
            change: event.change.as_ref().map(WrittenChange::of),
            contract_version: CONTRACT_VERSION,
            correlation_id: event.correlation_id.as_ref().map(SafeText::as_str),
            count: event.count,
            error: event.error.map(|(code, retryable)| WrittenError {
                error_code: code.as_str(),
                retryable,
            }),
            event_id: event.id.to_string(),
            input_artifacts: &event.inputs,
            lane_id: event.lane.as_ref().map(LaneId::as_str),
            outcome: event.outcome.as_str(),
            outcome_reason: event.reason.as_ref().map(SafeText::as_str),
            output_artifacts: &event.outputs,
            parent_run_id: event.parent_run_id.as_ref().map(SafeText::as_str),
            policy_versions: WrittenVersions::of(&event.versions),
            request_hash_sha256: event.request_sha256.as_ref().map(Sha256Hex::as_str),
            response_hash_sha256: event.response_sha256.as_ref().map(Sha256Hex::as_str),
            role_id: event.role.as_ref().map(RoleId::as_str),
            run_id: event.run_id.as_ref().map(SafeText::as_str),
            severity: event.severity.map(Severity::as_str),
            target: target.map(|(name, operation)| WrittenTarget {
                name: name.as_str(),
                operation: operation.as_str(),
                target_type: target_type(event.action),
            }),
            timestamp_utc: event.at.to_string(),
        }
    }
}

impl<'a> WrittenActor<'a> {
    fn of(actor: &'a Actor, agent_name: Option<&'a SafeText<120>>) -> Self {
        Self {
            actor_id: actor.id.as_str(),
            actor_type: actor.class.as_str(),
            agent_name: agent_name.map(SafeText::as_str),
        }
    }
}

impl<'a> WrittenAuthz<'a> {
    fn of(event: &'a Event) -> Option<Self> {
        matches!(event.outcome, Outcome::Allow | Outcome::Deny).then(|| Self {
            decision: event.outcome.as_str(),
            policy_ref: event.policy_ref.as_ref().map(SafeText::as_str),
            rule_id: event.rule.map(RuleId::as_str),
        })
    }
}

impl<'a> WrittenChange<'a> {
    fn of(change: &'a Change) -> Self {
        Self {
            from: change.from.as_ref().map(SafeText::as_str),
            to: change.to.as_ref().map(SafeText::as_str),
        }
    }
}

impl<'a> WrittenVersions<'a> {
    fn of(versions: &'a PolicyVersions) -> Self {
        Self {
            lanes: &versions.lanes.blob,
            roles: &versions.roles.blob,
            tools: &versions.tools.blob,
        }
    }
}

impl Serialize for ArtifactDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("ArtifactDigest", 3)?;
        members.serialize_field("artifact_id", self.id.as_str())?;
        members.serialize_field("artifact_kind", self.kind.as_str())?;
        members.serialize_field("hash_sha256", self.sha256.as_str())?;
        members.end()
    }
}

/// The kind of target of an action.
fn target_type(action: ActionType) -> &'static str {
    match action {
        ActionType::DbWrite | ActionType::DbRead => "table",
        ActionType::PolicyChange => "policy",
        ActionType::Export => "export_bundle",
        ActionType::System => "system",
        ActionType::AuthzDecision
        | ActionType::ToolCall
        | ActionType::Promotion
        | ActionType::Override => "tool",
    }
}
