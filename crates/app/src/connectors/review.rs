//! Accepts definitions of tools.
//!
//! INVARIANT: what is accepted is what was looked at: a digest is given, and must be that of the definition
//! that the server gives now.

use std::{collections::BTreeSet, sync::Arc};

use ::integrations::mcp::catalog::ToolList;
use domain::{
    id::ConnectorId,
    invalid::{Invalid, bounded_count},
    limits::CONNECTOR_TOOLS_MAX,
};
use store::ToolPin;

use super::{
    ToolListing, ToolOffer,
    offer::pin_of,
    saved,
    tools::{digests, listing, pinned},
};
use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
};

/// A definition that an admin accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedDefinition {
    pub action: String,
    pub sha256: String,
}

/// Pins the definitions, all or none, and gives what the connector's tools are now.
pub async fn review(
    app: &App,
    admin: &Admin,
    id: ConnectorId,
    accepted: Vec<AcceptedDefinition>,
) -> Result<ToolListing> {
    check(&accepted)?;
    let organization_id = admin.organization_id();
    let found = {
        let mut conn = app.db.read().await?;
        store::connector_fetch(&mut conn, organization_id, id).await?
    };
    let connector = saved(found.ok_or(Error::NotFound("connector"))?)?.connector;
    // Asked anew: a list that is kept may be from before the change.
    let list = match app
        .connectors()
        .validate(organization_id, &connector)
        .await?
    {
        Ok(list) => list,
        Err(failure) => return Ok(ToolListing::failed(failure)),
    };
    let pins = current(&list, &accepted)?;
    let mut tx = app.db.write().await?;
    for pin in &pins {
        store::connector_tool_accept(
            &mut tx,
            organization_id,
            id,
            pin,
            admin.user_id(),
            app.now(),
        )
        .await?;
    }
    audit::record_operation(&mut tx, app, admin, "connector_review", Some(id.uuid())).await?;
    tx.commit().await?;
    app.connectors().forget(organization_id, id);
    let pinned = pinned(app, organization_id, id).await?;
    let offer = ToolOffer::of(&connector, Arc::new(list), digests(&pinned));
    Ok(listing(&offer, pinned))
}

fn check(accepted: &[AcceptedDefinition]) -> Result<()> {
    bounded_count("tools", accepted.len(), CONNECTOR_TOOLS_MAX)?;
    if accepted.is_empty() {
        return Err(Invalid::new("tools", "must not be empty").into());
    }
    let mut actions = BTreeSet::new();
    for (at, tool) in accepted.iter().enumerate() {
        if !actions.insert(&tool.action) {
            let field = format!("tools[{at}].name");
            return Err(Invalid::new(field, "is in the list twice").into());
        }
    }
    Ok(())
}

/// What is accepted, if it is still what the server says.
fn current(list: &ToolList, accepted: &[AcceptedDefinition]) -> Result<Vec<ToolPin>> {
    let mut pins = Vec::with_capacity(accepted.len());
    for (at, wanted) in accepted.iter().enumerate() {
        let Some(tool) = list.by_action(&wanted.action) else {
            let message = "the connector has no such tool";
            return Err(Invalid::new(format!("tools[{at}].name"), message).into());
        };
        if tool.digest != wanted.sha256 {
            let message = format!(
                "`{}` does not read as it did when you looked; look again",
                tool.action
            );
            return Err(Error::Conflict(message));
        }
        pins.push(pin_of(tool));
    }
    Ok(pins)
}
