//! An organization's connection to an outside service. The credentials are not part of this type:
//! they stay sealed in the store and are opened only by `app::integrations`.

use crate::{
    clock::Timestamp,
    id::{IntegrationId, OrganizationId, UserId},
    limits::{TOKEN_RENEW_BEFORE, TOKEN_USABLE_MIN},
};

crate::text_enum! {
    /// How the credentials are kept and renewed.
    IntegrationProvider {
        /// A token that a user pasted; it is used as it is.
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
    /// The service: `linear`, `sentry`, `slack`, `github`, ...
    pub service: String,
    pub display_name: String,
    pub scopes: Vec<String>,
    pub status: IntegrationStatus,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// When a token that expires is renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    /// Not yet.
    None,
    /// Renew it; it can be used meanwhile.
    Soon,
    /// Renew it before use.
    Now,
}

impl Renewal {
    /// For a token that expires at `expires_at`, or has no known expiry.
    pub fn of(expires_at: Option<Timestamp>, now: Timestamp) -> Self {
        let left = expires_at.map(|end| end.since(now));
        match left {
            Some(left) if left < TOKEN_USABLE_MIN => Self::Now,
            Some(left) if left < TOKEN_RENEW_BEFORE => Self::Soon,
            _ => Self::None,
        }
    }
}

/// A user's pending authorization at a service (OAuth or app installation).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectAttempt {
    pub organization_id: OrganizationId,
    pub user_id: UserId,
    /// The service.
    pub service: String,
    /// The redirect URI. The token request has to repeat it.
    pub redirect_uri: String,
    /// The connection that gets new credentials; a new one if there is none.
    pub integration_id: Option<IntegrationId>,
    /// The installation of a GitHub App to connect, if it is one.
    pub installation_id: Option<i64>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_token_is_renewed_shortly_before_its_end() {
        let now = Timestamp::from_micros(1_767_225_600_000_000).unwrap();
        let table = [
            (None, Renewal::None),
            (Some(3600), Renewal::None),
            (Some(300), Renewal::None),
            (Some(299), Renewal::Soon),
            (Some(60), Renewal::Soon),
            (Some(59), Renewal::Now),
            (Some(0), Renewal::Now),
        ];
        for (left, expected) in table {
            let end = left.map(|left| now.plus(Duration::from_secs(left)));
            assert_eq!(Renewal::of(end, now), expected, "{left:?}");
        }
        let gone = now.minus(Duration::from_hours(1));
        assert_eq!(Renewal::of(Some(gone), now), Renewal::Now);
    }
}
