//! An organization's connection to an outside service. The credentials are not part of this type:
//! they stay sealed in the store and are opened only by `app::integrations`.

use crate::{
    clock::Timestamp,
    id::{IntegrationId, OrganizationId, UserId},
};

crate::text_enum! {
    /// How the credentials are kept and renewed.
    IntegrationProvider {
        /// A token that somebody pasted; it is used as it is.
        Static = "static",
        /// Access and refresh token of an OAuth2 grant.
        OAuth2 = "oauth2",
        /// An installation of a GitHub App.
        GithubApp = "github-app",
    }
}

crate::text_enum! {
    /// Whether the connection can be used.
    IntegrationStatus {
        Active = "active",
        Expired = "expired",
        Revoked = "revoked",
        Suspended = "suspended",
    }
}

/// A connection's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Integration {
    pub id: IntegrationId,
    pub organization_id: OrganizationId,
    pub provider: IntegrationProvider,
    /// Which service: `linear`, `sentry`, `slack`, `github`, ...
    pub service: String,
    pub display_name: String,
    pub scopes: Vec<String>,
    pub status: IntegrationStatus,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
