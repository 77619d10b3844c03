//! Reading a shared transcript, without a credential.

use app::sharing;
use axum::extract::State;
use wire::sharing::{ReadSharedRequest, SharedTranscript};

use super::transcript::shown;
use crate::{
    extract::{ClientAddress, Json},
    openapi::SharedProblems,
    routes::Answer,
    state::Gateway,
};

/// Read a shared transcript, a page at a time, by the code of a share link.
///
/// A link that expired, was revoked or never existed gets one answer. The first opening within an hour is recorded in the
/// organization's audit log. Each client, and each link, has a number of pages a minute.
#[utoipa::path(post, path = "/v1/shared", operation_id = "shared_read", tag = "sharing", security(()),
    request_body = ReadSharedRequest,
    responses((status = 200, description = "A page of it", body = SharedTranscript), SharedProblems))]
pub(crate) async fn read(
    State(gateway): State<Gateway>,
    ClientAddress(client): ClientAddress,
    Json(request): Json<ReadSharedRequest>,
) -> Answer<Json<SharedTranscript>> {
    let reader = sharing::open_shared(&gateway.app, request.code.expose(), client).await?;
    let after = request.after.unwrap_or_default();
    let page = sharing::read_shared(&gateway.app, &reader, after).await?;
    let first = page.events.first().map(|event| event.seq);
    let events = page.events.iter();
    Ok(Json(SharedTranscript {
        title: page.title,
        created_at: page.created_at.datetime(),
        expires_at: page.expires_at.datetime(),
        begins_later: after == 0 && first.is_some_and(|first| first > 1),
        events: events
            .filter_map(|event| shown(event, &page.secrets))
            .collect(),
        next: page.next,
    }))
}
