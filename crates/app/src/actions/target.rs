//! Resolves the names of an integration and an action to the code that executes it.

use std::sync::Arc;

use ::integrations::{
    BuiltInSource,
    mcp::{catalog::Tool, config::Connector},
    schema::Schema,
};
use domain::{
    Invalid,
    action::{ActionName, IntegrationName, Risk, ToolDefinition},
    audit::Sha256Hex,
    id::{ConnectorId, IntegrationId, OrganizationId, SessionId},
};
use serde_json::{Map, Value};

use crate::{
    connectors,
    context::App,
    error::{Error, Result},
    grants, integrations,
};

/// What executes an action.
#[derive(Debug, Clone)]
pub(crate) enum ActionTarget {
    Source {
        source: Arc<dyn BuiltInSource>,
        /// The connection whose credentials are used.
        integration_id: IntegrationId,
    },
    Connector {
        connector: Box<Connector>,
        /// As it was defined when the call was resolved.
        tool: Arc<Tool>,
    },
}

/// An action that was found, with parameters that it takes.
#[derive(Debug)]
pub(super) struct ResolvedAction {
    pub(super) target: ActionTarget,
    pub(super) risk: Risk,
    /// The digest of its definition.
    pub(super) tool: Sha256Hex,
    /// The digest that grants are bound to; `None` for a connector's tool, where it is the definition's.
    pub(super) built_in: Option<Sha256Hex>,
}

impl ActionTarget {
    pub(crate) const fn integration_id(&self) -> Option<IntegrationId> {
        match self {
            Self::Source { integration_id, .. } => Some(*integration_id),
            Self::Connector { .. } => None,
        }
    }
}

/// Finds the action and checks the parameters by its whole schema, before the call is mediated.
pub(super) async fn find(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
    (integration, action): (&IntegrationName, &ActionName),
    params: &Map<String, Value>,
) -> Result<ResolvedAction> {
    let session = (organization_id, session_id);
    match integration.connector_id() {
        Some(id) => of_connector(app, session, id, action, params).await,
        None => of_source(app, session, integration, action, params).await,
    }
}

async fn of_source(
    app: &App,
    (organization_id, session_id): (&OrganizationId, SessionId),
    integration: &IntegrationName,
    action: &ActionName,
    params: &Map<String, Value>,
) -> Result<ResolvedAction> {
    let source = app.sources.get(integration.as_str());
    let source = source.ok_or_else(not_connected)?;
    let name = source.name();
    let connection = integrations::for_source(app, organization_id, session_id, name).await?;
    let connection = connection.ok_or_else(not_connected)?;
    let found = source.action(action.as_str()).ok_or_else(unknown)?;
    check(&found.schema, params)?;
    let definition = ToolDefinition {
        name: found.name,
        description: Some(found.description),
        input_schema: found.schema.document(),
        output_schema: None,
        annotations: None,
    };
    Ok(ResolvedAction {
        risk: found.risk,
        tool: definition.sha256().map_err(|_| unreadable())?,
        built_in: grants::digest_of(found),
        target: ActionTarget::Source {
            source: Arc::clone(source),
            integration_id: connection.id,
        },
    })
}

async fn of_connector(
    app: &App,
    (organization_id, session_id): (&OrganizationId, SessionId),
    id: ConnectorId,
    action: &ActionName,
    params: &Map<String, Value>,
) -> Result<ResolvedAction> {
    let in_use = connectors::fetch_for_session(app, organization_id, session_id, id).await?;
    let in_use = in_use.ok_or_else(not_connected)?;
    let offer = connectors::offer_tools(app, organization_id, &in_use).await?;
    let offer = offer.map_err(|failure| unreachable_error(&failure))?;
    let found = offer.find(action.as_str()).ok_or_else(unknown)?;
    let tool = found.tool;
    let schema = app.schemas().read(&tool.digest, &tool.input_schema);
    let schema = schema.map_err(|error| {
        let message = format!("cannot be called: {error}");
        Error::from(Invalid::new("action", message))
    })?;
    check(&schema, params)?;
    Ok(ResolvedAction {
        risk: found.risk,
        tool: Sha256Hex::new("tool", tool.digest.as_str()).map_err(|_| unreadable())?,
        built_in: None,
        target: ActionTarget::Connector {
            connector: Box::new(in_use.connector.clone()),
            tool: Arc::clone(tool),
        },
    })
}

fn check(schema: &Schema, params: &Map<String, Value>) -> Result<()> {
    let wrong =
        |mismatch: ::integrations::schema::Mismatch| Invalid::new("params", mismatch.to_string());
    Ok(schema.check(params).map_err(wrong)?)
}

fn not_connected() -> Error {
    let message = "is not connected; the list of available actions has those that are";
    Invalid::new("integration", message).into()
}

fn unknown() -> Error {
    let message = "is not one of this integration; its guide has them all";
    Invalid::new("action", message).into()
}

/// The error for an integration that the session may use and that cannot be reached now.
pub(super) fn unreachable_error(failure: &impl std::fmt::Display) -> Error {
    Error::Outside(format!("the integration does not answer: {failure}"))
}

const fn unreadable() -> Error {
    Error::Internal("the definition of an action has no digest")
}
