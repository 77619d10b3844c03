//! News of an organization as server-sent events.

use std::convert::Infallible;

use app::{
    access::Insider,
    news::{self, NewsSubscription, NewsUpdate},
};
use axum::{
    extract::State,
    response::sse::{Event, KeepAlive, Sse},
};
use domain::{capacity::CapacityPermit, limits::EVENTS_KEEP_ALIVE};
use futures::{Stream, StreamExt as _, stream};
use tokio_util::sync::CancellationToken;
use wire::news::NewsEvent;

use super::Answer;
use crate::{
    extract::{StreamAuth, StreamScope},
    openapi::FleetProblems,
    state::Gateway,
};

/// Changes in the organization, as they happen: which calls wait or were decided, which grants and sessions changed.
/// Clients read the current state separately.
///
/// `data` of each event is a `NewsEvent`. The first one is `begun`, after which a client reads what it shows; after
/// `missed` it reads it again. Missed events are not kept. A stream ends soon after the credential it was opened with:
/// a client cannot listen longer than its permissions last.
#[utoipa::path(get, path = "/v1/events", operation_id = "news", tag = "live",
    responses((status = 200, description = "Events without end: `data` is a `NewsEvent`",
        content((NewsEvent = "text/event-stream"))), FleetProblems))]
pub(crate) async fn listen(
    State(gateway): State<Gateway>,
    StreamAuth(insider, credential): StreamAuth<Insider>,
) -> Answer<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let permit = gateway
        .capacities
        .news
        .try_acquire(&insider.claimant(), 1)?;
    let listener = news::subscribe(&gateway.app, &insider).await?;
    let stop = gateway.sockets.stop.clone();
    let begun = stream::once(async { Ok(news_event(&NewsEvent::Begun)) });
    let heard = begun.chain(news_events(listener, permit, stop));
    let keep_alive = KeepAlive::new().interval(EVENTS_KEEP_ALIVE);
    let heard = heard.take_until(credential.access_lost(gateway, StreamScope::Organization));
    Ok(Sse::new(heard).keep_alive(keep_alive))
}

fn news_events(
    listener: NewsSubscription,
    permit: CapacityPermit,
    stop: CancellationToken,
) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(
        (listener, permit, stop),
        |(mut listener, permit, stop)| async {
            let heard = tokio::select! {
                heard = listener.next() => heard?,
                () = stop.cancelled() => return None,
            };
            let event = match heard {
                NewsUpdate::News(text) => Event::default().data(text),
                NewsUpdate::Missed => news_event(&NewsEvent::Missed),
            };
            Some((Ok(event), (listener, permit, stop)))
        },
    )
}

/// Every news event can be serialized.
fn news_event(news: &NewsEvent) -> Event {
    Event::default().json_data(news).unwrap_or_default()
}
