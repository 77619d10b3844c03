//! Connectors of organizations and configurations. Their settings are opaque here.

mod in_use;
mod tool;

use domain::{
    clock::Timestamp,
    id::{ConfigurationId, ConnectorId, OrganizationId, UserId},
    page::{Page, PageRequest},
};
use serde_json::Value;

pub use in_use::{ConnectorInUse, connector_fetch_for_session, connector_list_for_session};
pub use tool::{
    PinnedTool, ToolPin, ToolStanding, connector_tool_accept, connector_tool_changed_all,
    connector_tool_list, connector_tool_pin_all, connector_tool_standing, connector_tools_known,
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    organization::organization_lock,
    row::Row,
    statement::{Statement, statements},
    value::values,
};

macro_rules! columns {
    () => {
        "id, organization_id, configuration_id, config, created_by, created_at, updated_at"
    };
}

statements! {
    CONNECTOR_INSERT = concat!("INSERT INTO connectors (", columns!(), ")
        VALUES ($1, $2, $3, $4, $5, $6, $7)");
    CONNECTOR_FETCH = concat!("SELECT ", columns!(), " FROM connectors
        WHERE organization_id = $1 AND id = $2");
    /// Those of the whole organization.
    CONNECTOR_LIST = concat!("SELECT ", columns!(), " FROM connectors
        WHERE organization_id = $1 AND configuration_id IS NULL AND id < $2 ORDER BY id DESC LIMIT $3");
    CONNECTOR_LIST_OF_CONFIGURATION = concat!("SELECT ", columns!(), " FROM connectors
        WHERE organization_id = $1 AND configuration_id = $2 ORDER BY id");
    CONNECTOR_COUNT = "SELECT COUNT(*) AS n FROM connectors
        WHERE organization_id = $1 AND configuration_id IS NULL";
    CONNECTOR_COUNT_OF_CONFIGURATION = "SELECT COUNT(*) AS n FROM connectors
        WHERE organization_id = $1 AND configuration_id = $2";
    CONNECTOR_UPDATE = "UPDATE connectors SET config = $3, updated_at = $4
        WHERE organization_id = $1 AND id = $2";
    CONNECTOR_DELETE = "DELETE FROM connectors WHERE organization_id = $1 AND id = $2";
}

/// Every statement of this folder.
pub(crate) fn statements() -> Vec<&'static Statement> {
    [STATEMENTS, in_use::STATEMENTS, tool::STATEMENTS].concat()
}

/// A connector and where it belongs.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredConnector {
    pub id: ConnectorId,
    pub organization_id: OrganizationId,
    /// `None` for the whole organization.
    pub configuration_id: Option<ConfigurationId>,
    pub config: Value,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Wherever in the organization it belongs.
pub async fn connector_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: ConnectorId,
) -> Result<Option<StoredConnector>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("connectors", &CONNECTOR_FETCH, values)
        .await?;
    row.map(|row| connector(&row)).transpose()
}

/// Those of the whole organization, newest first.
pub async fn connector_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    page: PageRequest<ConnectorId>,
) -> Result<Page<StoredConnector, ConnectorId>> {
    let before = crate::session::cursor(page.before.map(ConnectorId::uuid));
    let values = values![organization_id, before, page.fetch_limit()];
    let rows = conn
        .fetch_all("connectors", &CONNECTOR_LIST, values)
        .await?;
    let found = rows.iter().map(connector).collect::<Result<_>>()?;
    Ok(page.page(found, |connector: &StoredConnector| connector.id))
}

/// All of a configuration, by id.
pub async fn connector_list_of_configuration(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    configuration_id: ConfigurationId,
) -> Result<Vec<StoredConnector>> {
    let values = values![organization_id, configuration_id];
    let rows = conn
        .fetch_all("connectors", &CONNECTOR_LIST_OF_CONFIGURATION, values)
        .await?;
    rows.iter().map(connector).collect()
}

/// `Error::Conflict` if the organization has the id.
pub async fn connector_insert(tx: &mut Tx, connector: &StoredConnector) -> Result<()> {
    let values = values![
        connector.id,
        &connector.organization_id,
        connector.configuration_id,
        &connector.config,
        connector.created_by.as_ref(),
        connector.created_at,
        connector.updated_at,
    ];
    tx.execute(&CONNECTOR_INSERT, values).await?;
    Ok(())
}

/// Counts the connectors of the organization or configuration, and locks out additions until this transaction ends:
/// two transactions that count before they add do not both add the last one.
pub async fn connector_count_for_update(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    configuration_id: Option<ConfigurationId>,
) -> Result<i64> {
    organization_lock(tx, organization_id).await?;
    let (statement, values) = match configuration_id {
        None => (&CONNECTOR_COUNT, values![organization_id]),
        Some(id) => (
            &CONNECTOR_COUNT_OF_CONFIGURATION,
            values![organization_id, id],
        ),
    };
    tx.count("connectors", statement, values).await
}

/// Returns whether it exists.
pub async fn connector_update(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: ConnectorId,
    config: &Value,
    now: Timestamp,
) -> Result<bool> {
    let values = values![organization_id, id, config, now];
    Ok(tx.execute(&CONNECTOR_UPDATE, values).await? == 1)
}

/// With what is known of its tools.
pub async fn connector_delete(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: ConnectorId,
) -> Result<bool> {
    let values = values![organization_id, id];
    Ok(tx.execute(&CONNECTOR_DELETE, values).await? == 1)
}

fn connector(row: &Row) -> Result<StoredConnector> {
    Ok(StoredConnector {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        configuration_id: row.id_opt("configuration_id")?,
        config: row.json("config")?,
        created_by: row.parsed_opt("created_by")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}
