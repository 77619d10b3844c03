//! Tools of connectors that grants name and may not cover: what the list of grants shows besides the budget.

use domain::{
    action::{ActionName, IntegrationName},
    clock::Timestamp,
    id::{ConnectorId, GrantId, OrganizationId},
    limits::GRANT_TOOLS_READ_MAX,
};

use crate::{
    conn::Conn, connector::ToolStanding, error::Result, row::Row, statement::statements,
    value::values,
};

statements! {
    /// No fewer than are not covered; which are is for the domain to judge.
    GRANT_TOOL_LIST = "SELECT g.id, t.connector_id, t.action, t.sha256, t.known_as, t.reviewed_by,
        t.changed_sha256 FROM action_grants g JOIN connector_tools t
        ON t.organization_id = g.organization_id
        AND (g.integration = '*' OR g.integration = 'connector:' || CAST(t.connector_id AS TEXT))
        AND (g.action = '*' OR g.action = t.action)
        WHERE g.organization_id = $1 AND g.id >= $2 AND g.id <= $3 AND g.revoked_at IS NULL
        AND (g.expires_at IS NULL OR g.expires_at > $4)
        AND (g.max_calls IS NULL OR g.used_calls < g.max_calls)
        AND (t.changed_sha256 IS NOT NULL OR g.tool_sha256 <> t.sha256
            OR (t.reviewed_by IS NULL AND (t.known_as IS NULL OR t.known_as > g.known_tools)))
        ORDER BY g.id DESC, t.connector_id, t.action LIMIT $5";
}

/// A tool that a grant names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantedTool {
    pub grant_id: GrantId,
    pub integration: IntegrationName,
    pub action: ActionName,
    pub tool: ToolStanding,
}

/// Tools that grants name and may not cover.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrantedTools {
    pub tools: Vec<GrantedTool>,
    /// The newest grant that more than fits is known of; of those that are older nothing may be listed.
    pub cut_at: Option<GrantId>,
}

/// Tools that the grants from one id to the other name and may not cover, by grant, newest first. Grants that can
/// no longer be used are left out.
pub async fn grant_tool_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    (first, last): (GrantId, GrantId),
    now: Timestamp,
) -> Result<GrantedTools> {
    // One more than is returned shows whether there are more.
    let limit = i64::from(GRANT_TOOLS_READ_MAX) + 1;
    let values = values![organization_id, first, last, now, limit];
    let rows = conn
        .fetch_all("connector_tools", &GRANT_TOOL_LIST, values)
        .await?;
    let mut tools: Vec<GrantedTool> = rows.iter().map(granted_tool).collect::<Result<_>>()?;
    let read = usize::try_from(GRANT_TOOLS_READ_MAX).unwrap_or(usize::MAX);
    let cut_at = tools.get(read).map(|more| more.grant_id);
    tools.truncate(read);
    Ok(GrantedTools { tools, cut_at })
}

fn granted_tool(row: &Row) -> Result<GrantedTool> {
    Ok(GrantedTool {
        grant_id: row.id("id")?,
        integration: IntegrationName::of_connector(row.id::<ConnectorId>("connector_id")?),
        action: row.parsed("action")?,
        tool: ToolStanding::of(row)?,
    })
}
