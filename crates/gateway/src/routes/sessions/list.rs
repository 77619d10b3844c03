//! Listing sessions.

use app::{access::Insider, sessions};
use axum::extract::State;
use store::SessionFilter;
use wire::{
    page::Page,
    session::{ListSessionsQuery, SessionView},
};

use crate::{
    extract::{Auth, Json, Query},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// The organization's sessions, newest first.
#[utoipa::path(get, path = "/v1/sessions", operation_id = "session_list", tag = "sessions",
    params(ListSessionsQuery),
    responses((status = 200, description = "A page of sessions", body = Page<SessionView>), ReadProblems))]
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<ListSessionsQuery>,
) -> Answer<Json<Page<SessionView>>> {
    let filter = SessionFilter {
        status: query.status.map(Into::into),
        session_type: query.session_type.map(Into::into),
        client_type: query.client_type.map(Into::into),
        configuration_id: query.configuration_id()?,
        created_by: query.created_by()?,
    };
    let page = sessions::list(&gateway.app, &insider, &filter, query.page_request()?).await?;
    Ok(Json(Page::from_domain(page)))
}
