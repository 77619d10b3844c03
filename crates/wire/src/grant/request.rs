//! An agent's request for a grant.

use std::{num::NonZeroU32, str::FromStr};

use chrono::{DateTime, Utc};
use domain::{
    Invalid,
    action::{
        GrantDraft, GrantRequest, GrantRequestState, GrantRequestStatus as DomainStatus,
        GrantScope as DomainScope, check_max_calls, parse_name,
    },
    id::SessionId,
    page::PageRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::GrantScope;
use crate::page::page_request;

wire_enum! {
    /// The status of a grant request.
    GrantRequestStatus = DomainStatus {
        Pending = "pending",
        Granted = "granted",
        Refused = "refused",
        Expired = "expired",
    }
}

/// An agent requests a grant. An admin decides; until then nothing is granted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestGrantRequest {
    /// A name or `*`.
    #[schema(min_length = 1, max_length = 64)]
    pub integration: String,
    /// A name or `*`.
    #[schema(min_length = 1, max_length = 128)]
    pub action: String,
    /// `session` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<GrantScope>,
    /// No limit if absent or `null`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub max_calls: Option<i64>,
}

impl RequestGrantRequest {
    pub fn draft(&self, session_id: SessionId) -> Result<GrantDraft, Invalid> {
        Ok(GrantDraft {
            scope: match self.scope {
                None | Some(GrantScope::Session) => DomainScope::Session(session_id),
                Some(GrantScope::Organization) => DomainScope::Organization,
            },
            integration: parse_name("integration", &self.integration)?,
            action: parse_name("action", &self.action)?,
            predicates: Vec::new(),
            max_calls: check_max_calls("maxCalls", self.max_calls)?,
            expires_at: None,
        })
    }
}

/// A request for a grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantRequestView {
    pub id: Uuid,
    /// The session whose agent asks.
    pub session_id: Uuid,
    pub scope: GrantScope,
    pub integration: String,
    pub action: String,
    pub max_calls: Option<u32>,
    pub status: GrantRequestStatus,
    pub decided_by: Option<String>,
    pub decided_at: Option<DateTime<Utc>>,
    pub reason: Option<String>,
    /// The grant, once it was granted.
    pub grant_id: Option<Uuid>,
    pub expires_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// Which grant requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GrantRequestQuery {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<GrantRequestStatus>,
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many entries at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<u32>,
}

impl GrantRequestQuery {
    pub fn page_request<Id: FromStr>(&self) -> Result<PageRequest<Id>, Invalid> {
        page_request(self.cursor.as_deref(), self.limit)
    }
}

/// The response to an agent's request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantRequestResponse {
    pub grant_request: GrantRequestView,
    #[schema(example = "An admin has to decide")]
    pub message: String,
}

/// Refuses a grant request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RefuseGrantRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub reason: Option<String>,
}

impl From<GrantRequest> for GrantRequestView {
    fn from(request: GrantRequest) -> Self {
        let pending = Self {
            id: request.id.uuid(),
            session_id: request.session_id.uuid(),
            scope: request.draft.scope.kind().into(),
            integration: request.draft.integration.to_string(),
            action: request.draft.action.to_string(),
            max_calls: request.draft.max_calls.map(NonZeroU32::get),
            status: request.state.status().into(),
            decided_by: None,
            decided_at: None,
            reason: None,
            grant_id: None,
            expires_at: None,
            created_at: request.created_at.datetime(),
        };
        match request.state {
            GrantRequestState::Pending { expires_at } => Self {
                expires_at: Some(expires_at.datetime()),
                ..pending
            },
            GrantRequestState::Granted { by, at, grant } => Self {
                decided_by: Some(by.to_string()),
                decided_at: Some(at.datetime()),
                grant_id: Some(grant.uuid()),
                ..pending
            },
            GrantRequestState::Refused { by, at, reason } => Self {
                decided_by: Some(by.to_string()),
                decided_at: Some(at.datetime()),
                reason,
                ..pending
            },
            GrantRequestState::Expired { at } => Self {
                decided_at: Some(at.datetime()),
                ..pending
            },
        }
    }
}
