//! A session at its own address: with an upgrade its stream as a WebSocket, without one where its agent runs.
//!
//! INVARIANT: a token comes in a header, a cookie, as a subprotocol or in the first frame, never in the address, which others log.
//! Of what a client offers, the answer names the version of the protocol alone.

mod answer;
mod close;
mod errand;
mod repository;
mod services;
mod talk;
mod terminal;
mod visitor;

use app::access::{Insider, SessionAccess};
use axum::{
    extract::{
        State,
        ws::{WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use domain::{clock::Timestamp, id::SessionId, limits::LIVE_FRAME_BYTES_MAX};
use hub::house::{SandboxInfo, Watching};
use wire::{
    live::{EventsQuery, SandboxView},
    problem::Code,
};

pub(crate) use self::terminal::*;
pub(crate) use self::visitor::Visitor;
use self::{
    errand::{Errand, Visit, admit},
    talk::Talk,
};
use super::house;
use crate::{
    error::Failure,
    extract::{Json, PathId, Query, Standing},
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
        (Err(_), Visitor::Known(staying)) => {
            let access = SessionAccess::of(&gateway.app, &staying.0, id).await?;
            let info = house.info(&access).await?;
            return Ok(Json(view(&info)).into_response());
        }
        (Err(_), Visitor::Unknown(_)) => {
            return Err(Failure::new(Code::Unauthenticated, "this is no WebSocket"));
        }
    };
    let visit = Visit::new(&gateway, id, headers, &visitor);
    let watch = Watch { after: query.after };
    admit(visit, watch, visitor, upgrade).await
}

/// Watching a session and talking to it.
struct Watch {
    after: Option<u64>,
}

/// Who watches which session, and their place in its stream.
struct Entered {
    insider: Insider,
    access: SessionAccess,
    watching: Watching,
}

impl Errand for Watch {
    type Entered = Entered;
    const FRAME_BYTES_MAX: usize = LIVE_FRAME_BYTES_MAX;
    const REFUSED_AS: Option<&'static str> = None;

    /// Takes a place in the stream.
    async fn enter(&self, visit: &Visit, insider: Insider) -> Result<Self::Entered, Failure> {
        let house = house(&visit.gateway)?;
        let access = SessionAccess::of(&visit.gateway.app, &insider, visit.id).await?;
        let user_id = insider.user_id().map(ToString::to_string);
        let watching = house.watch(&access, user_id, self.after).await?;
        Ok(Entered {
            insider,
            access,
            watching,
        })
    }

    async fn run(visit: Visit, entered: Entered, standing: Standing, socket: WebSocket) {
        Talk::new(visit, entered, socket).run(standing).await;
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
