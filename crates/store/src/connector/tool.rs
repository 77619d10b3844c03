//! Pinned definitions of tools.
//!
//! INVARIANT: the first definition that is seen is pinned, also if another instance sees a different one at the same
//! time; only an admin's review replaces a pinned definition.

use domain::{
    action::{ActionName, CallDefinition, StandingTool},
    audit::Sha256Hex,
    clock::Timestamp,
    id::{ConnectorId, OrganizationId, UserId},
};
use serde_json::Value;

use crate::{
    conn::{Conn, Tx},
    error::Result,
    organization::organization_lock,
    row::Row,
    statement::statements,
    value::{Rows, values},
};

statements! {
    CONNECTOR_TOOL_PIN = "INSERT INTO connector_tools
        (organization_id, connector_id, action, sha256, definition, first_seen_at, known_as)
        SELECT $2, $3, action, sha256, definition, $4, $5 FROM ", rows(action: TEXT, sha256: TEXT, definition: JSONB)
        "WHERE TRUE ON CONFLICT (organization_id, connector_id, action) DO NOTHING";
    /// The number of the next definition. The transaction that records one holds the organization's row
    /// until it commits, so numbers are in the order of commits.
    CONNECTOR_TOOL_COUNT = "UPDATE organization SET known_tools = known_tools + 1 WHERE id = $1
        RETURNING known_tools AS n";
    CONNECTOR_TOOL_KNOWN = "SELECT known_tools AS n FROM organization WHERE id = $1";
    CONNECTOR_TOOL_STANDING = "SELECT connector_id AS id, sha256, known_as, reviewed_by, changed_sha256
        FROM connector_tools WHERE organization_id = $1 AND connector_id = $2 AND action = $3";
    /// The pinned definition itself is no change.
    CONNECTOR_TOOL_CHANGED = "UPDATE connector_tools SET changed_sha256 = given.changed FROM ",
        rows(action: TEXT, changed: TEXT)
        "WHERE connector_tools.organization_id = $2 AND connector_tools.connector_id = $3
        AND connector_tools.action = given.action
        AND (given.changed IS NULL OR given.changed <> connector_tools.sha256)";
    CONNECTOR_TOOL_LIST = "SELECT connector_id AS id, action, sha256, definition, first_seen_at, reviewed_by,
        reviewed_at, changed_sha256 FROM connector_tools WHERE organization_id = $1 AND connector_id = $2 ORDER BY action";
    CONNECTOR_TOOL_ACCEPT = "INSERT INTO connector_tools
        (organization_id, connector_id, action, sha256, definition, first_seen_at, reviewed_by, reviewed_at, known_as)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $6, $8)
        ON CONFLICT (organization_id, connector_id, action) DO UPDATE SET sha256 = excluded.sha256,
        definition = excluded.definition, reviewed_by = excluded.reviewed_by, reviewed_at = excluded.reviewed_at,
        known_as = excluded.known_as, changed_sha256 = NULL";
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
    /// The admin who accepted this definition, and when; `None` for the definition that was first seen.
    pub reviewed: Option<(UserId, Timestamp)>,
    /// The server's last definition, if it differs.
    pub changed: Option<Sha256Hex>,
}

/// A definition to be pinned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolPin {
    pub action: String,
    pub sha256: String,
    pub definition: Value,
}

/// The pinned definition of a tool, and the one that its server gives if it differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolStanding {
    pub standing: StandingTool,
    pub changed: Option<Sha256Hex>,
}

impl ToolStanding {
    /// How the tool is defined now, as far as that was seen.
    pub fn definition(self) -> CallDefinition {
        CallDefinition::Tool {
            sha256: self.changed.unwrap_or_else(|| self.standing.sha256.clone()),
            standing: Some(self.standing),
        }
    }

    pub(crate) fn of(row: &Row) -> Result<Self> {
        Ok(Self {
            standing: StandingTool {
                sha256: row.sha256("sha256")?,
                known_as: row.int_opt("known_as")?,
                accepted: row.text_opt("reviewed_by")?.is_some(),
            },
            changed: row.sha256_opt("changed_sha256")?,
        })
    }
}

/// How many definitions of tools the organization has come to know.
pub async fn connector_tools_known(
    conn: &mut Conn,
    organization_id: &OrganizationId,
) -> Result<i64> {
    let values = values![organization_id];
    conn.count("organization", &CONNECTOR_TOOL_KNOWN, values)
        .await
}

pub async fn connector_tool_standing(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    connector_id: ConnectorId,
    action: &ActionName,
) -> Result<Option<ToolStanding>> {
    let values = values![organization_id, connector_id, action.as_str()];
    let row = conn
        .fetch_optional("connector_tools", &CONNECTOR_TOOL_STANDING, values)
        .await?;
    row.map(|row| ToolStanding::of(&row)).transpose()
}

pub async fn connector_tool_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    connector_id: ConnectorId,
) -> Result<Vec<PinnedTool>> {
    let values = values![organization_id, connector_id];
    let rows = conn
        .fetch_all("connector_tools", &CONNECTOR_TOOL_LIST, values)
        .await?;
    rows.iter().map(tool).collect()
}

/// Pins the tools that are not pinned and returns their number. `Error::MissingReference` if the connector was removed.
pub async fn connector_tool_pin_all(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    connector_id: ConnectorId,
    tools: &[ToolPin],
    now: Timestamp,
) -> Result<u64> {
    let rows = tools
        .iter()
        .map(|tool| values![&tool.action, &tool.sha256, &tool.definition]);
    let rows = Rows(rows.collect());
    let known_as = connector_tool_count(tx, organization_id).await?;
    let values = values![rows, organization_id, connector_id, now, known_as];
    tx.execute(&CONNECTOR_TOOL_PIN, values).await
}

/// Records the server's current definitions that differ from the pins; `None` for a tool that agrees again.
pub async fn connector_tool_changed_all(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    connector_id: ConnectorId,
    tools: &[(&str, Option<&str>)],
) -> Result<u64> {
    let rows = tools
        .iter()
        .map(|(action, changed)| values![*action, *changed]);
    let values = values![Rows(rows.collect()), organization_id, connector_id];
    // Locked first: two transactions that change the same tools in another order would deadlock.
    organization_lock(tx, organization_id).await?;
    tx.execute(&CONNECTOR_TOOL_CHANGED, values).await
}

async fn connector_tool_count(tx: &mut Tx, organization_id: &OrganizationId) -> Result<i64> {
    let values = values![organization_id];
    tx.count("organization", &CONNECTOR_TOOL_COUNT, values)
        .await
}

/// Pins this definition instead of whichever it was.
pub async fn connector_tool_accept(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    connector_id: ConnectorId,
    tool: &ToolPin,
    reviewed_by: &UserId,
    now: Timestamp,
) -> Result<()> {
    let known_as = connector_tool_count(tx, organization_id).await?;
    let values = values![
        organization_id,
        connector_id,
        &tool.action,
        &tool.sha256,
        &tool.definition,
        now,
        reviewed_by,
        known_as
    ];
    tx.execute(&CONNECTOR_TOOL_ACCEPT, values).await?;
    Ok(())
}

fn tool(row: &Row) -> Result<PinnedTool> {
    let reviewed_by = row.parsed_opt("reviewed_by")?;
    Ok(PinnedTool {
        action: row.text("action")?,
        sha256: row.sha256("sha256")?,
        definition: row.json_opt("definition")?,
        first_seen_at: row.time("first_seen_at")?,
        reviewed: reviewed_by.zip(row.time_opt("reviewed_at")?),
        changed: row.sha256_opt("changed_sha256")?,
    })
}
