//! Validates a connector, saved or not, with requests to its MCP server. For admins: the requests hold a secret of the
//! organization.

use std::sync::Arc;

use ::integrations::mcp::config::Connector;
use domain::id::ConfigurationId;

use super::{
    ToolListing, ToolOffer,
    tools::{digests, listing, pinned},
};
use crate::{
    access::Admin,
    context::App,
    error::{Error, Result},
};

/// What the server offers now. Nothing that is kept is used and nothing is kept; under the id of a connector
/// that is saved, tools are compared with what is pinned.
pub async fn validate(app: &App, admin: &Admin, connector: &Connector) -> Result<ToolListing> {
    let organization_id = admin.organization_id();
    let tried = app
        .connectors()
        .validate(organization_id, connector)
        .await
        .map_err(|wrong| wrong.within("connector"))?;
    let list = match tried {
        Ok(list) => list,
        Err(failure) => return Ok(ToolListing::failed(failure)),
    };
    let pinned = pinned(app, organization_id, connector.id).await?;
    let offer = ToolOffer::of(connector, Arc::new(list), digests(&pinned));
    Ok(listing(&offer, pinned))
}

/// The same for a configuration, which must be there.
pub async fn validate_for_configuration(
    app: &App,
    admin: &Admin,
    configuration_id: ConfigurationId,
    connector: &Connector,
) -> Result<ToolListing> {
    let found = {
        let mut conn = app.db.read().await?;
        store::configuration_fetch(&mut conn, admin.organization_id(), configuration_id).await?
    };
    found.ok_or(Error::NotFound("configuration"))?;
    validate(app, admin, connector).await
}
