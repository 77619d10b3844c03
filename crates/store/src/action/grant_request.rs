//! Requests for grants: an agent's wish, until a person decides.

use domain::{
    action::{
        GrantDraft, GrantRequest, GrantRequestState, GrantRequestStatus, GrantScope, GrantScopeKind,
    },
    clock::Timestamp,
    id::{GrantRequestId, OrganizationId, SessionId},
    page::{Page, PageRequest},
    sharing::SessionViewer,
};

use super::json::{predicates_from, predicates_to};
use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    session_people::seen_session,
    statement::statements,
    value::{Value, values},
};

macro_rules! columns {
    () => {
        "id, organization_id, session_id, scope, integration, action, predicates, max_calls, \
         grant_expires_at, created_at, status, expires_at, decided_by, decided_at, grant_id, reason"
    };
}

/// With `$4` the member whose sight limits the list.
macro_rules! seen {
    () => {
        seen_session!(
            "action_grant_requests.organization_id",
            "action_grant_requests.session_id",
            "$4"
        )
    };
}

statements! {
    GRANT_REQUEST_INSERT = concat!("INSERT INTO action_grant_requests (", columns!(), ")
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)");
    GRANT_REQUEST_FETCH = concat!("SELECT ", columns!(), " FROM action_grant_requests
        WHERE organization_id = $1 AND id = $2");
    GRANT_REQUEST_LIST = concat!("SELECT ", columns!(), " FROM action_grant_requests
        WHERE organization_id = $1 AND id < $2 AND ", seen!(), " ORDER BY id DESC LIMIT $3");
    GRANT_REQUEST_LIST_OF_STATUS = concat!("SELECT ", columns!(), " FROM action_grant_requests
        WHERE organization_id = $1 AND id < $2 AND status = $5 AND ", seen!(), " ORDER BY id DESC LIMIT $3");
    GRANT_REQUEST_PENDING_COUNT = "SELECT COUNT(*) AS n FROM action_grant_requests
        WHERE organization_id = $1 AND session_id = $2 AND status = 'pending' AND expires_at > $3";
    /// Only what is pending is decided, once.
    GRANT_REQUEST_DECIDE = "UPDATE action_grant_requests SET status = $3, expires_at = $4, decided_by = $5,
        decided_at = $6, grant_id = $7, reason = $8
        WHERE organization_id = $1 AND id = $2 AND status = 'pending' RETURNING id";
}

pub async fn grant_request_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: GrantRequestId,
) -> Result<Option<GrantRequest>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("action_grant_requests", &GRANT_REQUEST_FETCH, values)
        .await?;
    row.map(|row| request(&row)).transpose()
}

/// Those of sessions that the viewer sees, newest first, of one status if one is given.
pub async fn grant_request_page(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    viewer: SessionViewer<'_>,
    status: Option<GrantRequestStatus>,
    page: PageRequest<GrantRequestId>,
) -> Result<Page<GrantRequest, GrantRequestId>> {
    let last = GrantRequestId::from_uuid(uuid::Uuid::max());
    let before = page.before.unwrap_or(last);
    let limit = page.fetch_limit();
    let mut values = values![organization_id, before, limit, viewer.member()];
    let statement = match status {
        None => &GRANT_REQUEST_LIST,
        Some(status) => {
            values.push(status.as_str().into());
            &GRANT_REQUEST_LIST_OF_STATUS
        }
    };
    let rows = conn
        .fetch_all("action_grant_requests", statement, values)
        .await?;
    let requests = rows.iter().map(request).collect::<Result<_>>()?;
    Ok(page.page(requests, |request: &GrantRequest| request.id))
}

/// How many of a session wait for a person.
pub async fn grant_request_pending_count(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    session_id: SessionId,
    now: Timestamp,
) -> Result<i64> {
    let values = values![organization_id, session_id, now];
    conn.count(
        "action_grant_requests",
        &GRANT_REQUEST_PENDING_COUNT,
        values,
    )
    .await
}

pub async fn grant_request_insert(tx: &mut Tx, request: &GrantRequest) -> Result<()> {
    let draft = &request.draft;
    let mut values = values![
        request.id,
        &request.organization_id,
        request.session_id,
        draft.scope.kind().as_str(),
        draft.integration.to_string(),
        draft.action.to_string(),
        predicates_to(&draft.predicates),
        draft.max_calls.map(|max| i64::from(max.get())),
        draft.expires_at,
        request.created_at,
    ];
    values.extend(state(&request.state));
    tx.execute(&GRANT_REQUEST_INSERT, values).await?;
    Ok(())
}

/// Writes down what was decided. `false` if something else was before.
pub async fn grant_request_decide(tx: &mut Tx, request: &GrantRequest) -> Result<bool> {
    let mut values = values![&request.organization_id, request.id];
    values.extend(state(&request.state));
    let row = tx
        .fetch_optional("action_grant_requests", &GRANT_REQUEST_DECIDE, values)
        .await?;
    Ok(row.is_some())
}

/// From `status` to `reason`.
fn state(state: &GrantRequestState) -> Vec<Value> {
    let (expires_at, by, at, grant, reason) = match state {
        GrantRequestState::Pending { expires_at } => (Some(*expires_at), None, None, None, None),
        GrantRequestState::Granted { by, at, grant } => {
            (None, Some(by), Some(*at), Some(grant.uuid()), None)
        }
        GrantRequestState::Refused { by, at, reason } => {
            (None, Some(by), Some(*at), None, reason.as_ref())
        }
        GrantRequestState::Expired { at } => (None, None, Some(*at), None, None),
    };
    values![state.status().as_str(), expires_at, by, at, grant, reason]
}

fn request(row: &Row) -> Result<GrantRequest> {
    let session_id = row.id("session_id")?;
    let predicates = predicates_from(&row.json("predicates")?);
    let decided_at = || row.time("decided_at");
    let state = match row.parsed::<GrantRequestStatus>("status")? {
        GrantRequestStatus::Pending => GrantRequestState::Pending {
            expires_at: row.time("expires_at")?,
        },
        GrantRequestStatus::Granted => GrantRequestState::Granted {
            by: row.parsed("decided_by")?,
            at: decided_at()?,
            grant: row.id("grant_id")?,
        },
        GrantRequestStatus::Refused => GrantRequestState::Refused {
            by: row.parsed("decided_by")?,
            at: decided_at()?,
            reason: row.text_opt("reason")?,
        },
        GrantRequestStatus::Expired => GrantRequestState::Expired { at: decided_at()? },
    };
    Ok(GrantRequest {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        session_id,
        draft: GrantDraft {
            scope: match row.parsed::<GrantScopeKind>("scope")? {
                GrantScopeKind::Session => GrantScope::Session(session_id),
                GrantScopeKind::Organization => GrantScope::Organization,
            },
            integration: row.parsed("integration")?,
            action: row.parsed("action")?,
            predicates: predicates.map_err(|reason| row.inconsistent("predicates", &reason))?,
            max_calls: row.max_calls()?,
            expires_at: row.time_opt("grant_expires_at")?,
        },
        created_at: row.time("created_at")?,
        state,
    })
}
