//! Logins of terminals. A code is in one answer, the one that makes it, and in the requests that use it.

use chrono::{DateTime, Utc};
use domain::device_login::DeviceLogin;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{api_key::ApiKeyView, secret_text::SecretText};

/// Starts the login of a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartDeviceLoginRequest {
    /// What the machine is called: the name of the API key, and what the member reads before they decide.
    #[schema(min_length = 1, max_length = 100, example = "ada-laptop")]
    pub machine: String,
}

/// A login that waits for a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceLoginStarted {
    /// Fetches the key once a member approved. Only the terminal has it.
    pub device_code: SecretText,
    /// What the member compares: eight letters.
    #[schema(example = "BCDF-GHJK")]
    pub user_code: String,
    /// The page on which to compare it.
    #[schema(example = "https://agents.example.com/device?code=BCDF-GHJK")]
    pub verification_url: String,
    #[schema(example = 600)]
    pub expires_in_seconds: u64,
    /// The shortest time between two requests for the key.
    #[schema(example = 5)]
    pub interval_seconds: u64,
}

/// Which login a member is to decide about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeviceLoginQuery {
    /// The code that the terminal shows.
    #[param(value_type = String, example = "BCDF-GHJK")]
    pub code: SecretText,
}

/// A login of a terminal, as the member reads it who is to decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceLoginView {
    pub id: Uuid,
    /// What the terminal says its machine is called. Not verified.
    pub machine: String,
    /// The address that its request came from, as the gateway saw it.
    #[schema(example = "203.0.113.7")]
    pub client: String,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// How long the API key is good that approving makes.
    #[schema(example = 7_776_000)]
    pub key_expires_in_seconds: u64,
}

/// What a member decides about a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeviceLoginDecision {
    /// It acts as this member.
    Approve,
    /// It gets nothing.
    Deny,
}

/// The decision of a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecideDeviceLoginRequest {
    /// The code that the terminal shows.
    pub code: SecretText,
    pub decision: DeviceLoginDecision,
}

/// A terminal asks whether it was approved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeviceTokenRequest {
    pub device_code: SecretText,
}

/// What a terminal learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeviceTokenStatus {
    /// No member has decided. Ask again after the interval.
    Pending,
    /// It asked before the interval was over. Wait five seconds longer from now on.
    SlowDown,
    /// A member denied it.
    Denied,
    /// The code is over, was used, or never was one.
    Expired,
    /// A member approved it: the key is in this answer, and in no other.
    Approved,
}

/// The answer to a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceTokenResponse {
    pub status: DeviceTokenStatus,
    /// The key's record, if it was approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub api_key: Option<ApiKeyView>,
    /// The key itself: keep it, it is not shown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub key: Option<SecretText>,
}

impl DeviceTokenResponse {
    /// An answer without a key.
    pub const fn without_key(status: DeviceTokenStatus) -> Self {
        Self {
            status,
            api_key: None,
            key: None,
        }
    }
}

impl From<DeviceLogin> for DeviceLoginView {
    fn from(login: DeviceLogin) -> Self {
        Self {
            id: login.id.uuid(),
            machine: login.machine,
            client: login.client,
            created_at: login.created_at.datetime(),
            expires_at: login.expires_at.datetime(),
            key_expires_in_seconds: domain::limits::DEVICE_KEY_LIFE.as_secs(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json, to_value};

    use super::*;

    #[test]
    fn a_code_is_on_the_wire_and_not_in_debug() {
        let request: DeviceTokenRequest = from_value(json!({"deviceCode": "dvc_hush"})).unwrap();
        assert_eq!(
            to_value(&request).unwrap(),
            json!({"deviceCode": "dvc_hush"})
        );
        assert!(!format!("{request:?}").contains("hush"));
        assert!(from_value::<DeviceTokenRequest>(json!({"deviceCode": "x", "more": 1})).is_err());
        assert!(from_value::<StartDeviceLoginRequest>(json!({"name": "x"})).is_err());
    }

    #[test]
    fn without_a_key_there_is_no_member_for_it() {
        let answer = DeviceTokenResponse::without_key(DeviceTokenStatus::SlowDown);
        assert_eq!(to_value(&answer).unwrap(), json!({"status": "slow_down"}));
        let decide = json!({"code": "BCDF-GHJK", "decision": "approve"});
        assert!(from_value::<DecideDeviceLoginRequest>(decide).is_ok());
        let decide = json!({"code": "BCDF-GHJK", "decision": "yes"});
        assert!(from_value::<DecideDeviceLoginRequest>(decide).is_err());
    }
}
