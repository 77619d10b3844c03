//! The tools that a connector offers to a session, as they are now, judged by their pinned definitions.
//!
//! INVARIANT: a tool is pinned before it is offered. The first definition that is seen is trusted; another one
//! is held at a write at least until an admin has accepted it.

use std::{borrow::Cow, collections::HashMap, result, sync::Arc};

use ::integrations::{
    Failure,
    mcp::{
        catalog::{self, DefinitionStatus, Tool, ToolList, review, tool_risk},
        config::Connector,
    },
};
use domain::{
    action::{Risk, RiskSource},
    audit::{ActionType, Actor, Event, Outcome, SafeText},
    id::{ConnectorId, OrganizationId},
    policy::RoleClass,
};
use store::ToolPin;

use super::SessionConnector;
use crate::{audit, context::App, error::Result};

/// The tools of one connector, and what they are judged by.
#[derive(Debug, Clone)]
pub struct ToolOffer<'a> {
    connector: &'a Connector,
    list: Arc<ToolList>,
    pins: Cow<'a, HashMap<String, String>>,
}

/// One tool of an offer.
#[derive(Debug, Clone, Copy)]
pub struct OfferedTool<'a> {
    /// With its schema, and the digest of what it is now.
    pub tool: &'a Arc<Tool>,
    pub risk: Risk,
    pub source: RiskSource,
    pub definition: DefinitionStatus,
    /// The digest of what it was when it was first seen or last accepted.
    pub pinned: Option<&'a str>,
}

/// Returns what the connector offers now, or why it offers nothing. Pins tools that were never seen.
pub async fn offer_tools<'a>(
    app: &App,
    organization_id: &OrganizationId,
    in_use: &'a SessionConnector,
) -> Result<result::Result<ToolOffer<'a>, Failure>> {
    let connector = &in_use.connector;
    let listed = app
        .connectors()
        .list_tools(organization_id, connector)
        .await;
    let list = match listed {
        Ok(list) => list,
        Err(failure) => return Ok(Err(failure)),
    };
    let unseen = |tool: &&Arc<Tool>| !in_use.pins.contains_key(&tool.action);
    let unseen: Vec<_> = list.tools.iter().filter(unseen).collect();
    let pins = if unseen.is_empty() {
        Cow::Borrowed(&in_use.pins)
    } else {
        Cow::Owned(pin(app, organization_id, connector.id, &unseen).await?)
    };
    let moved: Vec<_> = { list.tools.iter() }
        .filter_map(|tool| moved(in_use, tool))
        .collect();
    if !moved.is_empty() {
        note(app, organization_id, connector.id, &moved).await?;
    }
    drop(moved);
    Ok(Ok(ToolOffer {
        connector,
        list,
        pins,
    }))
}

impl<'a> ToolOffer<'a> {
    /// A list judged without a request to the MCP server and without pinning anything.
    pub(super) fn of(
        connector: &'a Connector,
        list: Arc<ToolList>,
        pins: HashMap<String, String>,
    ) -> Self {
        let pins = Cow::Owned(pins);
        Self {
            connector,
            list,
            pins,
        }
    }

    pub fn connector(&self) -> &'a Connector {
        self.connector
    }

    /// With the remarks about what was left out.
    pub fn list(&self) -> &Arc<ToolList> {
        &self.list
    }

    pub fn tools(&self) -> impl Iterator<Item = OfferedTool<'_>> {
        self.list.tools.iter().map(|tool| self.judged(tool))
    }

    /// The tool that an action is.
    pub fn find(&self, action: &str) -> Option<OfferedTool<'_>> {
        self.list.by_action(action).map(|tool| self.judged(tool))
    }

    /// The guide to its actions, with the risk each has.
    pub fn guide(&self) -> String {
        catalog::guide(self.connector, &self.list, |tool| self.judged(tool).risk)
    }

    fn judged<'b>(&'b self, tool: &'b Arc<Tool>) -> OfferedTool<'b> {
        let pinned = self.pins.get(&tool.action).map(String::as_str);
        let definition = review(pinned, &tool.digest);
        let (risk, source) = tool_risk(self.connector, &tool.name, &tool.annotations, definition);
        OfferedTool {
            tool,
            risk,
            source,
            definition,
            pinned,
        }
    }
}

/// Pins tools and returns all pins of the connector: another request may have seen another definition first.
async fn pin(
    app: &App,
    organization_id: &OrganizationId,
    id: ConnectorId,
    unseen: &[&Arc<Tool>],
) -> Result<HashMap<String, String>> {
    let tools: Vec<ToolPin> = unseen.iter().map(|tool| pin_of(tool)).collect();
    let mut tx = app.db.write().await?;
    let pinned =
        store::connector_tool_pin_all(&mut tx, organization_id, id, &tools, app.now()).await;
    match pinned {
        // Removed while its server was asked: a later call of it fails.
        Err(store::Error::MissingReference) => return Ok(HashMap::new()),
        Ok(0) => {}
        Ok(_) => {
            let event = seen(app, id, "connector_pin")?;
            audit::record(&mut tx, event, organization_id, None).await?;
        }
        Err(error) => return Err(error.into()),
    }
    let all = store::connector_tool_list(&mut tx, organization_id, id).await?;
    tx.commit().await?;
    let pin = |tool: store::PinnedTool| (tool.action, tool.sha256.as_str().to_owned());
    Ok(all.into_iter().map(pin).collect())
}

/// A tool that stands otherwise to its pinned definition than when it was seen last: it reads differently, or as it is
/// pinned again.
fn moved<'a>(in_use: &SessionConnector, tool: &'a Tool) -> Option<(&'a str, Option<&'a str>)> {
    let pinned = in_use.pins.get(&tool.action)?;
    let now = (*pinned != tool.digest).then_some(tool.digest.as_str());
    let before = in_use.changed.get(&tool.action).map(String::as_str);
    (now != before).then_some((tool.action.as_str(), now))
}

/// Writes down how tools read now, so that readers of the ledger see what a grant does not cover.
async fn note(
    app: &App,
    organization_id: &OrganizationId,
    id: ConnectorId,
    moved: &[(&str, Option<&str>)],
) -> Result<()> {
    let mut tx = app.db.write().await?;
    let noted = store::connector_tool_changed_all(&mut tx, organization_id, id, moved);
    if noted.await? > 0 {
        let event = seen(app, id, "connector_tool_change")?;
        audit::record(&mut tx, event, organization_id, None).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// A tool as it is pinned.
pub(super) fn pin_of(tool: &Tool) -> ToolPin {
    ToolPin {
        action: tool.action.clone(),
        sha256: tool.digest.clone(),
        definition: tool.definition(),
    }
}

/// The event of a definition that was pinned when it was first seen. Its actor is the system: no caller decided it.
fn seen(app: &App, id: ConnectorId, operation: &str) -> Result<Event> {
    let actor = Actor {
        class: RoleClass::System,
        id: SafeText::new("actor_id", "connectors")?,
    };
    Ok(Event {
        target: Some((
            SafeText::new("target.name", format!("connector/{id}"))?,
            SafeText::new("target.operation", operation)?,
        )),
        ..Event::new(
            app.event_id(),
            app.now(),
            ActionType::System,
            Outcome::Success,
            actor,
            app.policy_versions(),
        )
    })
}
