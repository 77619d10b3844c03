//! Grants and their budgets.
//!
//! INVARIANT: spending is one conditional update, in the transaction of the claim it pays for. A grant with N
//! calls is spent N times under any concurrency; the table refuses more.

use domain::{
    action::{
        ActionName, BuiltInActions, Grant, GrantBasis, GrantBudget, GrantScope, IntegrationName,
        Pattern,
    },
    audit::Sha256Hex,
    clock::Timestamp,
    id::{GrantId, OrganizationId, SessionId},
    limits::{GRANT_CANDIDATES_MAX, GRANTS_BOUND_MAX},
    page::{Page, PageRequest},
    sharing::SessionViewer,
};

use super::json::{built_in_from, built_in_to, predicates_from, predicates_to};
use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    session_people::seen_session,
    statement::statements,
    value::values,
};

macro_rules! columns {
    () => {
        "id, organization_id, created_by, session_id, integration, action, predicates, max_calls, \
         used_calls, expires_at, revoked_at, last_used_at, created_at, tool_sha256, known_tools, built_in"
    };
}

/// With `$1` the organization and `$2` now.
macro_rules! usable {
    () => {
        "organization_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
         AND (max_calls IS NULL OR used_calls < max_calls)"
    };
}

statements! {
    GRANT_INSERT = concat!("INSERT INTO action_grants (", columns!(), ")
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, NULL, $12, $13, $14, $15)");
    GRANT_FETCH = concat!("SELECT ", columns!(), " FROM action_grants
        WHERE organization_id = $1 AND id = $2");
    GRANT_LIST = concat!("SELECT ", columns!(), " FROM action_grants
        WHERE organization_id = $1 AND id < $2 AND ",
        seen_session!("action_grants.organization_id", "action_grants.session_id", "$4"),
        " ORDER BY id DESC LIMIT $3");
    /// Those a session can use: its own and the organization's.
    GRANT_LIST_USABLE = concat!("SELECT ", columns!(), " FROM action_grants WHERE ", usable!(), "
        AND (session_id IS NULL OR session_id = $3) AND id < $4 ORDER BY id DESC LIMIT $5");
    GRANT_CANDIDATE_LIST = concat!("SELECT ", columns!(), " FROM action_grants WHERE ", usable!(), "
        AND (session_id IS NULL OR session_id = $3) AND integration IN ($4, '*') AND action IN ($5, '*')
        ORDER BY id DESC LIMIT $6");
    GRANT_SPEND = concat!("UPDATE action_grants SET used_calls = used_calls + 1, last_used_at = $2
        WHERE ", usable!(), " AND id = $3 RETURNING id");
    GRANT_GIVE_BACK = "UPDATE action_grants SET used_calls = used_calls - 1
        WHERE organization_id = $1 AND id = $2 AND used_calls > 0";
    /// The patterns of grants from before migration 22 that are not bound to built-in actions yet.
    GRANT_UNBOUND_LIST = "SELECT DISTINCT integration, action FROM action_grants WHERE to_bind
        ORDER BY integration, action LIMIT $1";
    GRANT_BIND = "UPDATE action_grants SET built_in = $3, to_bind = FALSE
        WHERE to_bind AND integration = $1 AND action = $2";
    GRANT_REVOKE = "UPDATE action_grants SET revoked_at = $3
        WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id";
    /// Grants that became unusable before the given time.
    GRANT_DELETE_OVER = "DELETE FROM action_grants WHERE revoked_at < $1 OR expires_at < $1
        OR (used_calls >= max_calls AND last_used_at < $1)";
}

/// What a grant names.
pub type GrantPatterns = (Pattern<IntegrationName>, Pattern<ActionName>);

/// A grant and when it was last used.
#[derive(Debug, Clone, PartialEq)]
pub struct GrantUse {
    pub grant: Grant,
    pub last_used_at: Option<Timestamp>,
}

pub async fn grant_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: GrantId,
) -> Result<Option<GrantUse>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("action_grants", &GRANT_FETCH, values)
        .await?;
    row.map(|row| grant_use(&row)).transpose()
}

/// Returns the grants of an organization, also those that have ended, newest first. Those for a session that the viewer
/// does not see are left out.
pub async fn grant_page(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    viewer: SessionViewer<'_>,
    page: PageRequest<GrantId>,
) -> Result<Page<GrantUse, GrantId>> {
    let (limit, member) = (page.fetch_limit(), viewer.member());
    let values = values![organization_id, before(page), limit, member];
    let rows = conn.fetch_all("action_grants", &GRANT_LIST, values).await?;
    let grants = rows.iter().map(grant_use).collect::<Result<_>>()?;
    Ok(page.page(grants, |one: &GrantUse| one.grant.id))
}

/// Those that a session can use now, newest first.
pub async fn grant_page_usable(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    now: Timestamp,
    page: PageRequest<GrantId>,
) -> Result<Page<GrantUse, GrantId>> {
    let limit = page.fetch_limit();
    let values = values![organization_id, now, session_id, before(page), limit];
    let rows = conn
        .fetch_all("action_grants", &GRANT_LIST_USABLE, values)
        .await?;
    let grants = rows.iter().map(grant_use).collect::<Result<_>>()?;
    Ok(page.page(grants, |one: &GrantUse| one.grant.id))
}

/// Returns some patterns of grants from before migration 22, of any organization, that are not bound to built-in
/// actions yet.
pub async fn grant_unbound_list(conn: &mut Conn) -> Result<Vec<GrantPatterns>> {
    let limit = values![i64::from(GRANTS_BOUND_MAX)];
    let rows = conn
        .fetch_all("action_grants", &GRANT_UNBOUND_LIST, limit)
        .await?;
    let patterns = |row: &Row| Ok((row.parsed("integration")?, row.parsed("action")?));
    rows.iter().map(patterns).collect()
}

/// Those that may cover a call, newest first; their conditions are for the domain to judge.
pub async fn grant_candidate_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    integration: &IntegrationName,
    action: &ActionName,
    now: Timestamp,
) -> Result<Vec<Grant>> {
    let values = values![
        organization_id,
        now,
        session_id,
        integration.as_str(),
        action.as_str(),
        i64::from(GRANT_CANDIDATES_MAX)
    ];
    let rows = conn
        .fetch_all("action_grants", &GRANT_CANDIDATE_LIST, values)
        .await?;
    let grants = rows.iter().map(grant_use);
    grants.map(|one| one.map(|one| one.grant)).collect()
}

pub async fn grant_insert(tx: &mut Tx, grant: &Grant) -> Result<()> {
    let session_id = match grant.scope {
        GrantScope::Session(id) => Some(id),
        GrantScope::Organization => None,
    };
    let values = values![
        grant.id,
        &grant.organization_id,
        &grant.created_by,
        session_id,
        grant.integration.to_string(),
        grant.action.to_string(),
        predicates_to(&grant.predicates),
        grant.budget.max_calls.map(|max| i64::from(max.get())),
        i64::from(grant.budget.used_calls),
        grant.expires_at,
        grant.revoked_at,
        grant.created_at,
        grant.basis.tool.as_ref().map(Sha256Hex::as_str),
        grant.basis.known_tools,
        built_in_to(&grant.basis.built_in),
    ];
    tx.execute(&GRANT_INSERT, values).await?;
    Ok(())
}

/// Binds the grants from before migration 22 with these patterns, of any organization, to the built-in actions they match.
pub async fn grant_bind(
    tx: &mut Tx,
    (integration, action): &GrantPatterns,
    actions: &BuiltInActions,
) -> Result<()> {
    let named = built_in_to(&actions.named_by(integration, action));
    let values = values![integration.to_string(), action.to_string(), named];
    tx.execute(&GRANT_BIND, values).await?;
    Ok(())
}

/// Spends one call of the grant. `false` if none is left, or the grant has ended.
pub async fn grant_spend(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: GrantId,
    now: Timestamp,
) -> Result<bool> {
    let values = values![organization_id, now, id];
    let row = tx
        .fetch_optional("action_grants", &GRANT_SPEND, values)
        .await?;
    Ok(row.is_some())
}

/// Gives a call back that was refused after it was spent and before it ran.
pub async fn grant_give_back(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: GrantId,
) -> Result<()> {
    tx.execute(&GRANT_GIVE_BACK, values![organization_id, id])
        .await?;
    Ok(())
}

/// `false` if it is not there or was revoked before.
pub async fn grant_revoke(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    id: GrantId,
    now: Timestamp,
) -> Result<bool> {
    let values = values![organization_id, id, now];
    let row = tx
        .fetch_optional("action_grants", &GRANT_REVOKE, values)
        .await?;
    Ok(row.is_some())
}

/// Removes grants of any organization that ended before the given time and returns how many.
pub async fn grant_delete_over(tx: &mut Tx, moment: Timestamp) -> Result<u64> {
    tx.execute(&GRANT_DELETE_OVER, values![moment]).await
}

fn before(page: PageRequest<GrantId>) -> GrantId {
    page.before.unwrap_or(GrantId::from_uuid(uuid::Uuid::max()))
}

/// A grant that is not bound yet is for none.
fn built_in(row: &Row) -> Result<BuiltInActions> {
    let Some(json) = row.json_opt("built_in")? else {
        return Ok(BuiltInActions::default());
    };
    built_in_from(&json).map_err(|reason| row.inconsistent("built_in", &reason))
}

fn grant_use(row: &Row) -> Result<GrantUse> {
    let predicates = predicates_from(&row.json("predicates")?);
    let grant = Grant {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        scope: match row.id_opt("session_id")? {
            Some(id) => GrantScope::Session(id),
            None => GrantScope::Organization,
        },
        integration: row.parsed("integration")?,
        action: row.parsed("action")?,
        predicates: predicates.map_err(|reason| row.inconsistent("predicates", &reason))?,
        basis: GrantBasis {
            tool: row.sha256_opt("tool_sha256")?,
            known_tools: row.int("known_tools")?,
            built_in: built_in(row)?,
        },
        budget: GrantBudget {
            max_calls: row.max_calls()?,
            used_calls: row.small("used_calls")?,
        },
        expires_at: row.time_opt("expires_at")?,
        revoked_at: row.time_opt("revoked_at")?,
        created_by: row.parsed("created_by")?,
        created_at: row.time("created_at")?,
    };
    Ok(GrantUse {
        grant,
        last_used_at: row.time_opt("last_used_at")?,
    })
}
