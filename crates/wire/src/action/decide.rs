//! An approver's decision about a pending invocation.

use std::{collections::BTreeMap, num::NonZeroU32};

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
#[schema(example = json!({
    "callSha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "mode": "grant", "grant": {"scope": "session", "maxCalls": 5},
}))]
pub struct ApproveRequest {
    /// `once` if absent.
    #[serde(default)]
    pub mode: ApprovalMode,
    /// With `mode` `grant` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantTerms>,
    /// `callSha256` of the call that the approver saw: of the invocation if its `paramsComplete` is true, else of the
    /// call as it was opened. If it is not the digest of the pending call, or the call was requested again since, the
    /// response is 409.
    #[schema(min_length = 64, max_length = 64)]
    pub call_sha256: String,
}

/// What an approval covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ApprovalMode {
    /// This call.
    #[default]
    Once,
    /// This call, and a grant for more calls of the same action is created with it.
    Grant,
}

/// The grant that is created with an approval: for exactly the approved action.
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
    /// Scope and calls of the grant to create; `None` for an approval of this call only.
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

    /// The digest of the call that the approver saw.
    pub fn call_sha256(&self) -> Result<Sha256Hex, Invalid> {
        Sha256Hex::new("callSha256", &self.call_sha256)
    }
}

/// The invocation after its approval, and its result.
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

/// The grant that was created with an approval.
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
    /// `callSha256` of those that the approver saw, by id. One whose digest is not that of the pending call is not
    /// denied.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub call_sha256: BTreeMap<Uuid, String>,
    /// Sent to the agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub reason: Option<String>,
}

/// The result for each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DenyManyResponse {
    /// In the order of the request.
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
    /// Sent to the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub reason: Option<String>,
    /// `callSha256` of the call that the approver saw. If it is not the digest of the pending call, the response is
    /// 409.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 64, max_length = 64)]
    pub call_sha256: Option<String>,
}

impl DenyRequest {
    /// The digest of the call that the approver saw.
    pub fn call_sha256(&self) -> Result<Option<Sha256Hex>, Invalid> {
        seen("callSha256", self.call_sha256.as_deref())
    }
}

impl DenyManyRequest {
    /// The digest of one of the calls that the approver saw.
    pub fn call_sha256(&self, id: Uuid) -> Result<Option<Sha256Hex>, Invalid> {
        let field = format!("callSha256.{id}");
        seen(&field, self.call_sha256.get(&id).map(String::as_str))
    }
}

fn seen(field: &str, given: Option<&str>) -> Result<Option<Sha256Hex>, Invalid> {
    given.map(|text| Sha256Hex::new(field, text)).transpose()
}
