//! Updates a connector.

use ::integrations::mcp::config::{self, Connector};
use domain::id::ConnectorId;

use super::{SavedConnector, saved};
use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
};

/// Applies `change` to what is stored now; reading and writing are one transaction. Pinned definitions stay:
/// a server at another address is held to what was seen at the old one.
pub async fn update(
    app: &App,
    admin: &Admin,
    id: ConnectorId,
    change: impl FnOnce(Connector) -> Connector + Send,
) -> Result<SavedConnector> {
    let organization_id = admin.organization_id();
    let mut tx = app.db.write().await?;
    let found = store::connector_fetch(&mut tx, organization_id, id).await?;
    let found = saved(found.ok_or(Error::NotFound("connector"))?)?;
    let connector = Connector {
        id,
        ..change(found.connector)
    };
    connector.check(&app.guard)?;
    let now = app.now();
    let config = config::write(&connector);
    if !store::connector_update(&mut tx, organization_id, id, &config, now).await? {
        return Err(Error::NotFound("connector"));
    }
    audit::record_operation(&mut tx, app, admin, "connector_update", Some(id.uuid())).await?;
    tx.commit().await?;
    app.connectors().forget(organization_id, id);
    Ok(SavedConnector {
        connector,
        updated_at: now,
        ..found
    })
}
