//! A terminal in a session's sandbox, over a WebSocket. Input and output are passed through unchanged.

use std::pin::pin;

use app::{
    access::{Insider, Steering},
    sessions,
};
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
use hub::{Terminal, TerminalFrame};
use tokio::time::{interval, timeout};

use super::{
    super::{hub, sandbox_call_failure},
    admission::admit,
    client::SocketClient,
    close::Close,
    handler::{SocketHandler, UpgradeContext},
};
use crate::{
    error::Failure,
    extract::{AccessLost, PathId, StreamCredential, StreamScope},
    openapi::SteerProblems,
    routes::Answer,
    state::Gateway,
};

/// A terminal in the session's sandbox, for callers who may steer the session; a paused one is resumed.
///
/// The token is sent as for the session's stream. Frames are terminal input, except the text `{"type":
/// "resize", "cols": .., "rows": ..}`; output is sent as binary frames, and the end as the text
/// `{"type": "exit", "code": ..}`. Closing the connection ends everything in the terminal.
#[utoipa::path(get, path = "/proliferate/{id}/terminal", operation_id = "session_terminal", tag = "live",
    params(("id" = uuid::Uuid, Path, description = "The session")),
    responses((status = 101, description = "A WebSocket: the terminal"), SteerProblems))]
pub(crate) async fn terminal(
    State(gateway): State<Gateway>,
    socket_client: SocketClient,
    PathId(id): PathId<SessionId>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer<Response> {
    hub(&gateway)?;
    let upgrade = upgrade.map_err(|_| {
        let wrong = domain::Invalid::new("Upgrade", "must be that of a WebSocket");
        Failure::from(wrong)
    })?;
    let context = UpgradeContext::new(&gateway, id, headers, &socket_client);
    admit(context, TerminalHandler, socket_client, upgrade).await
}

struct TerminalHandler;

impl SocketHandler for TerminalHandler {
    type Admitted = (Steering, Terminal);
    const FRAME_BYTES_MAX: usize = TERMINAL_FRAME_BYTES_MAX;
    const REFUSED_AS: Option<&'static str> = Some("session_terminal");

    async fn enter(
        &self,
        context: &UpgradeContext,
        insider: Insider,
    ) -> Result<Self::Admitted, Failure> {
        let hub = hub(&context.gateway)?;
        let steering = sessions::steer(&context.gateway.app, &insider, context.id).await?;
        let operation = "session_terminal_open";
        let access = steering.access();
        sessions::record(&context.gateway.app, &insider, access, operation).await?;
        let user_id = insider.user_id().map(ToString::to_string);
        let opened = hub.inside.open_terminal(&steering, user_id).await;
        let terminal = opened.map_err(sandbox_call_failure)?;
        Ok((steering, terminal))
    }

    async fn run(
        context: UpgradeContext,
        (steering, terminal): Self::Admitted,
        credential: StreamCredential,
        mut socket: WebSocket,
    ) {
        let scope = StreamScope::Steered(steering);
        let access_lost = credential.access_lost(context.gateway.clone(), scope);
        let Err(close) = carry(&context, terminal, access_lost, &mut socket).await;
        tracing::debug!(?close, session_id = %context.id, "a terminal is closed");
        close.send(&mut socket).await;
    }
}

/// One frame at a time in either direction: a client that does not read blocks the program's
/// output.
async fn carry(
    context: &UpgradeContext,
    mut terminal: Terminal,
    access_lost: impl Future<Output = AccessLost>,
    socket: &mut WebSocket,
) -> Result<std::convert::Infallible, Close> {
    let stop = context.gateway.sockets.stop.clone();
    let mut access_lost = pin!(access_lost);
    let mut ping = interval(EVENTS_KEEP_ALIVE);
    // The first tick is immediate.
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
                    Some(Err(_)) => return Err(context.unreadable()),
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
            access_lost = &mut access_lost => return Err(access_lost.into()),
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
