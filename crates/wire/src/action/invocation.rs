//! An invocation as every caller sees it: redacted and bounded in size.

use chrono::{DateTime, Utc};
use domain::{
    action::{
        Authority, Bound, DeniedBy, Invocation, InvocationState, InvocationStatus, Refusal,
        ResultRef, SuspendedGrant,
    },
    clock::Timestamp,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::RiskLevel;
use crate::grant::SuspensionReason;

wire_enum! {
    /// The status of an invocation.
    ActionStatus = InvocationStatus {
        Pending = "pending",
        Approved = "approved",
        Executing = "executing",
        Completed = "completed",
        Failed = "failed",
        Denied = "denied",
        Expired = "expired",
    }
}

/// One request to run an action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvocationView {
    pub id: Uuid,
    pub session_id: Uuid,
    pub organization_id: String,
    /// The run of this call, under which the audit log has it.
    pub run_id: Uuid,
    /// The connection whose credentials are used; `null` for a connector.
    pub integration_id: Option<Uuid>,
    #[schema(example = "linear")]
    pub integration: String,
    #[schema(example = "create_issue")]
    pub action: String,
    pub risk_level: RiskLevel,
    /// Without secrets, at most 10 KB.
    #[schema(value_type = Option<Object>)]
    pub params: Value,
    /// Whether `params` is all of the call: nothing was redacted and nothing was truncated. An admin opens any other
    /// call before deciding it.
    #[serde(default)]
    #[schema(required)]
    pub params_complete: bool,
    /// The digest of the call as it would run, with the tool's definition and the policy of the request: a call that is
    /// requested again has another. An approval sends it, and covers nothing else.
    pub call_sha256: String,
    pub status: ActionStatus,
    /// Without secrets, at most 10 KB; the whole is `resultArtifactId`.
    #[schema(value_type = Option<Object>)]
    pub result: Option<Value>,
    pub result_artifact_id: Option<Uuid>,
    pub error: Option<String>,
    /// Whether the effect of a failed call in the outside service is unknown.
    pub outcome_unknown: bool,
    pub duration_ms: Option<u64>,
    /// What authorized it.
    pub authority: Option<AuthorityView>,
    /// The user who approved or denied it.
    pub approved_by: Option<String>,
    pub approved_at: Option<DateTime<Utc>>,
    pub completed_at: Option<DateTime<Utc>>,
    /// Until when it can be decided, or an approval be used.
    pub expires_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    /// Why it has to be approved once more, if it has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(example = json!(["tool_definition_changed"]))]
    pub returned_because: Vec<String>,
    /// The grant that would have authorized the call if the action were still defined as it was when the grant was
    /// created; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub suspended_grant: Option<SuspendedGrantView>,
}

/// A grant that does not cover a call because the action's definition has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuspendedGrantView {
    pub grant_id: Uuid,
    pub reason: SuspensionReason,
    #[schema(
        example = "the tool's definition changed since it was given; an admin has to review the definition"
    )]
    pub message: String,
}

/// What authorized a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthorityView {
    pub kind: AuthorityKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub grant_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub user_id: Option<String>,
}

/// The kinds of authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AuthorityKind {
    Read,
    Grant,
    Approval,
}

/// One invocation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvocationResponse {
    pub invocation: InvocationView,
}

/// A call as it would run, opened from its sealed form for an admin who decides it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenedCall {
    pub invocation_id: Uuid,
    pub session_id: Uuid,
    #[schema(example = "linear")]
    pub integration: String,
    #[schema(example = "create_issue")]
    pub action: String,
    pub risk_level: RiskLevel,
    /// All of it, but for credentials of the gateway itself.
    #[schema(value_type = Object)]
    pub params: Value,
    /// Places in `params` where a credential of the gateway was replaced by `[redacted]`.
    pub left_out: u64,
    /// `callSha256` of the invocation when it was opened. An approval sends it, and covers nothing else.
    pub call_sha256: String,
}

impl OpenedCall {
    /// `params` without the gateway's own credentials, and how many those were.
    pub fn new(invocation: &Invocation, params: Value, left_out: usize) -> Self {
        Self {
            invocation_id: invocation.id.uuid(),
            session_id: invocation.session_id.uuid(),
            integration: invocation.integration.to_string(),
            action: invocation.action.to_string(),
            risk_level: invocation.risk.into(),
            params,
            left_out: u64::try_from(left_out).unwrap_or(u64::MAX),
            call_sha256: invocation.binding.sha256().as_str().to_owned(),
        }
    }
}

impl InvocationView {
    /// `params` and `result` are the views of the record: redacted and truncated.
    pub fn new(invocation: Invocation, params: Value, result: Option<Value>) -> Self {
        let view = Self {
            id: invocation.id.uuid(),
            session_id: invocation.session_id.uuid(),
            organization_id: invocation.organization_id.to_string(),
            run_id: invocation.run_id.uuid(),
            integration_id: invocation
                .integration_id
                .map(domain::id::IntegrationId::uuid),
            integration: invocation.integration.to_string(),
            action: invocation.action.to_string(),
            risk_level: invocation.risk.into(),
            params_complete: invocation.is_call_with(&params),
            params,
            call_sha256: invocation.binding.sha256().as_str().to_owned(),
            status: invocation.state.status().into(),
            result,
            result_artifact_id: None,
            error: None,
            outcome_unknown: false,
            duration_ms: None,
            authority: None,
            approved_by: None,
            approved_at: None,
            completed_at: None,
            expires_at: None,
            created_at: invocation.created_at.datetime(),
            returned_because: Vec::new(),
            suspended_grant: invocation.suspended.map(Into::into),
        };
        view.with_state(invocation.state)
    }

    fn with_state(self, state: InvocationState) -> Self {
        match state {
            InvocationState::Pending {
                expires_at,
                returned,
            } => Self {
                expires_at: Some(expires_at.datetime()),
                returned_because: returned.map_or_else(Vec::new, |why| words(&why.changed)),
                ..self
            },
            InvocationState::Approved {
                by, at, expires_at, ..
            } => Self {
                approved_by: Some(by.to_string()),
                approved_at: Some(at.datetime()),
                expires_at: Some(expires_at.datetime()),
                ..self
            },
            InvocationState::Executing { authority, .. } => self.with_authority(authority),
            InvocationState::Completed {
                ended_at,
                authority,
                result,
                duration,
            } => {
                let view = self.with_authority(authority).ended(ended_at);
                view.with_result(Some(result)).lasting(duration)
            }
            InvocationState::Failed {
                ended_at,
                authority,
                error,
                effect,
                result,
                duration,
            } => {
                let view = self.with_authority(authority).ended(ended_at);
                Self {
                    error: Some(error.message),
                    outcome_unknown: effect == domain::action::Effect::Unknown,
                    ..view.with_result(result).lasting(duration)
                }
            }
            InvocationState::Denied { at, by, reason } => {
                let (error, person) = denial(by, reason);
                Self {
                    error: Some(error),
                    approved_by: person,
                    ..self.ended(at)
                }
            }
            InvocationState::Expired { at } => Self {
                error: Some("the time to decide ended without a decision".to_owned()),
                ..self.ended(at)
            },
        }
    }

    fn with_authority(self, authority: Authority) -> Self {
        let view = |kind, grant_id, user_id| AuthorityView {
            kind,
            grant_id,
            user_id,
        };
        match authority {
            Authority::Read => Self {
                authority: Some(view(AuthorityKind::Read, None, None)),
                ..self
            },
            Authority::Grant(id) => Self {
                authority: Some(view(AuthorityKind::Grant, Some(id.uuid()), None)),
                ..self
            },
            Authority::Approval { by, at } => Self {
                authority: Some(view(AuthorityKind::Approval, None, Some(by.to_string()))),
                approved_by: Some(by.to_string()),
                approved_at: Some(at.datetime()),
                ..self
            },
        }
    }

    fn with_result(self, result: Option<ResultRef>) -> Self {
        let artifact = result.and_then(|result| result.artifact);
        Self {
            result_artifact_id: artifact.map(domain::id::ArtifactId::uuid),
            ..self
        }
    }

    fn lasting(self, duration: std::time::Duration) -> Self {
        Self {
            duration_ms: u64::try_from(duration.as_millis()).ok(),
            ..self
        }
    }

    fn ended(self, at: Timestamp) -> Self {
        Self {
            completed_at: Some(at.datetime()),
            ..self
        }
    }
}

impl From<SuspendedGrant> for SuspendedGrantView {
    fn from(grant: SuspendedGrant) -> Self {
        Self {
            grant_id: grant.id.uuid(),
            reason: grant.because.into(),
            message: grant.because.sentence().to_owned(),
        }
    }
}

fn words(changed: &[Bound]) -> Vec<String> {
    changed.iter().map(ToString::to_string).collect()
}

/// The text of a denial, and the user who denied.
fn denial(by: DeniedBy, reason: Option<String>) -> (String, Option<String>) {
    match by {
        DeniedBy::Person(user) => {
            let said = reason.unwrap_or_else(|| "denied by an admin".to_owned());
            (said, Some(user.to_string()))
        }
        DeniedBy::Platform(refusal) => {
            let said = match refusal {
                Refusal::Danger => "this action is dangerous and always denied",
                Refusal::Policy => "the policy does not allow it",
                Refusal::SessionEnded => "its session ended",
            };
            (said.to_owned(), None)
        }
    }
}
