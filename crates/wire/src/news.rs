//! News of an organization, for pages that are kept open. `app::news` writes them; readers ignore members and types that
//! they do not know.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{action::ActionStatus, grant::GrantRequestStatus};

/// Something changed; what it is now is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum NewsEvent {
    /// Listening begins: what is shown is read after this.
    Begun,
    /// News were lost: what is shown is to be read again.
    Missed,
    ActionChanged(ActionChanged),
    GrantChanged(Changed),
    GrantRequestChanged(GrantRequestChanged),
    /// A session began, stands differently, is called differently, asks people for something or was answered.
    SessionChanged(Changed),
}

/// A call of an agent waits, was decided, or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionChanged {
    pub id: Uuid,
    pub session_id: Uuid,
    pub status: ActionStatus,
}

/// An agent wishes for a grant, or was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantRequestChanged {
    pub id: Uuid,
    pub session_id: Uuid,
    pub status: GrantRequestStatus,
}

/// It is not as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    pub id: Uuid,
}
