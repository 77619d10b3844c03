//! Which integrations a session may use.

use domain::{
    clock::Timestamp,
    id::{IntegrationId, OrganizationId, SessionId},
};
use uuid::Uuid;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    statement::statements,
    value::values,
};

statements! {
    SESSION_CONNECTION_INSERT = "INSERT INTO session_connections
        (id, organization_id, session_id, integration_id, created_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (session_id, integration_id) DO NOTHING";
    SESSION_CONNECTION_LIST = "SELECT integration_id FROM session_connections
        WHERE organization_id = $1 AND session_id = $2 ORDER BY id";
}

pub async fn session_connection_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<Vec<IntegrationId>> {
    let values = values![organization_id, session_id];
    let rows = conn
        .fetch_all("session_connections", &SESSION_CONNECTION_LIST, values)
        .await?;
    rows.iter().map(|row| row.id("integration_id")).collect()
}

pub async fn session_connection_insert(
    tx: &mut Tx,
    id: Uuid,
    organization_id: &OrganizationId,
    session_id: SessionId,
    integration_id: IntegrationId,
    now: Timestamp,
) -> Result<()> {
    let values = values![id, organization_id, session_id, integration_id, now];
    tx.execute(&SESSION_CONNECTION_INSERT, values).await?;
    Ok(())
}
