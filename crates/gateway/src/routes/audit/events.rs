//! Looking for events.

use app::audit;
use axum::extract::State;
use domain::{
    audit::{ActionType, Outcome},
    caller::Caller,
};
use store::AuditFilter;
use wire::{
    audit::{AuditRecordView, ListAuditEventsQuery},
    page::Page,
};

use super::{reader, view};
use crate::{
    extract::{Auth, Json, Query},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// Events of the organization's log, newest first. An event appears about a second after it happened.
#[utoipa::path(get, path = "/v1/audit/events", operation_id = "audit_event_list", tag = "audit",
    params(ListAuditEventsQuery),
    responses((status = 200, description = "A page of records", body = Page<AuditRecordView>), ReadProblems))]
pub(crate) async fn events(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    Query(query): Query<ListAuditEventsQuery>,
) -> Answer<Json<Page<AuditRecordView>>> {
    let case_id = query.case_id()?;
    let reader = reader(&gateway, &caller, case_id.as_ref()).await?;
    let filter = AuditFilter {
        case_id,
        session_id: query.session_id()?,
        run_id: query.run_id.clone(),
        action_type: query
            .action_type
            .map(|action| ActionType::from(action).as_str()),
        outcome: query.outcome.map(|outcome| Outcome::from(outcome).as_str()),
        actor_id: query.actor_id.clone(),
        from: query.from(),
        to: query.to(),
    };
    let page = audit::list(&gateway.app, &reader, filter, query.page_request()?).await?;
    let organization_id = caller.organization_id();
    let items = page
        .items
        .iter()
        .map(|record| view(organization_id, record));
    Ok(Json(Page {
        items: items.collect(),
        next_cursor: page.next.map(|id| id.to_string()),
    }))
}
