//! A connector as it is shown.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{ConnectorAuth, ConnectorTransport, RiskPolicy};

/// A connector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectorView {
    pub id: Uuid,
    /// Its name in actions.
    #[schema(example = "connector:0192f0c1-2345-7abc-8def-0123456789ab")]
    pub integration: String,
    /// The configuration it is for; `null` for the whole organization.
    pub configuration_id: Option<Uuid>,
    pub name: String,
    pub transport: ConnectorTransport,
    pub url: String,
    pub auth: ConnectorAuth,
    pub risk_policy: RiskPolicy,
    pub enabled: bool,
    pub trusted: bool,
    pub created_by: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}
