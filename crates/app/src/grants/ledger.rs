//! Grants as people look at them: besides budget and life, what each does not cover any more because it is defined
//! differently than when the grant was given. No tool server is asked for it: a change of a tool is known from
//! when its connector's tools were listed last.

use std::collections::HashMap;

use domain::{
    action::{ActionName, CallDefinition, Grant, IntegrationName, Uncovered},
    clock::Timestamp,
    id::{GrantId, OrganizationId},
    limits::GRANT_SUSPENSIONS_SHOWN_MAX,
    page::Page,
};
use store::{Conn, GrantUse};

use crate::{context::App, error::Result};

/// A grant and how it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerEntry {
    pub grant: Grant,
    pub last_used_at: Option<Timestamp>,
    /// What it names and does not cover any more. Empty for a grant that is over.
    pub suspended: Vec<SuspendedAction>,
    /// Whether there is more of that than is listed, or may be.
    pub cut: bool,
}

/// An action that a grant names and does not cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuspendedAction {
    pub integration: IntegrationName,
    pub action: ActionName,
    pub uncovered: Uncovered,
}

/// A page of them.
pub(super) async fn page(
    app: &App,
    conn: &mut Conn,
    organization_id: &OrganizationId,
    page: Page<GrantUse, GrantId>,
) -> Result<Page<LedgerEntry, GrantId>> {
    Ok(Page {
        items: entries(app, conn, organization_id, page.items).await?,
        next: page.next,
    })
}

/// One of them.
pub(super) async fn entry(
    app: &App,
    conn: &mut Conn,
    organization_id: &OrganizationId,
    used: GrantUse,
) -> Result<LedgerEntry> {
    let over = LedgerEntry::without_suspensions(used.clone());
    let found = entries(app, conn, organization_id, vec![used]).await?;
    Ok(found.into_iter().next().unwrap_or(over))
}

async fn entries(
    app: &App,
    conn: &mut Conn,
    organization_id: &OrganizationId,
    grants: Vec<GrantUse>,
) -> Result<Vec<LedgerEntry>> {
    let ids = || grants.iter().map(|used| used.grant.id);
    let (Some(first), Some(last)) = (ids().min(), ids().max()) else {
        return Ok(Vec::new());
    };
    let mut tools: HashMap<GrantId, Vec<(IntegrationName, ActionName, CallDefinition)>> =
        HashMap::new();
    let now = app.now();
    let named = store::grant_tool_list(conn, organization_id, (first, last), now).await?;
    let cut_at = named.cut_at;
    for one in named.tools {
        let definition = one.tool.definition();
        let of_grant = tools.entry(one.grant_id).or_default();
        of_grant.push((one.integration, one.action, definition));
    }
    let entry = |used: GrantUse| {
        let grant = &used.grant;
        let over = grant.ended_at(now).is_some() || grant.budget.is_exhausted();
        let tools = tools.remove(&grant.id).unwrap_or_default();
        let suspended = if over {
            Vec::new()
        } else {
            not_covered(grant, built_in(app, grant).chain(tools))
        };
        LedgerEntry {
            // What was not read may be suspended: that is said rather than that the grant counts.
            cut: suspended.len() > GRANT_SUSPENSIONS_SHOWN_MAX
                || (!over && cut_at.is_some_and(|cut| grant.id <= cut)),
            suspended: suspended
                .into_iter()
                .take(GRANT_SUSPENSIONS_SHOWN_MAX)
                .collect(),
            ..LedgerEntry::without_suspensions(used)
        }
    };
    Ok(grants.into_iter().map(entry).collect())
}

/// Those that the grant does not cover: one more than are shown.
fn not_covered(
    grant: &Grant,
    named: impl Iterator<Item = (IntegrationName, ActionName, CallDefinition)>,
) -> Vec<SuspendedAction> {
    let uncovered = named.filter_map(|(integration, action, definition)| {
        let covered = grant.basis.covers((&integration, &action), &definition);
        Some(SuspendedAction {
            uncovered: covered.err()?,
            integration,
            action,
        })
    });
    uncovered.take(GRANT_SUSPENSIONS_SHOWN_MAX + 1).collect()
}

/// The built-in actions that the grant names, as they are.
fn built_in<'a>(
    app: &'a App,
    grant: &'a Grant,
) -> impl Iterator<Item = (IntegrationName, ActionName, CallDefinition)> + use<'a> {
    let all = app.built_in().0.iter();
    let named = all.filter(|((integration, action), _)| {
        grant.integration.matches(integration) && grant.action.matches(action)
    });
    named.map(|((integration, action), sha256)| {
        let sha256 = sha256.clone();
        let definition = CallDefinition::BuiltIn { sha256 };
        (integration.clone(), action.clone(), definition)
    })
}

impl LedgerEntry {
    pub(super) fn without_suspensions(used: GrantUse) -> Self {
        Self {
            grant: used.grant,
            last_used_at: used.last_used_at,
            suspended: Vec::new(),
            cut: false,
        }
    }
}
