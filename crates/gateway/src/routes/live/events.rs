//! The stream of a session as server-sent events.

use std::convert::Infallible;

use app::access::Insider;
use axum::{
    extract::State,
    http::HeaderMap,
    response::sse::{Event, KeepAlive, Sse},
};
use domain::{Invalid, id::SessionId, limits::EVENTS_KEEP_ALIVE};
use futures::Stream;
use hub::house::Sent;
use tokio::sync::mpsc;
use wire::live::EventsQuery;

use super::house;
use crate::{
    extract::{Auth, PathId, Query},
    openapi::LiveProblems,
    routes::Answer,
    state::Gateway,
};

/// Watch a session: the conversation so far, then every event as it happens.
///
/// Each event's `id` is its place in the log. Whoever comes back with `Last-Event-ID`, or with `after`, gets
/// what they missed and nothing twice.
#[utoipa::path(get, path = "/proliferate/{id}/events", operation_id = "session_events", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session"), EventsQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The last event seen")),
    responses((status = 200, description = "Events without end: `data` is a frame of the protocol",
        content((String = "text/event-stream"))), LiveProblems))]
pub(crate) async fn events(
    State(gateway): State<Gateway>,
    Auth(insider): Auth<Insider>,
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
    let house = house(&gateway)?;
    let frames = house.watch(insider.organization_id(), id, after).await?;
    let keep_alive = KeepAlive::new().interval(EVENTS_KEEP_ALIVE);
    Ok(Sse::new(stream(frames)).keep_alive(keep_alive))
}

fn stream(frames: mpsc::Receiver<Sent>) -> impl Stream<Item = Result<Event, Infallible>> {
    futures::stream::unfold(frames, |mut frames| async {
        let sent = frames.recv().await?;
        let event = Event::default().data(&*sent.text);
        let event = match sent.seq {
            Some(seq) => event.id(seq.to_string()),
            None => event,
        };
        Some((Ok(event), frames))
    })
}
