//! A person's answer to a pending invocation.

use std::num::NonZeroU32;

use domain::{
    Invalid,
    action::{Grant, GrantScopeKind as DomainScope, check_max_calls},
    audit::Sha256Hex,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{InvocationView, invoke::present};
use crate::grant::GrantScope;

/// Approves a pending invocation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"mode": "grant", "grant": {"scope": "session", "maxCalls": 5}}))]
pub struct ApproveRequest {
    /// `once` if absent.
    #[serde(default)]
    pub mode: ApprovalMode,
    /// With `mode` `grant` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantTerms>,
    /// `callSha256` of what was looked at. If the call is another by now, the answer is 409.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_sha256: Option<String>,
}

/// For what an approval is good.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ApprovalMode {
    /// This call.
    #[default]
    Once,
    /// This call, and a grant for more calls of the same action is made with it.
    Grant,
}

/// The grant that is made with an approval: for exactly the action that is approved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GrantTerms {
    /// `session` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<GrantScope>,
    /// No limit if absent or `null`.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub max_calls: Option<i64>,
}

impl ApproveRequest {
    /// Scope and calls of the grant to make; `None` for an approval of this call only.
    pub fn grant(&self) -> Result<Option<(DomainScope, Option<NonZeroU32>)>, Invalid> {
        match (self.mode, &self.grant) {
            (ApprovalMode::Once, None) => Ok(None),
            (ApprovalMode::Once, Some(_)) => {
                Err(Invalid::new("grant", "needs `mode` to be `grant`"))
            }
            (ApprovalMode::Grant, terms) => {
                let terms = terms.clone().unwrap_or_default();
                let scope = terms.scope.map_or(DomainScope::Session, Into::into);
                Ok(Some((
                    scope,
                    check_max_calls("grant.maxCalls", terms.max_calls)?,
                )))
            }
        }
    }

    /// The digest of what was looked at.
    pub fn call_sha256(&self) -> Result<Option<Sha256Hex>, Invalid> {
        let given = self.call_sha256.as_deref();
        given
            .map(|text| Sha256Hex::new("callSha256", text))
            .transpose()
    }
}

/// The invocation after its approval, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApproveResponse {
    pub invocation: InvocationView,
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<Object>)]
    pub result: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub grant: Option<ApprovedGrant>,
}

/// The grant that was made with an approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApprovedGrant {
    pub id: Uuid,
    pub integration: String,
    pub action: String,
    pub max_calls: Option<u32>,
}

impl From<&Grant> for ApprovedGrant {
    fn from(grant: &Grant) -> Self {
        Self {
            id: grant.id.uuid(),
            integration: grant.integration.to_string(),
            action: grant.action.to_string(),
            max_calls: grant.budget.max_calls.map(NonZeroU32::get),
        }
    }
}

/// Denies many pending invocations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DenyManyRequest {
    #[schema(min_items = 1, max_items = 100)]
    pub ids: Vec<Uuid>,
    /// The agents are told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub reason: Option<String>,
}

/// What became of each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DenyManyResponse {
    /// In the order they were asked for.
    pub items: Vec<DeniedView>,
}

/// Whether an invocation was denied, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeniedView {
    pub id: Uuid,
    pub denied: bool,
    /// The code of the problem if it was not: `NOT_FOUND`, `CONFLICT`, `EXPIRED`.
    pub code: Option<String>,
    pub message: Option<String>,
}

/// Denies a pending invocation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DenyRequest {
    /// The agent is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub reason: Option<String>,
}
