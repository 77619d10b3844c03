//! Organizations: their names and states.

use chrono::{DateTime, Utc};
use domain::organization::{Organization, OrganizationState};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::secret_text::SecretText;

wire_enum! {
    /// The state of an organization.
    OrganizationStatus = domain::organization::OrganizationStatus {
        Active = "active",
        /// It keeps everything and starts nothing, until an operator of the installation resumes it.
        Suspended = "suspended",
        /// The same, until an owner takes the deletion back or an operator removes its data.
        Deleting = "deleting",
    }
}

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationView {
    pub id: String,
    pub name: String,
    /// Part of URLs; stays when the name changes.
    pub slug: String,
    pub status: OrganizationStatus,
    /// Whether the setup link made it: its admins operate this installation, unless the settings name others.
    pub operates: bool,
    pub created_at: DateTime<Utc>,
    /// Of one that is suspended, or was when its deletion began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub suspended_at: Option<DateTime<Utc>>,
    /// Of one that is suspended, or was when its deletion began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub suspension_reason: Option<String>,
    /// Of one that is being deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub deletion_requested_at: Option<DateTime<Utc>>,
    /// Of one that is being deleted: until then the deletion can be taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub deletion_due_at: Option<DateTime<Utc>>,
}

/// The organizations of this installation, by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationsResponse {
    pub items: Vec<OrganizationView>,
    /// Whether there are more than shown: a thousand.
    pub has_more: bool,
}

/// The new name of the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateOrganizationRequest {
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
}

/// The deletion of the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteOrganizationRequest {
    /// The name of the organization, exactly as it is shown.
    pub confirm: String,
}

/// A new organization and its owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateOrganizationRequest {
    #[schema(min_length = 1, max_length = 100)]
    pub organization_name: String,
    #[schema(min_length = 1, max_length = 100)]
    pub owner_name: String,
    /// The mail address of the owner.
    #[schema(min_length = 1, max_length = 254)]
    pub owner_email: String,
}

/// A new organization, and how its owner comes in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedOrganization {
    pub organization: OrganizationView,
    pub owner_id: String,
    /// A link that logs the owner in, once and within an hour. Shown only now.
    pub login_link: SecretText,
}

/// Why an organization is suspended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SuspendOrganizationRequest {
    /// Shown to its members.
    #[schema(min_length = 1, max_length = 300)]
    pub reason: String,
}

impl From<Organization> for OrganizationView {
    fn from(organization: Organization) -> Self {
        let (requested_at, due_at) = match &organization.state {
            OrganizationState::Deleting {
                requested_at,
                due_at,
                ..
            } => (Some(*requested_at), Some(*due_at)),
            OrganizationState::Active | OrganizationState::Suspended(_) => (None, None),
        };
        let suspension = organization.state.suspension();
        Self {
            status: organization.state.status().into(),
            suspended_at: suspension.map(|suspension| suspension.at.datetime()),
            suspension_reason: suspension.map(|suspension| suspension.reason.clone()),
            deletion_requested_at: requested_at.map(domain::clock::Timestamp::datetime),
            deletion_due_at: due_at.map(domain::clock::Timestamp::datetime),
            id: organization.id.to_string(),
            name: organization.name,
            slug: organization.slug,
            operates: organization.operates,
            created_at: organization.created_at.datetime(),
        }
    }
}
