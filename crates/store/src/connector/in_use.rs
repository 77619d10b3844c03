//! The connectors that a session can use, with the pinned definitions of their tools. Every call of an action reads them:
//! one statement, however many connectors and tools there are.

use std::collections::HashMap;

use domain::id::{ConfigurationId, ConnectorId, OrganizationId, SessionId};
use serde_json::Value;

use crate::{conn::Conn, error::Result, row::Row, statement::statements, value::values};

/// With `$1` the organization and `$2` the session: the organization's own and those of the session's
/// configuration. A row is a connector or a pinned tool.
macro_rules! in_use {
    ($and:literal) => {
        concat!(
            "SELECT c.id, c.configuration_id, c.config, NULL AS action, NULL AS sha256,
            NULL AS changed_sha256
            FROM sessions s JOIN connectors c ON c.organization_id = s.organization_id
            AND (c.configuration_id IS NULL OR c.configuration_id = s.configuration_id)
            WHERE s.organization_id = $1 AND s.id = $2",
            $and,
            " UNION ALL SELECT c.id, NULL, NULL, t.action, t.sha256, t.changed_sha256
            FROM sessions s JOIN connectors c ON c.organization_id = s.organization_id
            AND (c.configuration_id IS NULL OR c.configuration_id = s.configuration_id)
            JOIN connector_tools t ON t.organization_id = c.organization_id AND t.connector_id = c.id
            WHERE s.organization_id = $1 AND s.id = $2",
            $and
        )
    };
}

statements! {
    CONNECTOR_LIST_FOR_SESSION = in_use!("");
    CONNECTOR_FETCH_FOR_SESSION = in_use!(" AND c.id = $3");
}

/// A connector as a session uses it.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectorInUse {
    pub id: ConnectorId,
    /// `None` for the whole organization.
    pub configuration_id: Option<ConfigurationId>,
    pub config: Value,
    /// Digests of the pinned definitions, by action.
    pub pins: HashMap<String, String>,
    /// The server's last definitions of tools that differ from their pins, by action.
    pub changed: HashMap<String, String>,
}

/// Those a session can use: the organization's, then its configuration's, each by id.
pub async fn connector_list_for_session(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<Vec<ConnectorInUse>> {
    let values = values![organization_id, session_id];
    let rows = conn
        .fetch_all("connectors", &CONNECTOR_LIST_FOR_SESSION, values)
        .await?;
    gathered(&rows)
}

/// One of them.
pub async fn connector_fetch_for_session(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    id: ConnectorId,
) -> Result<Option<ConnectorInUse>> {
    let values = values![organization_id, session_id, id];
    let rows = conn
        .fetch_all("connectors", &CONNECTOR_FETCH_FOR_SESSION, values)
        .await?;
    Ok(gathered(&rows)?.pop())
}

fn gathered(rows: &[Row]) -> Result<Vec<ConnectorInUse>> {
    let mut connectors = Vec::new();
    let mut pins: HashMap<ConnectorId, HashMap<String, String>> = HashMap::new();
    let mut changed: HashMap<ConnectorId, HashMap<String, String>> = HashMap::new();
    for row in rows {
        let id = row.id("id")?;
        match row.text_opt("action")? {
            Some(action) => {
                let sha256 = row.text("sha256")?;
                if let Some(now) = row.text_opt("changed_sha256")? {
                    changed.entry(id).or_default().insert(action.clone(), now);
                }
                pins.entry(id).or_default().insert(action, sha256);
            }
            None => connectors.push(ConnectorInUse {
                id,
                configuration_id: row.id_opt("configuration_id")?,
                config: row.json("config")?,
                pins: HashMap::new(),
                changed: HashMap::new(),
            }),
        }
    }
    for connector in &mut connectors {
        connector.pins = pins.remove(&connector.id).unwrap_or_default();
        connector.changed = changed.remove(&connector.id).unwrap_or_default();
    }
    connectors.sort_by_key(|connector| (connector.configuration_id.is_some(), connector.id));
    Ok(connectors)
}
