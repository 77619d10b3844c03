//! A session at its own address: with an upgrade its stream as a WebSocket, without one where its agent runs.
//!
//! INVARIANT: a token comes in a header, a cookie, as a subprotocol or in the first frame, never in the address, which others log.
//! Of what a client offers, the answer names the version of the protocol alone.

mod answer;
mod close;
mod talk;
mod visitor;

use app::{access::Insider, sessions};
use axum::{
    extract::{
        State,
        ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use domain::{
    clock::Timestamp,
    id::SessionId,
    limits::{LIVE_FRAME_BYTES_MAX, SOCKET_READ_BUFFER_BYTES, SOCKET_WRITE_BUFFER_BYTES},
};
use hub::house::{SandboxInfo, Watching};
use wire::{
    live::{EventsQuery, SandboxView},
    problem::Code,
};

use self::{
    talk::Talk,
    visitor::{PROTOCOL, Visitor},
};
use super::house;
use crate::{
    error::Failure,
    extract::{Json, PathId, Query},
    openapi::LiveProblems,
    routes::Answer,
    state::Gateway,
};

/// Watch a session and talk to it over a WebSocket; without an upgrade, where its agent runs.
///
/// Whoever cannot send an `Authorization` header offers the subprotocols `proliferate.v1` and `bearer.TOKEN`, or sends
/// `{"type": "auth", "token": TOKEN}` as the first frame. Frames are those of docs/reference/live.schema.json; each
/// event has its place in the log (`seq`), and whoever comes back with the last one as `after` gets what they missed and
/// nothing twice.
#[utoipa::path(get, path = "/proliferate/{id}", operation_id = "session_attach", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session"), EventsQuery),
    responses((status = 101, description = "A WebSocket: frames of the protocol"),
        (status = 200, description = "Where its agent runs", body = SandboxView), LiveProblems))]
pub(crate) async fn attach(
    State(gateway): State<Gateway>,
    visitor: Visitor,
    PathId(id): PathId<SessionId>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer<Response> {
    let house = house(&gateway)?;
    let upgrade = match (upgrade, &visitor) {
        (Ok(upgrade), _) => upgrade,
        (Err(_), Visitor::Known(insider)) => {
            let info = house.info(insider.organization_id(), id).await?;
            return Ok(Json(view(&info)).into_response());
        }
        (Err(_), Visitor::Unknown) => {
            return Err(Failure::new(Code::Unauthenticated, "this is no WebSocket"));
        }
    };
    let full = |_| Failure::new(Code::Overloaded, "too many clients are connected");
    let sockets = &gateway.sockets;
    let room = sockets.room.clone().try_acquire_owned().map_err(full)?;
    let visit = Visit {
        gateway: gateway.clone(),
        id,
        after: query.after,
        headers,
    };
    let open = sockets.open.token();
    let upgrade = upgrade
        .protocols([PROTOCOL])
        .max_message_size(LIVE_FRAME_BYTES_MAX)
        .max_frame_size(LIVE_FRAME_BYTES_MAX)
        .read_buffer_size(SOCKET_READ_BUFFER_BYTES)
        .write_buffer_size(SOCKET_WRITE_BUFFER_BYTES);
    Ok(match visitor {
        Visitor::Known(insider) => {
            // Refused here, a client is told why by the status.
            let (insider, watching) = visit.enter(insider).await?;
            upgrade.on_upgrade(async move |socket| {
                let _here = (room, open);
                Talk::new(visit, insider, watching, socket).run().await;
            })
        }
        Visitor::Unknown => {
            let unknown = sockets.unknown.clone().try_acquire_owned().map_err(full)?;
            upgrade.on_upgrade(async move |socket| {
                let _here = (room, open);
                if let Some(talk) = visit.introduce(socket).await {
                    drop(unknown);
                    talk.run().await;
                }
            })
        }
    })
}

/// What a client came for.
struct Visit {
    gateway: Gateway,
    id: SessionId,
    after: Option<u64>,
    headers: HeaderMap,
}

impl Visit {
    /// Takes a place in the stream.
    async fn enter(&self, insider: Insider) -> Result<(Insider, Watching), Failure> {
        let house = house(&self.gateway)?;
        sessions::fetch(&self.gateway.app, &insider, self.id).await?;
        let user_id = insider.user_id().map(ToString::to_string);
        let organization_id = insider.organization_id();
        let watching = house
            .watch(organization_id, self.id, user_id, self.after)
            .await?;
        Ok((insider, watching))
    }
}

fn view(info: &SandboxInfo) -> SandboxView {
    let sandbox = info.sandbox.as_ref();
    SandboxView {
        session_id: info.session.id.uuid(),
        status: info.session.state.status().into(),
        sandbox_id: sandbox.map(|sandbox| sandbox.id.clone()),
        provider: sandbox.map(|sandbox| sandbox.provider.clone()),
        tier: sandbox.map(|sandbox| sandbox.tier.clone()),
        unprotected: sandbox
            .map(|sandbox| {
                sandbox
                    .unprotected
                    .iter()
                    .map(ToString::to_string)
                    .collect()
            })
            .unwrap_or_default(),
        expires_at: sandbox
            .and_then(|sandbox| sandbox.expires_at)
            .map(Timestamp::datetime),
    }
}
