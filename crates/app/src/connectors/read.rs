//! Reads connectors.

use domain::{
    id::{ConfigurationId, ConnectorId},
    page::{Page, PageRequest},
};

use super::{SavedConnector, saved};
use crate::{
    access::Insider,
    context::App,
    error::{Error, Result},
};

/// Of the organization or of one of its configurations.
pub async fn fetch(app: &App, insider: &Insider, id: ConnectorId) -> Result<SavedConnector> {
    let mut conn = app.db.read().await?;
    let found = store::connector_fetch(&mut conn, insider.organization_id(), id).await?;
    saved(found.ok_or(Error::NotFound("connector"))?)
}

/// Those of the whole organization.
pub async fn list(
    app: &App,
    insider: &Insider,
    page: PageRequest<ConnectorId>,
) -> Result<Page<SavedConnector, ConnectorId>> {
    let mut conn = app.db.read().await?;
    let found = store::connector_list(&mut conn, insider.organization_id(), page).await?;
    Ok(Page {
        items: found.items.into_iter().map(saved).collect::<Result<_>>()?,
        next: found.next,
    })
}

pub async fn list_of_configuration(
    app: &App,
    insider: &Insider,
    configuration_id: ConfigurationId,
) -> Result<Vec<SavedConnector>> {
    let organization_id = insider.organization_id();
    let mut conn = app.db.read().await?;
    let configuration =
        store::configuration_fetch(&mut conn, organization_id, configuration_id).await?;
    configuration.ok_or(Error::NotFound("configuration"))?;
    let found =
        store::connector_list_of_configuration(&mut conn, organization_id, configuration_id)
            .await?;
    found.into_iter().map(saved).collect()
}
