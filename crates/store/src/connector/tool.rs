//! Pinned definitions of tools.
//!
//! INVARIANT: the first definition that is seen is kept, whoever else sees another at the same time; a pinned
//! one is replaced by an admin's review and nothing else.

use domain::{
    audit::Sha256Hex,
    clock::Timestamp,
    id::{ConnectorId, OrganizationId, UserId},
};
use serde_json::Value;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::{Rows, values},
};

statements! {
    CONNECTOR_TOOL_PIN = "INSERT INTO connector_tools
        (organization_id, connector_id, action, sha256, definition, first_seen_at)
        SELECT $2, $3, action, sha256, definition, $4 FROM ", rows(action: TEXT, sha256: TEXT, definition: JSONB)
        "WHERE TRUE ON CONFLICT (organization_id, connector_id, action) DO NOTHING";
    CONNECTOR_TOOL_LIST = "SELECT connector_id AS id, action, sha256, definition, first_seen_at, reviewed_by,
        reviewed_at FROM connector_tools WHERE organization_id = $1 AND connector_id = $2 ORDER BY action";
    CONNECTOR_TOOL_ACCEPT = "INSERT INTO connector_tools
        (organization_id, connector_id, action, sha256, definition, first_seen_at, reviewed_by, reviewed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $6)
        ON CONFLICT (organization_id, connector_id, action) DO UPDATE SET sha256 = excluded.sha256,
        definition = excluded.definition, reviewed_by = excluded.reviewed_by, reviewed_at = excluded.reviewed_at";
}

/// What a tool of a connector is judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedTool {
    /// The action that the tool becomes.
    pub action: String,
    pub sha256: Sha256Hex,
    /// How it reads; `None` if it was pinned before that was kept.
    pub definition: Option<Value>,
    pub first_seen_at: Timestamp,
    /// Who accepted this definition, and when; `None` for the one that was first seen.
    pub reviewed: Option<(UserId, Timestamp)>,
}

/// A definition to be pinned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolPin {
    pub action: String,
    pub sha256: String,
    pub definition: Value,
}

impl Conn {
    pub async fn connector_tool_list(
        &mut self,
        organization_id: &OrganizationId,
        connector_id: ConnectorId,
    ) -> Result<Vec<PinnedTool>> {
        let values = values![organization_id, connector_id];
        let rows = self
            .fetch_all("connector_tools", &CONNECTOR_TOOL_LIST, values)
            .await?;
        rows.iter().map(tool).collect()
    }
}

impl Tx {
    /// Pins what is not, and says how many were not. `Error::MissingReference` if the connector is gone.
    pub async fn connector_tool_pin_all(
        &mut self,
        organization_id: &OrganizationId,
        connector_id: ConnectorId,
        tools: &[ToolPin],
        now: Timestamp,
    ) -> Result<u64> {
        let rows = tools
            .iter()
            .map(|tool| values![&tool.action, &tool.sha256, &tool.definition]);
        let rows = Rows(rows.collect());
        let values = values![rows, organization_id, connector_id, now];
        self.execute(&CONNECTOR_TOOL_PIN, values).await
    }

    /// Pins this definition instead of whichever it was.
    pub async fn connector_tool_accept(
        &mut self,
        organization_id: &OrganizationId,
        connector_id: ConnectorId,
        tool: &ToolPin,
        reviewed_by: &UserId,
        now: Timestamp,
    ) -> Result<()> {
        let values = values![
            organization_id,
            connector_id,
            &tool.action,
            &tool.sha256,
            &tool.definition,
            now,
            reviewed_by
        ];
        self.execute(&CONNECTOR_TOOL_ACCEPT, values).await?;
        Ok(())
    }
}

fn tool(row: &Row) -> Result<PinnedTool> {
    let reviewed_by = row.parsed_opt("reviewed_by")?;
    Ok(PinnedTool {
        action: row.text("action")?,
        sha256: row.sha256("sha256")?,
        definition: row.json_opt("definition")?,
        first_seen_at: row.time("first_seen_at")?,
        reviewed: reviewed_by.zip(row.time_opt("reviewed_at")?),
    })
}
