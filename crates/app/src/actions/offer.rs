//! What a session can do outside its sandbox, and the guides to it.

use ::integrations::{
    BuiltInSource, Param,
    mcp::{catalog::params, config::Connector},
};
use domain::{
    action::{IntegrationName, Risk},
    caller::Caller,
    id::{IntegrationId, SessionId},
    integration::Integration,
};
use futures::future::join_all;
use serde_json::Value;

use super::check_session_access;
use crate::{
    connectors,
    context::App,
    error::{Error, Result},
    integrations,
};

/// A connected service and its actions.
#[derive(Debug, Clone)]
pub struct IntegrationOffer {
    /// The connection; `None` for a connector.
    pub integration_id: Option<IntegrationId>,
    pub integration: IntegrationName,
    pub display_name: String,
    pub actions: Vec<OfferedAction>,
}

/// An action, as it is listed.
#[derive(Debug, Clone)]
pub struct OfferedAction {
    pub name: String,
    pub description: String,
    pub risk: Risk,
    pub params: Vec<Param>,
    /// Whole, as it checks the parameters.
    pub schema: Value,
}

/// An integration that does not answer.
#[derive(Debug, Clone)]
pub struct UnreachableIntegration {
    pub integration: IntegrationName,
    pub display_name: String,
    pub reason: String,
}

/// All integrations that a session may use.
#[derive(Debug, Clone, Default)]
pub struct SessionActions {
    pub offers: Vec<IntegrationOffer>,
    pub unreachable: Vec<UnreachableIntegration>,
}

/// Lists what the session may request. An integration that does not answer is named with the reason and does not affect
/// the others.
pub async fn available(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
) -> Result<SessionActions> {
    check_session_access(app, caller, session_id).await?;
    let organization_id = caller.organization_id();
    let connections = integrations::list_for_session(app, organization_id, session_id).await?;
    let offers = app.sources.iter().filter_map(|source| {
        let of_source = |one: &&Integration| one.service == source.name();
        offer(&**source, connections.iter().find(of_source)?)
    });
    let mut available = SessionActions {
        offers: offers.collect(),
        unreachable: Vec::new(),
    };
    // All at once: a server that does not answer does not delay the others.
    let in_use = connectors::list_for_session(app, organization_id, session_id).await?;
    let asked = in_use
        .iter()
        .map(|one| connectors::offer_tools(app, organization_id, one));
    for (in_use, offered) in in_use.iter().zip(join_all(asked).await) {
        let connector = &in_use.connector;
        match offered? {
            Ok(offered) => available.offers.push(of_connector(connector, &offered)),
            Err(failure) => available.unreachable.push(UnreachableIntegration {
                integration: IntegrationName::of_connector(connector.id),
                display_name: connector.name.clone(),
                reason: failure.to_string(),
            }),
        }
    }
    Ok(available)
}

/// The guide to an integration, for an agent to read.
pub async fn guide(
    app: &App,
    caller: &Caller,
    session_id: SessionId,
    integration: &IntegrationName,
) -> Result<String> {
    check_session_access(app, caller, session_id).await?;
    let unknown = || Error::NotFound("integration");
    let Some(id) = integration.connector_id() else {
        let source = app.sources.get(integration.as_str());
        return Ok(source.ok_or_else(unknown)?.guide().to_owned());
    };
    let organization_id = caller.organization_id();
    let in_use = connectors::fetch_for_session(app, organization_id, session_id, id).await?;
    let in_use = in_use.ok_or_else(unknown)?;
    match connectors::offer_tools(app, organization_id, &in_use).await? {
        Ok(offer) => Ok(offer.guide()),
        Err(failure) => Err(super::target::unreachable_error(&failure)),
    }
}

fn of_connector(connector: &Connector, offer: &connectors::ToolOffer<'_>) -> IntegrationOffer {
    let action = |offered: connectors::OfferedTool<'_>| OfferedAction {
        name: offered.tool.action.clone(),
        description: offered.tool.description.clone().unwrap_or_default(),
        risk: offered.risk,
        params: params(&offered.tool.input_schema),
        schema: Value::Object(offered.tool.input_schema.clone()),
    };
    IntegrationOffer {
        integration_id: None,
        integration: IntegrationName::of_connector(connector.id),
        display_name: connector.name.clone(),
        actions: offer.tools().map(action).collect(),
    }
}

fn offer(source: &dyn BuiltInSource, connection: &Integration) -> Option<IntegrationOffer> {
    let action = |action: &::integrations::Action| OfferedAction {
        name: action.name.to_owned(),
        description: action.description.to_owned(),
        risk: action.risk,
        params: action.params.clone(),
        schema: action.schema.document().clone(),
    };
    Some(IntegrationOffer {
        integration_id: Some(connection.id),
        integration: source.name().parse().ok()?,
        display_name: source.display_name().to_owned(),
        actions: source.actions().iter().map(action).collect(),
    })
}
