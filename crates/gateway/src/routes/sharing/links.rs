//! Share links of a session.

use app::{access::Insider, sharing};
use axum::{extract::State, http::StatusCode};
use domain::id::{SessionId, ShareLinkId};
use wire::{
    secret_text::SecretText,
    sharing::{CreateShareLinkRequest, CreatedShareLink, ShareLinksResponse},
};

use crate::{
    extract::{Auth, Json, PathId, PathIds},
    openapi::{EndProblems, ReadProblems, WriteProblems},
    routes::Answer,
    state::Gateway,
};

/// Make a link to a session's transcript. For its creator and admins.
///
/// A reader with the link needs no credential, and sees what was recorded until the link expires or is revoked: no
/// secrets, parameters of approvals, previews or terminals. The address is shown only now; the gateway keeps its digest.
#[utoipa::path(post, path = "/v1/sessions/{id}/share-links", operation_id = "share_link_create", tag = "sharing",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    request_body = CreateShareLinkRequest,
    responses((status = 201, description = "The link", body = CreatedShareLink), WriteProblems))]
pub(crate) async fn create_link(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
    Json(request): Json<CreateShareLinkRequest>,
) -> Answer<(StatusCode, Json<CreatedShareLink>)> {
    let hours = request.expires_in_hours;
    let created = sharing::create_link(&gateway.app, &insider, id, hours).await?;
    // Behind `#`: browsers send it to no server, so it is in no log and no `Referer`.
    let url = gateway
        .own_url
        .page(&format!("/shared#{}", created.text.expose()));
    let body = CreatedShareLink {
        link: created.link.into(),
        url: SecretText::new(url),
    };
    Ok((StatusCode::CREATED, Json(body)))
}

/// The share links of a session, newest first, those that are over included. For its creator and admins.
#[utoipa::path(get, path = "/v1/sessions/{id}/share-links", operation_id = "share_link_list", tag = "sharing",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 200, description = "The links", body = ShareLinksResponse), ReadProblems))]
pub(crate) async fn list_links(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathId(id): PathId<SessionId>,
) -> Answer<Json<ShareLinksResponse>> {
    let links = sharing::list_links(&gateway.app, &insider, id).await?;
    Ok(Json(ShareLinksResponse {
        items: links.into_iter().map(Into::into).collect(),
        allowed: sharing::link_policy(&gateway.app, &insider).await?,
    }))
}

/// Revoke a share link: it shows nothing from now on. Revoking it again changes nothing.
#[utoipa::path(delete, path = "/v1/sessions/{id}/share-links/{link}", operation_id = "share_link_revoke",
    tag = "sharing",
    params(("id" = uuid::Uuid, Path, description = "The session"),
        ("link" = uuid::Uuid, Path, description = "The link")),
    responses((status = 204, description = "It is revoked"), EndProblems))]
pub(crate) async fn revoke_link(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
    PathIds(id, link): PathIds<SessionId, ShareLinkId>,
) -> Answer<StatusCode> {
    sharing::revoke_link(&gateway.app, &insider, id, link).await?;
    Ok(StatusCode::NO_CONTENT)
}
