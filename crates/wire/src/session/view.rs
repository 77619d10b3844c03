//! A session as users see it. Data that only served to create it (its key and the digest of its
//! request) is not part of it.

use chrono::{DateTime, Utc};
use domain::{
    clock::Timestamp,
    id::{ConfigurationId, IntegrationId},
    model::AgentConfig,
    session::{Session, SessionState},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{ClientType, IntegrationWarning, SessionStatus, SessionType};
use crate::{
    model::AgentType,
    sharing::{SessionRight, Visibility},
};

/// A session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    pub id: Uuid,
    pub organization_id: String,
    /// `null` if the platform created it, or if its creator was removed.
    pub created_by: Option<String>,
    /// `null` for a scratch session.
    pub configuration_id: Option<Uuid>,
    /// Which members see it.
    pub visibility: Visibility,
    pub session_type: SessionType,
    pub client_type: ClientType,
    #[schema(value_type = Option<Object>)]
    pub client_metadata: Option<serde_json::Value>,
    pub agent_config: AgentConfigView,
    pub title: Option<String>,
    pub initial_prompt: Option<String>,
    pub system_prompt: Option<String>,
    pub snapshot_id: Option<String>,
    pub status: SessionStatus,
    /// Why it was paused, stopped or failed.
    pub reason: Option<String>,
    /// Since when it runs, or ran before its pause.
    pub started_at: Option<DateTime<Utc>>,
    pub paused_at: Option<DateTime<Utc>>,
    /// When it was stopped or failed.
    pub ended_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub last_activity_at: DateTime<Utc>,
    /// Counts the boots of its sandbox.
    pub incarnation: i64,
    /// Grows with every change of the instance that owns it.
    pub owner_epoch: i64,
}

/// The agent configuration of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentConfigView {
    pub agent_type: AgentType,
    #[schema(example = "claude-opus-4.6")]
    pub model_id: String,
    /// `null` keeps the tools of the session's type.
    pub tools: Option<Vec<String>>,
}

/// A session and its connections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionDetail {
    #[serde(flatten)]
    pub session: SessionView,
    pub integration_ids: Vec<Uuid>,
    /// Connections that were requested and left out.
    pub integration_warnings: Vec<IntegrationWarning>,
    /// What the caller may do with it.
    pub rights: Vec<SessionRight>,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionSummary {
    #[serde(flatten)]
    pub session: SessionView,
    /// How many things in it wait for a user: actions of its agent to decide, and forms to fill in.
    pub needs_you: u64,
    /// What its models have cost, in millionths of a dollar.
    pub cost_micro_usd: u64,
    /// The instance that serves it; `null` if none does now.
    pub owner_instance_id: Option<Uuid>,
}

impl SessionDetail {
    pub fn new(
        mut session: Session,
        integration_ids: &[IntegrationId],
        rights: &[domain::sharing::SessionRight],
    ) -> Self {
        let warnings = std::mem::take(&mut session.integration_warnings);
        Self {
            session: session.into(),
            integration_warnings: warnings.into_iter().map(Into::into).collect(),
            integration_ids: integration_ids.iter().map(|id| id.uuid()).collect(),
            rights: rights.iter().map(|right| (*right).into()).collect(),
        }
    }
}

impl From<AgentConfig> for AgentConfigView {
    fn from(config: AgentConfig) -> Self {
        Self {
            agent_type: config.agent_type.into(),
            model_id: config.model.spec().canonical.to_owned(),
            tools: config.tools,
        }
    }
}

impl From<Session> for SessionView {
    fn from(session: Session) -> Self {
        let (started_at, paused_at) = moments(&session.state);
        Self {
            id: session.id.uuid(),
            organization_id: session.organization_id.to_string(),
            created_by: session.created_by.map(|id| id.to_string()),
            configuration_id: session.configuration_id.map(ConfigurationId::uuid),
            visibility: session.visibility.into(),
            session_type: session.session_type.into(),
            client_type: session.client_type.into(),
            client_metadata: session.client_metadata,
            agent_config: session.agent_config.into(),
            title: session.title,
            initial_prompt: session.initial_prompt,
            system_prompt: session.system_prompt,
            snapshot_id: session.snapshot_id,
            status: session.state.status().into(),
            reason: session.state.reason().map(ToOwned::to_owned),
            started_at: started_at.map(Timestamp::datetime),
            paused_at: paused_at.map(Timestamp::datetime),
            ended_at: session.state.ended_at().map(Timestamp::datetime),
            created_at: session.created_at.datetime(),
            updated_at: session.updated_at.datetime(),
            last_activity_at: session.last_activity_at.datetime(),
            incarnation: session.incarnation.0,
            owner_epoch: session.owner_epoch,
        }
    }
}

/// When it started and when it was paused, as far as its state records it.
fn moments(state: &SessionState) -> (Option<Timestamp>, Option<Timestamp>) {
    match state {
        SessionState::Running { started_at } => (Some(*started_at), None),
        SessionState::Paused {
            started_at,
            paused_at,
            ..
        } => (Some(*started_at), Some(*paused_at)),
        SessionState::Pending
        | SessionState::Starting { .. }
        | SessionState::Stopped { .. }
        | SessionState::Failed { .. } => (None, None),
    }
}
