//! The stream of a session as server-sent events.

use std::convert::Infallible;

use app::access::{Insider, SessionAccess};
use axum::{
    extract::State,
    http::HeaderMap,
    response::sse::{Event, KeepAlive, Sse},
};
use domain::{Invalid, id::SessionId, limits::EVENTS_KEEP_ALIVE};
use futures::{Stream, StreamExt as _};
use hub::WatchedSession;
use tokio_util::sync::CancellationToken;
use wire::live::EventsQuery;

use super::hub;
use crate::{
    extract::{PathId, Query, StreamAuth, StreamScope},
    openapi::LiveProblems,
    routes::{Answer, hold_permit},
    state::Gateway,
};

/// Watch a session: the conversation so far, then every event as it happens.
///
/// Each event's `id` is its position in the log. A client that reconnects with `Last-Event-ID`, or with
/// `after`, gets the missed events and none twice.
#[utoipa::path(get, path = "/proliferate/{id}/events", operation_id = "session_events", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session"), EventsQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The last event seen")),
    responses((status = 200, description = "Events without end: `data` is a frame of the protocol",
        content((String = "text/event-stream"))), LiveProblems))]
pub(crate) async fn events(
    State(gateway): State<Gateway>,
    StreamAuth(insider, credential): StreamAuth<Insider>,
    PathId(id): PathId<SessionId>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
) -> Answer<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let last = headers.get("last-event-id");
    let last = last.map(|last| {
        let number = last.to_str().ok().and_then(|last| last.parse().ok());
        number.ok_or_else(|| Invalid::new("Last-Event-ID", "must be the id of an event"))
    });
    let after = last.transpose()?.or(query.after);
    let hub = hub(&gateway)?;
    let access = SessionAccess::of(&gateway.app, &insider, id).await?;
    let permit = gateway
        .capacities
        .live_clients
        .try_acquire(&insider.claimant(), 1)?;
    let user_id = insider.user_id().map(ToString::to_string);
    let watching = hub.watchers.watch(&access, user_id, after).await?;
    let keep_alive = KeepAlive::new().interval(EVENTS_KEEP_ALIVE);
    let stream = stream(watching, gateway.sockets.stop.clone());
    let access_lost = credential.access_lost(gateway, StreamScope::Watched(access));
    let stream = hold_permit(stream.take_until(access_lost), permit);
    Ok(Sse::new(stream).keep_alive(keep_alive))
}

/// Ends when the session leaves this instance, and when the server stops.
fn stream(
    watching: WatchedSession,
    stop: CancellationToken,
) -> impl Stream<Item = Result<Event, Infallible>> {
    futures::stream::unfold((watching, stop), |(mut watching, stop)| async {
        let sent = tokio::select! {
            sent = watching.frames.recv() => sent?,
            () = stop.cancelled() => return None,
        };
        let event = Event::default().data(&*sent.text);
        let event = match sent.seq {
            Some(seq) => event.id(seq.to_string()),
            None => event,
        };
        Some((Ok(event), (watching, stop)))
    })
}
