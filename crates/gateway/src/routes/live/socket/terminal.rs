//! A terminal in a session's sandbox, over a WebSocket. What is typed and printed passes through as it is.

use std::pin::pin;

use app::{access::Insider, sessions};
use axum::{
    extract::{
        State,
        ws::{Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::HeaderMap,
    response::Response,
};
use domain::{
    id::SessionId,
    limits::{
        EVENTS_KEEP_ALIVE, SOCKET_PINGS_UNANSWERED_MAX, SOCKET_STALL_MAX, TERMINAL_FRAME_BYTES_MAX,
    },
};
use hub::house::{Terminal, TerminalFrame};
use tokio::time::{interval, timeout};

use super::{
    super::{house, not_given},
    close::Close,
    errand::{Errand, Visit, admit},
    visitor::Visitor,
};
use crate::{
    error::Failure,
    extract::{PathId, Standing},
    openapi::SteerProblems,
    routes::Answer,
    state::Gateway,
};

/// A terminal in the session's sandbox, for whoever may steer the session; one that sleeps is woken.
///
/// The token comes as for the session's stream. Frames are what is typed, except the text
/// `{"type": "resize", "cols": .., "rows": ..}`; output comes as binary frames, and the end as the text
/// `{"type": "exit", "code": ..}`. Closing the connection ends everything in the terminal.
#[utoipa::path(get, path = "/proliferate/{id}/terminal", operation_id = "session_terminal", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 101, description = "A WebSocket: the terminal"), SteerProblems))]
pub(crate) async fn terminal(
    State(gateway): State<Gateway>,
    visitor: Visitor,
    PathId(id): PathId<SessionId>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer<Response> {
    house(&gateway)?;
    let upgrade = upgrade.map_err(|_| {
        let wrong = domain::Invalid::new("Upgrade", "must be a WebSocket's");
        Failure::from(wrong)
    })?;
    let visit = Visit::new(&gateway, id, headers, &visitor);
    admit(visit, Typing, visitor, upgrade).await
}

struct Typing;

impl Errand for Typing {
    type Entered = Terminal;
    const FRAME_BYTES_MAX: usize = TERMINAL_FRAME_BYTES_MAX;
    const REFUSED_AS: Option<&'static str> = Some("session_terminal");

    async fn enter(&self, visit: &Visit, insider: Insider) -> Result<Terminal, Failure> {
        let house = house(&visit.gateway)?;
        let steering = sessions::steer(&visit.gateway.app, &insider, visit.id).await?;
        let operation = "session_terminal_open";
        sessions::record(&visit.gateway.app, &insider, visit.id, operation).await?;
        let user_id = insider.user_id().map(ToString::to_string);
        let opened = house.terminal(&steering, user_id).await;
        opened.map_err(not_given)
    }

    async fn run(visit: Visit, terminal: Terminal, standing: Standing, mut socket: WebSocket) {
        let Err(close) = carry(&visit, terminal, standing, &mut socket).await;
        tracing::debug!(?close, session_id = %visit.id, "a terminal is closed");
        close.send(&mut socket).await;
    }
}

/// One frame at a time, either way: whoever does not read stops the program that prints.
async fn carry(
    visit: &Visit,
    mut terminal: Terminal,
    standing: Standing,
    socket: &mut WebSocket,
) -> Result<std::convert::Infallible, Close> {
    let stop = visit.gateway.sockets.stop.clone();
    let mut fallen = pin!(standing.fallen(visit.gateway.clone()));
    let mut ping = interval(EVENTS_KEEP_ALIVE);
    // The first comes at once.
    ping.tick().await;
    let mut unanswered = 0;
    loop {
        tokio::select! {
            said = terminal.next() => {
                let message = match said {
                    Some(TerminalFrame::Bytes(bytes)) => Message::Binary(bytes),
                    Some(TerminalFrame::Text(text)) => Message::Text(text.into()),
                    None => return Err(Close::Ended),
                };
                send(socket, message).await?;
            }
            received = socket.recv() => {
                unanswered = 0;
                let typed = match received {
                    Some(Ok(Message::Text(text))) => TerminalFrame::Text(text.as_str().to_owned()),
                    Some(Ok(Message::Binary(bytes))) => TerminalFrame::Bytes(bytes),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Err(_)) => return Err(visit.unreadable()),
                    Some(Ok(Message::Close(_))) | None => return Err(Close::Theirs),
                };
                if !matches!(timeout(SOCKET_STALL_MAX, terminal.send(typed)).await, Ok(true)) {
                    return Err(Close::Ended);
                }
            }
            _ = ping.tick() => {
                if unanswered >= SOCKET_PINGS_UNANSWERED_MAX {
                    return Err(Close::Theirs);
                }
                unanswered += 1;
                send(socket, Message::Ping(axum::body::Bytes::new())).await?;
            }
            fallen = &mut fallen => return Err(fallen.into()),
            () = stop.cancelled() => return Err(Close::Stopping),
        }
    }
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), Close> {
    match timeout(SOCKET_STALL_MAX, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(Close::Theirs),
        Err(_) => Err(Close::Slow),
    }
}
