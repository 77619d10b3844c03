//! Deletes a connector.

use domain::id::ConnectorId;

use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
};

/// Removes it with what is known of its tools, and closes the connections of this process to it.
pub async fn delete(app: &App, admin: &Admin, id: ConnectorId) -> Result<()> {
    let organization_id = admin.organization_id();
    let mut tx = app.db.write().await?;
    if !store::connector_delete(&mut tx, organization_id, id).await? {
        return Err(Error::NotFound("connector"));
    }
    audit::record_operation(&mut tx, app, admin, "connector_delete", Some(id.uuid())).await?;
    tx.commit().await?;
    app.connectors().forget(organization_id, id);
    Ok(())
}
