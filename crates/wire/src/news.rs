//! News of an organization, for pages that are kept open. `app::news` writes them; readers ignore members and types that
//! they do not know.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{action::ActionStatus, grant::GrantRequestStatus};

/// An entity changed; its current state is read separately.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum NewsEvent {
    /// The subscription has started: pages read their data after this.
    Begun,
    /// News were lost: pages read their data again.
    Missed,
    ActionChanged(ActionChanged),
    GrantChanged(Changed),
    GrantRequestChanged(GrantRequestChanged),
    /// A session was created, changed its status or title, requests something from users, or got its
    /// response.
    SessionChanged(Changed),
    /// Limits of the organization were changed, or what it spent comes near one.
    LimitsChanged,
}

/// A call of an agent waits, was decided, or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionChanged {
    pub id: Uuid,
    pub session_id: Uuid,
    pub status: ActionStatus,
}

/// An agent requested a grant, or its request was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantRequestChanged {
    pub id: Uuid,
    pub session_id: Uuid,
    pub status: GrantRequestStatus,
}

/// The id of the changed entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    pub id: Uuid,
}
