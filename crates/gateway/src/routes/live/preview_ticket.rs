//! Previews by ticket: for pages with an opaque origin, and so without a cookie.

use app::{access::Person, identity};
use axum::{
    extract::{Path, Request, State},
    response::Response,
};
use domain::id::SessionId;
use secrecy::ExposeSecret as _;
use wire::{
    live::{PreviewTicketRequest, PreviewTicketView},
    problem::Code,
};

use super::preview::{AuthorizedPreview, parameter, proxy};
use crate::{
    error::Failure,
    extract::{Auth, Json, PathId, StreamAuth, StreamCredential},
    openapi::{SteerProblems, WriteProblems},
    routes::Answer,
    state::Gateway,
};

/// Let a browser show a port of a session's sandbox in a frame: returns a URL that is valid for an hour.
///
/// A client with the URL has the requester's access to this port of this session, and to nothing else.
#[utoipa::path(post, path = "/v1/sessions/{id}/preview", operation_id = "session_preview_open", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    request_body = PreviewTicketRequest,
    responses((status = 200, description = "Where to look", body = PreviewTicketView), WriteProblems))]
pub(crate) async fn preview_open(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    PathId(id): PathId<SessionId>,
    Json(request): Json<PreviewTicketRequest>,
) -> Answer<Json<PreviewTicketView>> {
    let ticket = identity::preview_ticket(&gateway.app, &person, id, request.port).await?;
    Ok(Json(PreviewTicketView {
        url: format!("/proliferate/{id}/look/{}/", ticket.text.expose_secret()),
        expires_at: ticket.expires_at.datetime(),
    }))
}

/// Preview a port of a session's sandbox, by the URL that `POST /v1/sessions/{id}/preview` returned. Paths below it
/// are proxied to that server, with any method.
#[utoipa::path(get, path = "/proliferate/{id}/look/{ticket}/", operation_id = "session_preview_look", tag = "live",
    security(()),
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("ticket" = String, Path, description = "As it was returned")),
    responses((status = 200, description = "The server's response, with its own status",
        content((Vec<u8> = "application/octet-stream"))), SteerProblems))]
pub(crate) async fn preview_look(
    State(gateway): State<Gateway>,
    Path(parameters): Path<Vec<(String, String)>>,
    request: Request,
) -> Answer<Response> {
    let named = parameter(&parameters, "id").and_then(|id| id.parse().ok());
    let named: Option<SessionId> = named;
    let (Some(id), Some(ticket)) = (named, parameter(&parameters, "ticket")) else {
        let message = "there is nothing with this id";
        return Err(Failure::new(Code::NotFound, message));
    };
    let (StreamAuth(insider, credential), port) =
        StreamCredential::of_ticket(&gateway, id, ticket).await?;
    let preview = AuthorizedPreview {
        insider,
        credential,
        id,
        port,
        base: format!("/proliferate/{id}/look/{ticket}"),
    };
    proxy(&gateway, preview, request).await
}
