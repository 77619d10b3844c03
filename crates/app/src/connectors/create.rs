//! Creates a connector.

use ::integrations::mcp::config::{self, Connector};
use domain::{
    id::{ConfigurationId, ConnectorId},
    limits::CONNECTORS_MAX,
};
use store::StoredConnector;

use super::{SavedConnector, saved};
use crate::{
    access::Admin,
    audit,
    context::App,
    error::{Error, Result},
};

/// A connector to create.
#[derive(Debug, Clone)]
pub struct NewConnector {
    /// The id that the connector gets; generated if absent.
    pub id: Option<ConnectorId>,
    /// `None` for the whole organization.
    pub configuration_id: Option<ConfigurationId>,
    pub connector: Connector,
}

/// The connector of a request to create one.
#[derive(Debug, Clone)]
pub struct ConnectorCreated {
    pub saved: SavedConnector,
    /// The very same connector was added before under this id.
    pub already_existed: bool,
}

/// Adds a connector. Sends nothing to its MCP server: a server that is down can be set up.
pub async fn create(app: &App, admin: &Admin, new: NewConnector) -> Result<ConnectorCreated> {
    let now = app.now();
    let id = new
        .id
        .unwrap_or_else(|| ConnectorId::generate(now, &*app.entropy));
    let connector = Connector {
        id,
        ..new.connector
    };
    connector.check(&app.guard)?;
    let stored = StoredConnector {
        id,
        organization_id: admin.organization_id().clone(),
        configuration_id: new.configuration_id,
        config: config::write(&connector),
        created_by: Some(admin.user_id().clone()),
        created_at: now,
        updated_at: now,
    };
    let mut tx = app.db.write().await?;
    if let Some(configuration_id) = stored.configuration_id {
        let found =
            store::configuration_fetch(&mut tx, admin.organization_id(), configuration_id).await?;
        found.ok_or(Error::NotFound("configuration"))?;
    }
    let held = store::connector_count_for_update(
        &mut tx,
        admin.organization_id(),
        stored.configuration_id,
    )
    .await?;
    if let Some(found) = store::connector_fetch(&mut tx, admin.organization_id(), id).await? {
        return existing(&stored, found);
    }
    if usize::try_from(held).unwrap_or(usize::MAX) >= CONNECTORS_MAX {
        return Err(full(stored.configuration_id));
    }
    store::connector_insert(&mut tx, &stored).await?;
    audit::record_operation(&mut tx, app, admin, "connector_create", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(ConnectorCreated {
        saved: saved(stored)?,
        already_existed: false,
    })
}

fn full(configuration_id: Option<ConfigurationId>) -> Error {
    let whose = match configuration_id {
        None => "an organization",
        Some(_) => "a configuration",
    };
    Error::LimitReached(format!("{whose} has at most {CONNECTORS_MAX} connectors"))
}

/// Returns the connector that has the id, if it equals the requested one.
fn existing(wanted: &StoredConnector, found: StoredConnector) -> Result<ConnectorCreated> {
    let is_same =
        found.config == wanted.config && found.configuration_id == wanted.configuration_id;
    if !is_same {
        let message = "another connector has this id; choose another";
        return Err(Error::Conflict(message.to_owned()));
    }
    Ok(ConnectorCreated {
        saved: saved(found)?,
        already_existed: true,
    })
}
