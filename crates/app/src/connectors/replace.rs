//! Replacing all connectors of a configuration. One that stays keeps its pinned definitions.

use std::collections::BTreeMap;

use ::integrations::mcp::config::{self, Connector};
use domain::{
    id::{ConfigurationId, ConnectorId},
    invalid::Invalid,
};
use store::{StoredConnector, Tx};

use super::{SavedConnector, saved};
use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
};

/// Replaces the connectors of the configuration by this list.
pub async fn replace(
    app: &App,
    admin: &Admin,
    configuration_id: ConfigurationId,
    connectors: Vec<Connector>,
) -> Result<Vec<SavedConnector>> {
    let mut tx = app.db.write().await?;
    let found =
        store::configuration_fetch(&mut tx, admin.organization_id(), configuration_id).await?;
    found.ok_or(Error::NotFound("configuration"))?;
    let changed = replace_within(&mut tx, app, admin, configuration_id, &connectors).await?;
    let now =
        store::connector_list_of_configuration(&mut tx, admin.organization_id(), configuration_id)
            .await?;
    tx.commit().await?;
    for id in changed {
        app.connectors().forget(admin.organization_id(), id);
    }
    now.into_iter().map(saved).collect()
}

/// The same within a transaction; gives the ids of those that are other than they were, to be forgotten once
/// it has ended.
pub(crate) async fn replace_within(
    tx: &mut Tx,
    app: &App,
    admin: &Admin,
    configuration_id: ConfigurationId,
    connectors: &[Connector],
) -> Result<Vec<ConnectorId>> {
    config::check_all(connectors, &app.guard)?;
    let organization_id = admin.organization_id();
    // Locks the list: no other request adds one meanwhile.
    store::connector_count_for_update(tx, organization_id, Some(configuration_id)).await?;
    let before =
        store::connector_list_of_configuration(tx, organization_id, configuration_id).await?;
    let mut before: BTreeMap<ConnectorId, StoredConnector> = before
        .into_iter()
        .map(|stored| (stored.id, stored))
        .collect();
    let mut changed = Vec::new();
    for (at, connector) in connectors.iter().enumerate() {
        let written = config::write(connector);
        match before.remove(&connector.id) {
            Some(stored) if stored.config == written => {}
            Some(_) => {
                store::connector_update(tx, organization_id, connector.id, &written, app.now())
                    .await?;
                changed.push(connector.id);
            }
            None => {
                check_id_is_free(tx, admin, at, connector.id).await?;
                let stored = StoredConnector {
                    id: connector.id,
                    organization_id: organization_id.clone(),
                    configuration_id: Some(configuration_id),
                    config: written,
                    created_by: Some(admin.user_id().clone()),
                    created_at: app.now(),
                    updated_at: app.now(),
                };
                store::connector_insert(tx, &stored).await?;
            }
        }
    }
    for id in before.into_keys() {
        store::connector_delete(tx, organization_id, id).await?;
        changed.push(id);
    }
    let operation = "configuration_connectors_replace";
    audit::record_operation(tx, app, admin, operation, Some(configuration_id.uuid())).await?;
    Ok(changed)
}

/// An id is one connector in an organization: grants and approvals name it and nothing else.
async fn check_id_is_free(tx: &mut Tx, admin: &Admin, at: usize, id: ConnectorId) -> Result<()> {
    let found = store::connector_fetch(tx, admin.organization_id(), id).await?;
    if found.is_some() {
        let message = "is the id of a connector elsewhere in the organization";
        return Err(Invalid::new(format!("connectors[{at}].id"), message).into());
    }
    Ok(())
}
