//! Connections to outside services. Credentials are accepted and never returned.

use chrono::{DateTime, Utc};
use domain::integration::{Integration, IntegrationStatus as DomainStatus};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{patch::not_null, secret_text::SecretText};

wire_enum! {
    /// How the credentials are kept and renewed.
    IntegrationProvider = domain::integration::IntegrationProvider {
        /// A token that a user pasted; it is used as it is.
        Static = "static",
        /// Access and refresh token of an OAuth2 grant.
        OAuth2 = "oauth2",
        /// An installation of a GitHub App.
        GithubApp = "github-app",
    }
}

wire_enum! {
    /// Whether the connection can be used.
    IntegrationStatus = DomainStatus {
        Active = "active",
        Expired = "expired",
        Revoked = "revoked",
        Suspended = "suspended",
    }
}

/// A connection without its credentials.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntegrationView {
    pub id: Uuid,
    pub organization_id: String,
    pub provider: IntegrationProvider,
    /// The service it connects to.
    #[schema(example = "linear")]
    pub integration_id: String,
    pub display_name: String,
    pub scopes: Vec<String>,
    pub status: IntegrationStatus,
    pub created_by: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// Connects a service by a token, or GitHub by the organization's own app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateIntegrationRequest {
    /// The service to connect to.
    #[schema(min_length = 1, max_length = 100, example = "linear")]
    pub integration_id: String,
    /// The service's name if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 100, example = "Linear (product team)")]
    pub display_name: Option<String>,
    /// The service's API token. Kept sealed and never returned. Required unless there is a `githubApp`.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub token: Option<SecretText>,
    /// An installation of a GitHub App instead of a token; for `github` alone.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub github_app: Option<GithubAppRequest>,
    /// The scopes of the token, as a note for users.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
}

/// An installation of a GitHub App that is the organization's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GithubAppRequest {
    /// The app's id, or its client id.
    #[schema(min_length = 1, max_length = 100, example = "123456")]
    pub app_id: String,
    #[schema(minimum = 1, example = 4711)]
    pub installation_id: i64,
    /// The app's private key in PEM. Kept sealed and never returned.
    pub private_key: SecretText,
}

/// Starts to connect a service through its authorization page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConnectIntegrationRequest {
    /// The service to connect to: `linear`, `sentry`, `slack` or `github`.
    #[schema(min_length = 1, max_length = 100, example = "linear")]
    pub integration_id: String,
    /// The connection that gets new credentials; a new one is created if absent.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub reconnect: Option<Uuid>,
    /// An installation of the operator's GitHub App, to act as the app and not as the user; for `github`
    /// alone.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, minimum = 1, example = 4711)]
    pub installation_id: Option<i64>,
}

/// The next step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectIntegrationResponse {
    /// To be opened within ten minutes, once, in the browser that sent this request: it got a cookie.
    #[schema(example = "https://linear.app/oauth/authorize?response_type=code&client_id=...")]
    pub authorize_url: String,
}

/// Changes a connection.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateIntegrationRequest {
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_length = 1, max_length = 100)]
    pub display_name: Option<String>,
    /// Replaces the token. Kept sealed and never returned.
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub token: Option<SecretText>,
    #[serde(
        default,
        deserialize_with = "not_null",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub status: Option<IntegrationStatusChange>,
}

/// The statuses a user can set; the others are determined by using the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum IntegrationStatusChange {
    Active,
    Suspended,
}

impl From<IntegrationStatusChange> for DomainStatus {
    fn from(change: IntegrationStatusChange) -> Self {
        match change {
            IntegrationStatusChange::Active => Self::Active,
            IntegrationStatusChange::Suspended => Self::Suspended,
        }
    }
}

impl From<Integration> for IntegrationView {
    fn from(integration: Integration) -> Self {
        Self {
            id: integration.id.uuid(),
            organization_id: integration.organization_id.to_string(),
            provider: integration.provider.into(),
            integration_id: integration.service,
            display_name: integration.display_name,
            scopes: integration.scopes,
            status: integration.status.into(),
            created_by: integration.created_by.map(|id| id.to_string()),
            created_at: integration.created_at.datetime(),
            updated_at: integration.updated_at.datetime(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json, to_value};

    use super::*;

    #[test]
    fn tokens_are_sent_and_not_printed() {
        let body = json!({"integrationId": "linear", "token": "lin_s3cret"});
        let create: CreateIntegrationRequest = from_value(body.clone()).unwrap();
        assert_eq!(to_value(&create).unwrap(), body);
        let update: UpdateIntegrationRequest = from_value(json!({"token": "lin_s3cret"})).unwrap();
        let app = json!({"integrationId": "github", "githubApp":
            {"appId": "1", "installationId": 2, "privateKey": "pem_s3cret"}});
        let of_app: CreateIntegrationRequest = from_value(app.clone()).unwrap();
        assert_eq!(to_value(&of_app).unwrap(), app);
        let printed = format!("{create:?} {update:?} {of_app:?}");
        assert!(!printed.contains("s3cret"), "{printed}");
    }

    #[test]
    fn a_person_can_suspend_but_not_declare_expired() {
        for change in [
            IntegrationStatusChange::Active,
            IntegrationStatusChange::Suspended,
        ] {
            assert_eq!(
                to_value(change).unwrap(),
                DomainStatus::from(change).as_str()
            );
        }
        assert!(from_value::<UpdateIntegrationRequest>(json!({"status": "expired"})).is_err());
        assert!(from_value::<UpdateIntegrationRequest>(json!({"status": null})).is_err());
        assert!(from_value::<UpdateIntegrationRequest>(json!({"provider": "static"})).is_err());
    }
}
