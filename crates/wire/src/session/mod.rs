//! Sessions: creating, reading, listing and renaming them.

mod configuration_choice;
mod create;
mod env;
mod status;
#[cfg(test)]
mod tests;
mod view;

use domain::{
    Invalid,
    id::{ConfigurationId, SessionId, UserId},
    invalid::bounded_text,
    limits::SEARCH_LENGTH_MAX,
    page::PageRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{ids::parse_optional, page::page_request, patch::Patch};

pub use configuration_choice::{CliConfiguration, ManagedConfiguration};
pub use create::{
    AgentConfigRequest, CreateSessionRequest, CreateSessionResponse, IntegrationWarning,
    ProvisioningError, SshOptions,
};
pub use env::{SubmitEnvRequest, SubmitEnvResponse, SubmittedKey, SubmittedSecret};
pub use status::{SessionLiveness, SessionStatusResponse};
pub use view::{AgentConfigView, SessionDetail, SessionSummary, SessionView};

wire_enum! {
    /// The status of a session.
    SessionStatus = domain::session::SessionStatus {
        Pending = "pending",
        Starting = "starting",
        Running = "running",
        Paused = "paused",
        Stopped = "stopped",
        Failed = "failed",
    }
}

wire_enum! {
    /// What a session is for; its tools and instructions follow from it.
    SessionType = domain::session::SessionType {
        Setup = "setup",
        Coding = "coding",
        Automation = "automation",
        Cli = "cli",
    }
}

wire_enum! {
    /// Which kind of client asked for the session. `browser` is understood as `web`.
    ClientType = domain::session::ClientType {
        Web = "web" or "browser",
        Slack = "slack",
        Cli = "cli",
        Automation = "automation",
    }
}

wire_enum! {
    /// Whether the sandbox is created at once or on first use.
    Provisioning = domain::session::Provisioning {
        Deferred = "deferred",
        Immediate = "immediate",
    }
}

/// Changes a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateSessionRequest {
    /// `null` removes it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schema(value_type = Option<String>, max_length = 200, example = "Fix the login page")]
    pub title: Patch<String>,
}

/// Which sessions to list. Filters narrow the list together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListSessionsQuery {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<SessionStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_type: Option<SessionType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_type: Option<ClientType>,
    /// Only sessions of this configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration_id: Option<String>,
    /// Only sessions of this user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    /// Only sessions whose title contains this text, ignoring case.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(min_length = 1, max_length = 200)]
    pub search: Option<String>,
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many entries at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub limit: Option<u32>,
}

impl ListSessionsQuery {
    pub fn configuration_id(&self) -> Result<Option<ConfigurationId>, Invalid> {
        parse_optional("configurationId", self.configuration_id.as_deref())
    }

    pub fn created_by(&self) -> Result<Option<UserId>, Invalid> {
        parse_optional("createdBy", self.created_by.as_deref())
    }

    pub fn search(&self) -> Result<Option<String>, Invalid> {
        if let Some(search) = &self.search {
            bounded_text("search", search, 1, SEARCH_LENGTH_MAX)?;
        }
        Ok(self.search.clone())
    }

    pub fn page_request(&self) -> Result<PageRequest<SessionId>, Invalid> {
        page_request(self.cursor.as_deref(), self.limit)
    }
}
