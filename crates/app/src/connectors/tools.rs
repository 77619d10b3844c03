//! Lists the tools of a connector for members.

use std::{collections::HashMap, sync::Arc};

use ::integrations::{
    Failure,
    mcp::{
        catalog::{DefinitionStatus, Tool},
        config::Connector,
    },
};
use domain::{
    action::{Risk, RiskSource},
    id::{ConnectorId, OrganizationId},
};
use store::PinnedTool;

use super::{SessionConnector, ToolOffer, fetch, offer_tools, saved};
use crate::{access::Insider, context::App, error::Result};

/// What a server offers, or why it offers nothing.
#[derive(Debug, Clone)]
pub struct ToolListing {
    pub tools: Vec<ListedTool>,
    /// What is left out, and why.
    pub notes: Vec<String>,
    pub failure: Option<Failure>,
}

/// A tool, its risk, and what is known of its definition.
#[derive(Debug, Clone)]
pub struct ListedTool {
    pub tool: Arc<Tool>,
    pub risk: Risk,
    pub source: RiskSource,
    pub definition: DefinitionStatus,
    pub pinned: Option<PinnedTool>,
}

/// The tools of a connector that is saved: at most five minutes old, or asked for now. Those never seen before are pinned.
pub async fn tools(
    app: &App,
    insider: &Insider,
    id: ConnectorId,
    fresh: bool,
) -> Result<ToolListing> {
    let organization_id = insider.organization_id();
    let connector = fetch(app, insider, id).await?.connector;
    if fresh {
        app.connectors().forget_tools(organization_id, id);
    }
    let in_use = in_use(app, organization_id, connector).await?;
    match offer_tools(app, organization_id, &in_use).await? {
        Ok(offer) => Ok(listing(&offer, pinned(app, organization_id, id).await?)),
        Err(failure) => Ok(ToolListing::failed(failure)),
    }
}

/// Pins the tools of a connector that were never seen, if the connector exists and its server answers.
pub(crate) async fn pin_unseen_tools(
    app: &App,
    organization_id: &OrganizationId,
    id: ConnectorId,
) -> Result<()> {
    let found = {
        let mut conn = app.db.read().await?;
        store::connector_fetch(&mut conn, organization_id, id).await?
    };
    let Some(found) = found else {
        return Ok(());
    };
    let in_use = in_use(app, organization_id, saved(found)?.connector).await?;
    if let Err(failure) = offer_tools(app, organization_id, &in_use).await? {
        tracing::info!(connector_id = %id, %failure, "tools that are granted cannot be listed");
    }
    Ok(())
}

async fn in_use(
    app: &App,
    organization_id: &OrganizationId,
    connector: Connector,
) -> Result<SessionConnector> {
    let pinned = pinned(app, organization_id, connector.id).await?;
    let changed = pinned.iter().filter_map(|tool| {
        let now = tool.changed.as_ref()?;
        Some((tool.action.clone(), now.as_str().to_owned()))
    });
    Ok(SessionConnector {
        pins: digests(&pinned),
        changed: changed.collect(),
        connector,
    })
}

pub(super) async fn pinned(
    app: &App,
    organization_id: &OrganizationId,
    id: ConnectorId,
) -> Result<Vec<PinnedTool>> {
    let mut conn = app.db.read().await?;
    Ok(store::connector_tool_list(&mut conn, organization_id, id).await?)
}

pub(super) fn digests(pinned: &[PinnedTool]) -> HashMap<String, String> {
    let digest = |tool: &PinnedTool| (tool.action.clone(), tool.sha256.as_str().to_owned());
    pinned.iter().map(digest).collect()
}

pub(super) fn listing(offer: &ToolOffer<'_>, pinned: Vec<PinnedTool>) -> ToolListing {
    let mut pinned: HashMap<String, PinnedTool> = pinned
        .into_iter()
        .map(|tool| (tool.action.clone(), tool))
        .collect();
    let tools = offer.tools().map(|offered| ListedTool {
        tool: Arc::clone(offered.tool),
        risk: offered.risk,
        source: offered.source,
        definition: offered.definition,
        pinned: pinned.remove(&offered.tool.action),
    });
    ToolListing {
        tools: tools.collect(),
        notes: offer.list().notes.clone(),
        failure: None,
    }
}

impl ToolListing {
    pub(super) fn failed(failure: Failure) -> Self {
        Self {
            tools: Vec::new(),
            notes: Vec::new(),
            failure: Some(failure),
        }
    }
}
