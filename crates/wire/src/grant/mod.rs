//! Grants: advance approvals of writes, requests for them, and backtests.

mod backtest;
mod explain;
mod predicate;
mod request;
#[cfg(test)]
mod tests;

use std::num::NonZeroU32;

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    action::{
        ActionName, Grant, GrantDraft, GrantScope as DomainScope, GrantScopeKind, IntegrationName,
        Pattern, Suspension as DomainSuspension, Uncovered, check_max_calls, parse_name,
    },
    audit::Sha256Hex,
    clock::Timestamp,
    id::parse_field,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

pub use backtest::{BacktestEntry, BacktestResponse};
pub use explain::{ExplainResponse, GrantVerdictView};
pub use predicate::Predicate;
pub use request::{
    GrantRequestQuery, GrantRequestResponse, GrantRequestStatus, GrantRequestView,
    RefuseGrantRequest, RequestGrantRequest,
};

wire_enum! {
    /// The scope of a grant: the calls of one session, or of the organization.
    GrantScope = GrantScopeKind {
        Session = "session",
        Organization = "org",
    }
}

/// A grant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantView {
    pub id: Uuid,
    pub organization_id: String,
    pub scope: GrantScope,
    /// The session it is for; `null` for the whole organization.
    pub session_id: Option<Uuid>,
    /// A name or `*`.
    #[schema(example = "linear")]
    pub integration: String,
    /// A name or `*`.
    #[schema(example = "create_issue")]
    pub action: String,
    pub predicates: Vec<Predicate>,
    /// `null` for no limit.
    pub max_calls: Option<u32>,
    pub used_calls: u32,
    /// How many are left; `null` for no limit.
    pub calls_left: Option<u32>,
    pub last_used_at: Option<DateTime<Utc>>,
    /// `null` for a grant that does not expire.
    pub expires_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    /// The admin who created it.
    pub created_by: String,
    pub created_at: DateTime<Utc>,
    /// The digest of the definition that it was created for, where it names one action.
    pub definition_sha256: Option<String>,
    /// Actions that it names and does not cover any more, because their definitions have changed since it was created.
    /// Their calls wait for an approval.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspended: Vec<SuspendedActionView>,
    /// Whether there are more than listed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspended_truncated: bool,
}

wire_enum! {
    /// Why a grant does not cover an action that it names.
    SuspensionReason = DomainSuspension {
        ToolChanged = "tool_definition_changed",
        ToolNew = "tool_definition_new",
        ActionChanged = "action_changed",
        ActionNew = "action_new",
    }
}

/// An action that a grant names and does not cover.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuspendedActionView {
    pub integration: String,
    pub action: String,
    pub reason: SuspensionReason,
    /// What happened, and what makes the grant cover the action again.
    pub message: String,
    /// The digest of the definition that the grant was created for; `null` for an action that was
    /// not known.
    pub given_for_sha256: Option<String>,
    /// The digest of the current definition.
    pub now_sha256: String,
}

/// Creates a grant, or asks what it would have allowed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"scope": "org", "integration": "linear", "action": "add_comment", "maxCalls": 20}))]
pub struct CreateGrantRequest {
    pub scope: GrantScope,
    /// With the scope `session`, and only then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(format = "uuid")]
    pub session_id: Option<String>,
    /// A name or `*`.
    #[schema(min_length = 1, max_length = 64)]
    pub integration: String,
    /// A name or `*`.
    #[schema(min_length = 1, max_length = 128)]
    pub action: String,
    /// All of them must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 10)]
    pub predicates: Vec<Predicate>,
    /// No limit if absent or `null`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub max_calls: Option<i64>,
    /// Does not expire if absent or `null`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
}

/// Grants of a session, newest first, in pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantList {
    pub grants: Vec<GrantView>,
    /// Pass it as `cursor` to get the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

impl CreateGrantRequest {
    /// The draft; `GrantDraft::check` validates it.
    pub fn draft(&self) -> Result<GrantDraft, Invalid> {
        let scope = match (self.scope, &self.session_id) {
            (GrantScope::Session, Some(id)) => DomainScope::Session(parse_field("sessionId", id)?),
            (GrantScope::Organization, None) => DomainScope::Organization,
            (GrantScope::Session, None) => {
                return Err(Invalid::new(
                    "sessionId",
                    "is needed for the scope `session`",
                ));
            }
            (GrantScope::Organization, Some(_)) => {
                return Err(Invalid::new(
                    "sessionId",
                    "does not go with the scope `org`",
                ));
            }
        };
        let mut predicates = Vec::new();
        for (index, given) in self.predicates.iter().enumerate() {
            let within = |error: Invalid| error.within(&format!("predicates[{index}]"));
            predicates.push(given.clone().try_into().map_err(within)?);
        }
        Ok(GrantDraft {
            scope,
            integration: parse_name("integration", &self.integration)?,
            action: parse_name("action", &self.action)?,
            predicates,
            max_calls: check_max_calls("maxCalls", self.max_calls)?,
            expires_at: self.expires_at.map(Timestamp::from_datetime),
        })
    }
}

impl GrantView {
    pub fn new(grant: &Grant, last_used_at: Option<Timestamp>) -> Self {
        let session_id = match grant.scope {
            DomainScope::Session(id) => Some(id.uuid()),
            DomainScope::Organization => None,
        };
        Self {
            id: grant.id.uuid(),
            organization_id: grant.organization_id.to_string(),
            scope: grant.scope.kind().into(),
            session_id,
            integration: grant.integration.to_string(),
            action: grant.action.to_string(),
            predicates: grant.predicates.iter().map(Into::into).collect(),
            max_calls: grant.budget.max_calls.map(NonZeroU32::get),
            used_calls: grant.budget.used_calls,
            calls_left: grant.budget.left(),
            last_used_at: last_used_at.map(Timestamp::datetime),
            expires_at: grant.expires_at.map(Timestamp::datetime),
            revoked_at: grant.revoked_at.map(Timestamp::datetime),
            created_by: grant.created_by.to_string(),
            created_at: grant.created_at.datetime(),
            definition_sha256: definition(grant).map(|digest| digest.as_str().to_owned()),
            suspended: Vec::new(),
            suspended_truncated: false,
        }
    }
}

/// The digest for the one action that the grant names.
fn definition(grant: &Grant) -> Option<&Sha256Hex> {
    let (Pattern::Exactly(integration), Pattern::Exactly(action)) =
        (&grant.integration, &grant.action)
    else {
        return None;
    };
    let built_in = grant.basis.built_in.get(integration, action);
    built_in.or(grant.basis.tool.as_ref())
}

impl SuspendedActionView {
    pub fn new(integration: &IntegrationName, action: &ActionName, uncovered: &Uncovered) -> Self {
        let digest = |digest: &Sha256Hex| digest.as_str().to_owned();
        Self {
            integration: integration.to_string(),
            action: action.to_string(),
            reason: uncovered.because.into(),
            message: uncovered.because.sentence().to_owned(),
            given_for_sha256: uncovered.given_for.as_ref().map(digest),
            now_sha256: digest(&uncovered.now),
        }
    }
}
