//! Members of an organization.

use chrono::{DateTime, Utc};
use domain::organization::{Member, User};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::me::Role;

/// A member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberView {
    pub user_id: String,
    pub name: String,
    pub email: String,
    pub role: Role,
    /// The identity provider that manages the role: it is applied at each login, and cannot be changed here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub role_managed_by: Option<String>,
    /// Since when they are a member.
    pub created_at: DateTime<Utc>,
}

impl MemberView {
    /// Adds the label of the identity provider that manages the role.
    #[must_use]
    pub fn managed_by(mut self, label: Option<String>) -> Self {
        self.role_managed_by = label;
        self
    }
}

/// The members, by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MembersResponse {
    pub items: Vec<MemberView>,
    /// Whether there are more than shown: a thousand.
    pub has_more: bool,
}

/// The new role of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateMemberRequest {
    pub role: Role,
}

/// What a removal is to do beside ending the membership.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RemoveMemberQuery {
    /// User id of the admin or owner whom the member's sessions and automations go to. If absent: the caller, or the owner
    /// who joined first if the caller leaves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[param(nullable = false)]
    pub successor: Option<String>,
    /// Whether name and address of the user are erased, too. For owners. They stay if the user is a member of another
    /// organization.
    #[serde(default)]
    pub erase: bool,
}

/// What a removal did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovedMemberView {
    /// User id of the member whom sessions and automations went to.
    pub successor: String,
    /// How many sessions.
    pub sessions: u64,
    /// How many automations.
    pub automations: u64,
    /// Whether name and address of the user were erased.
    pub is_erased: bool,
}

impl From<(Member, User)> for MemberView {
    fn from((member, user): (Member, User)) -> Self {
        Self {
            user_id: member.user_id.to_string(),
            name: user.name,
            email: user.email,
            role: member.role.into(),
            role_managed_by: None,
            created_at: member.created_at.datetime(),
        }
    }
}
