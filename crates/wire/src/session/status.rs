//! A short status: has the session ended?

use chrono::{DateTime, Utc};
use domain::{clock::Timestamp, session::Session};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SessionStatus;

/// Whether a session has ended, and if so, when and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionStatusResponse {
    pub state: SessionLiveness,
    pub status: SessionStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub terminated_at: Option<DateTime<Utc>>,
    /// Why it was paused, stopped or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reason: Option<String>,
}

/// `running` is everything that has not ended, including a session that is idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SessionLiveness {
    Running,
    Terminated,
}

impl From<&Session> for SessionStatusResponse {
    fn from(session: &Session) -> Self {
        let ended_at = session.state.ended_at();
        let state = match ended_at {
            Some(_) => SessionLiveness::Terminated,
            None => SessionLiveness::Running,
        };
        Self {
            state,
            status: session.state.status().into(),
            terminated_at: ended_at.map(Timestamp::datetime),
            reason: session.state.reason().map(ToOwned::to_owned),
        }
    }
}
