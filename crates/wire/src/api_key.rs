//! API keys. The key itself is in exactly one response, the one that creates it.

use chrono::{DateTime, Utc};
use domain::{api_key::ApiKey, clock::Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::secret_text::SecretText;

/// An API key's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiKeyView {
    pub id: Uuid,
    pub name: String,
    /// The first characters of the key, to tell keys apart.
    #[schema(example = "pk_3f9a1c07")]
    pub prefix: String,
    /// The user the key belongs to.
    pub user_id: String,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
}

/// Creates an API key for the caller.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateApiKeyRequest {
    #[schema(min_length = 1, max_length = 100, example = "laptop")]
    pub name: String,
    /// How long it is valid; until it is revoked if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 31_536_000, example = 2_592_000)]
    pub expires_in_seconds: Option<u64>,
}

/// A new API key. The key is shown here once and cannot be retrieved again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateApiKeyResponse {
    pub api_key: ApiKeyView,
    /// The key itself, `pk_` and 64 hexadecimal digits: keep it, it is not shown again.
    pub key: SecretText,
}

impl From<ApiKey> for ApiKeyView {
    fn from(key: ApiKey) -> Self {
        Self {
            id: key.id.uuid(),
            name: key.name,
            prefix: key.prefix,
            user_id: key.user_id.to_string(),
            created_at: key.created_at.datetime(),
            expires_at: key.expires_at.map(Timestamp::datetime),
            revoked_at: key.revoked_at.map(Timestamp::datetime),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json, to_value};

    use super::*;

    #[test]
    fn a_new_key_is_in_the_answer_and_not_in_debug() {
        let body = json!({
            "apiKey": {
                "id": "0192f0c1-2345-7abc-8def-0123456789ab",
                "name": "laptop",
                "prefix": "pk_3f9a1c07",
                "userId": "user_1",
                "createdAt": "2026-01-05T09:30:00.000001Z",
                "expiresAt": "2026-02-04T09:30:00Z",
                "revokedAt": null,
            },
            "key": "pk_3f9a1c07ffff",
        });
        let response: CreateApiKeyResponse = from_value(body.clone()).unwrap();
        assert_eq!(to_value(&response).unwrap(), body);
        let printed = format!("{response:?}");
        assert!(!printed.contains("07ffff"), "{printed}");
    }

    #[test]
    fn a_request_refuses_what_it_does_not_know() {
        assert!(from_value::<CreateApiKeyRequest>(json!({"name": "x", "ttl": 1})).is_err());
        assert!(
            from_value::<CreateApiKeyRequest>(json!({"name": "x", "expiresInSeconds": -1}))
                .is_err()
        );
        let request: CreateApiKeyRequest = from_value(json!({"name": "x"})).unwrap();
        assert_eq!(to_value(&request).unwrap(), json!({"name": "x"}));
    }
}
