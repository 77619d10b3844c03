//! What grants are bound to: how the actions that they name are defined when they are given.
//!
//! INVARIANT: a grant is bound in the transaction that makes it, or to less than what is known by then. What comes later
//! is not covered by it until an admin has looked.

use domain::{
    action::{CallDefinition, GrantBasis, GrantDraft, Invocation, Pattern},
    id::OrganizationId,
};
use store::Conn;

use crate::{connectors, context::App, error::Result, mediation::call::ActionRequest};

/// Binds grants that were there before the migration which brought the binding to the built-in actions of this program.
/// Once it has started, none is left. Grants that an older instance makes after that are not bound: they cover no
/// built-in action until an admin grants them again.
pub async fn bind_built_in(app: &App) -> Result<()> {
    loop {
        let unbound = store::grant_unbound_list(&mut app.db.read().await?).await?;
        if unbound.is_empty() {
            return Ok(());
        }
        let mut tx = app.db.write().await?;
        for patterns in &unbound {
            store::grant_bind(&mut tx, patterns, app.built_in()).await?;
        }
        tx.commit().await?;
    }
}

/// Has the tools of a connector that is to be granted listed, so that the grant is for what they are now. A server that
/// does not answer holds nothing up: what is not known is not covered.
pub(super) async fn pin_unseen_tools(
    app: &App,
    organization_id: &OrganizationId,
    draft: &GrantDraft,
) -> Result<()> {
    match &draft.integration {
        Pattern::Exactly(name) => match name.connector_id() {
            Some(id) => connectors::pin_unseen_tools(app, organization_id, id).await,
            None => Ok(()),
        },
        Pattern::Any => Ok(()),
    }
}

/// For what the actions are by now.
pub(super) async fn of_draft(
    app: &App,
    conn: &mut Conn,
    organization_id: &OrganizationId,
    draft: &GrantDraft,
) -> Result<GrantBasis> {
    let known_tools = store::connector_tools_known(conn, organization_id).await?;
    let tool = match (&draft.integration, &draft.action) {
        (Pattern::Exactly(integration), Pattern::Exactly(action)) => {
            match integration.connector_id() {
                Some(id) => {
                    store::connector_tool_standing(conn, organization_id, id, action).await?
                }
                None => None,
            }
        }
        _ => None,
    };
    Ok(GrantBasis {
        tool: tool.map(|tool| tool.standing.sha256),
        known_tools,
        built_in: app.built_in().named_by(&draft.integration, &draft.action),
    })
}

/// For what the person looked at who approved the call. `found` is what would run now.
pub(crate) async fn of_approved(
    app: &App,
    approved: &Invocation,
    found: &ActionRequest,
) -> Result<GrantBasis> {
    let (integration, action) = (&approved.integration, &approved.action);
    let mut conn = app.db.read().await?;
    let known_tools = store::connector_tools_known(&mut conn, &approved.organization_id).await?;
    let mut basis = GrantBasis {
        known_tools,
        ..GrantBasis::default()
    };
    if integration.connector_id().is_some() {
        basis.tool = Some(approved.binding.tool.clone());
    } else if let Some(digest) = &found.built_in
        && found.tool_sha256 == approved.binding.tool
    {
        let names = (integration.clone(), action.clone());
        basis.built_in.0.insert(names, digest.clone());
    }
    Ok(basis)
}

/// How the action of a recorded call is defined now, as far as is known without a request to its server.
pub(super) async fn definition_now(
    app: &App,
    conn: &mut Conn,
    invocation: &Invocation,
) -> Result<CallDefinition> {
    let (integration, action) = (&invocation.integration, &invocation.action);
    let of_call = || invocation.binding.tool.clone();
    let Some(id) = integration.connector_id() else {
        let known = app.built_in().get(integration, action).cloned();
        let sha256 = known.unwrap_or_else(of_call);
        return Ok(CallDefinition::BuiltIn { sha256 });
    };
    let organization_id = &invocation.organization_id;
    let found = store::connector_tool_standing(conn, organization_id, id, action).await?;
    Ok(match found {
        None => CallDefinition::Tool {
            sha256: of_call(),
            standing: None,
        },
        Some(tool) => tool.definition(),
    })
}
