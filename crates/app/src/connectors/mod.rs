//! The connectors of an organization: saved for all of it or for one of its configurations, validated, and their tools
//! judged. What a connector is and how requests are sent to its MCP server is in `integrations::mcp`.
//!
//! INVARIANT: only an admin decides where a secret of the organization is sent, and how far an MCP server is trusted.
//! Members read.

mod create;
mod delete;
mod offer;
mod read;
mod replace;
mod review;
mod session;
mod tools;
mod update;
mod validate;

use ::integrations::mcp::config;
use domain::{
    clock::Timestamp,
    id::{ConfigurationId, UserId},
};
use store::StoredConnector;

pub use ::integrations::{
    Failure, FailureKind, Param, ParamType,
    mcp::{
        Diagnostic,
        catalog::{DefinitionStatus, Tool, params},
        config::{Auth, Connector, Preset, RiskPolicy, Transport},
    },
};
pub use create::{ConnectorCreated, NewConnector, create};
pub use delete::delete;
pub use offer::{OfferedTool, ToolOffer, offer_tools};
pub use read::{fetch, list, list_of_configuration};
pub use replace::replace;
pub(crate) use replace::replace_within;
pub use review::{AcceptedDefinition, review};
pub(crate) use session::stored_fingerprints;
pub use session::{SessionConnector, fetch_for_session, list_for_session};
pub(crate) use tools::pin_unseen_tools;
pub use tools::{ListedTool, ToolListing, tools};
pub use update::update;
pub use validate::{validate, validate_for_configuration};

use crate::error::Result;

/// A connector that was saved.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedConnector {
    pub connector: Connector,
    /// `None` for the whole organization.
    pub configuration_id: Option<ConfigurationId>,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What is stored was checked when it was saved; anything else is a defect, or an operator changed the database by hand.
fn saved(stored: StoredConnector) -> Result<SavedConnector> {
    let connector = config::read(&stored.config).map_err(|wrong| store::Error::Inconsistent {
        table: "connectors",
        column: "config",
        id: stored.id.to_string(),
        reason: wrong.to_string(),
    })?;
    Ok(SavedConnector {
        connector,
        configuration_id: stored.configuration_id,
        created_by: stored.created_by,
        created_at: stored.created_at,
        updated_at: stored.updated_at,
    })
}
