//! Tickets that exempt a lane from the lock.

use app::{
    access::{Admin, Insider},
    locks,
};
use axum::{extract::State, http::StatusCode};
use domain::id::OverrideTicketId;
use wire::{
    override_ticket::{OpenOverrideTicketRequest, OverrideTicketView},
    page::{ListQuery, Page},
};

use crate::{
    extract::{Auth, Json, PathId, Query},
    openapi::{ReadProblems, TicketProblems, WriteProblems},
    routes::Answer,
    state::Gateway,
};

/// Tickets of the organization, newest first.
#[utoipa::path(get, path = "/v1/override-tickets", operation_id = "override_ticket_list", tag = "locks",
    params(ListQuery),
    responses((status = 200, description = "A page of tickets", body = Page<OverrideTicketView>), ReadProblems))]
pub(crate) async fn list_tickets(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    Query(query): Query<ListQuery>,
) -> Answer<Json<Page<OverrideTicketView>>> {
    let page = locks::list(&gateway.app, &insider, query.page_request()?).await?;
    Ok(Json(Page::from_domain(page)))
}

/// Request an exemption of a lane from the lock for a time. Another admin has to approve it. For admins
/// and owners.
#[utoipa::path(post, path = "/v1/override-tickets", operation_id = "override_ticket_open", tag = "locks",
    request_body = OpenOverrideTicketRequest,
    responses((status = 201, description = "The ticket", body = OverrideTicketView), WriteProblems))]
pub(crate) async fn open_ticket(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<OpenOverrideTicketRequest>,
) -> Answer<(StatusCode, Json<OverrideTicketView>)> {
    let ticket = locks::open(&gateway.app, &admin, request.draft()?).await?;
    Ok((StatusCode::CREATED, Json(ticket.into())))
}

/// A ticket.
#[utoipa::path(get, path = "/v1/override-tickets/{id}", operation_id = "override_ticket_show", tag = "locks",
    params(("id" = uuid::Uuid, Path, description = "The ticket")),
    responses((status = 200, description = "The ticket", body = OverrideTicketView), ReadProblems))]
pub(crate) async fn show_ticket(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<OverrideTicketId>,
) -> Answer<Json<OverrideTicketView>> {
    let ticket = locks::fetch(&gateway.app, &insider, id).await?;
    Ok(Json(ticket.into()))
}

/// Approve a ticket that another admin opened. It can then be used once, by `override.enable` in the lane
/// `SYSTEM_OVERRIDE`. For admins and owners.
#[utoipa::path(post, path = "/v1/override-tickets/{id}/approve", operation_id = "override_ticket_approve",
    tag = "locks",
    params(("id" = uuid::Uuid, Path, description = "The ticket")),
    responses((status = 200, description = "The ticket as it is now", body = OverrideTicketView), TicketProblems))]
pub(crate) async fn approve_ticket(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<OverrideTicketId>,
) -> Answer<Json<OverrideTicketView>> {
    let ticket = locks::approve(&gateway.app, &admin, id).await?;
    Ok(Json(ticket.into()))
}

/// Close an unused ticket. One that is in use ends by `override.disable`. For admins and owners.
#[utoipa::path(post, path = "/v1/override-tickets/{id}/close", operation_id = "override_ticket_close",
    tag = "locks",
    params(("id" = uuid::Uuid, Path, description = "The ticket")),
    responses((status = 200, description = "The ticket as it is now", body = OverrideTicketView), TicketProblems))]
pub(crate) async fn close_ticket(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<OverrideTicketId>,
) -> Answer<Json<OverrideTicketView>> {
    let ticket = locks::close(&gateway.app, &admin, id).await?;
    Ok(Json(ticket.into()))
}
