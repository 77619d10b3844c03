//! The message loop of a WebSocket: events are sent, the client's messages handled, each in order.

use std::pin::pin;

use app::access::{Insider, SessionAccess};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use domain::{
    id::SessionId,
    limits::{
        EVENTS_KEEP_ALIVE, SOCKET_ASKED_MAX, SOCKET_BAD_FRAMES_MAX, SOCKET_PINGS_UNANSWERED_MAX,
        SOCKET_STALL_MAX, WATCH_QUEUE_MAX,
    },
};
use futures::SinkExt as _;
use hub::{ClientFrame, WatchedSession, session::unlogged_frame};
use tokio::{
    sync::mpsc,
    time::{interval, timeout},
};
use wire::live::{ClientMessage, LiveError, LiveErrorCode, ServerMessage};

use super::{close::Close, handler::UpgradeContext};
use crate::{
    extract::{StreamCredential, StreamScope},
    state::Gateway,
};

/// The admitted client of a session, with its subscription.
pub(super) struct AdmittedClient {
    pub(super) insider: Insider,
    pub(super) access: SessionAccess,
    pub(super) watching: WatchedSession,
}

pub(super) struct MessageLoop {
    pub(super) gateway: Gateway,
    pub(super) insider: Insider,
    pub(super) access: SessionAccess,
    pub(super) id: SessionId,
    pub(super) watching: WatchedSession,
    socket: WebSocket,
    /// The close reason for an invalid frame.
    unreadable: Close,
    bad_frames: u32,
    /// Results of slow requests.
    pub(super) later: mpsc::Sender<ServerMessage>,
    answers: mpsc::Receiver<ServerMessage>,
}

impl MessageLoop {
    pub(super) fn new(
        context: UpgradeContext,
        admitted: AdmittedClient,
        socket: WebSocket,
    ) -> Self {
        let (later, answers) = mpsc::channel(SOCKET_ASKED_MAX);
        Self {
            unreadable: context.unreadable(),
            gateway: context.gateway,
            insider: admitted.insider,
            access: admitted.access,
            id: context.id,
            watching: admitted.watching,
            socket,
            bad_frames: 0,
            later,
            answers,
        }
    }

    pub(super) async fn run(mut self, credential: StreamCredential) {
        let Err(close) = self.exchange(credential).await;
        tracing::debug!(?close, session_id = %self.id, "a client disconnected");
        close.send(&mut self.socket).await;
    }

    async fn exchange(
        &mut self,
        credential: StreamCredential,
    ) -> Result<std::convert::Infallible, Close> {
        let scope = StreamScope::Watched(self.access.clone());
        let mut access_lost = pin!(credential.access_lost(self.gateway.clone(), scope));
        let stop = self.gateway.sockets.stop.clone();
        let mut batch: Vec<ClientFrame> = Vec::new();
        let mut ping = interval(EVENTS_KEEP_ALIVE);
        // The first tick is immediate.
        ping.tick().await;
        let mut unanswered = 0;
        loop {
            tokio::select! {
                count = self.watching.frames.recv_many(&mut batch, WATCH_QUEUE_MAX) => {
                    if count == 0 {
                        let is_slow = self.watching.slow.is_cancelled();
                        return Err(if is_slow { Close::Slow } else { Close::Moved });
                    }
                    let frames = batch.drain(..).map(|sent| text_message(&sent.text));
                    send(&mut self.socket, &self.watching, frames).await?;
                }
                received = self.socket.recv() => {
                    unanswered = 0;
                    match received {
                        Some(Ok(Message::Text(text))) => self.handle_frame(&text).await?,
                        Some(Ok(Message::Binary(_))) => self.report_invalid_frame("frame: must be text").await?,
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                        Some(Err(_)) => return Err(self.unreadable.clone()),
                        Some(Ok(Message::Close(_))) | None => return Err(Close::Theirs),
                    }
                }
                Some(answer) = self.answers.recv() => self.send_to_client(answer).await?,
                _ = ping.tick() => {
                    if unanswered >= SOCKET_PINGS_UNANSWERED_MAX {
                        return Err(Close::Theirs);
                    }
                    unanswered += 1;
                    let ping = Message::Ping(axum::body::Bytes::new());
                    send(&mut self.socket, &self.watching, [ping].into_iter()).await?;
                }
                access_lost = &mut access_lost => return Err(access_lost.into()),
                () = stop.cancelled() => return Err(Close::Stopping),
            }
        }
    }

    async fn handle_frame(&mut self, frame: &str) -> Result<(), Close> {
        match ClientMessage::parse(frame) {
            Ok(ClientMessage::Auth(_)) => {
                self.report_invalid_frame("type: auth must be the first frame, and no other")
                    .await
            }
            Ok(message) => match self.handle_message(message).await {
                Some(answer) => self.send_to_client(answer).await,
                None => Ok(()),
            },
            Err(invalid) => self.report_invalid_frame(&invalid.to_string()).await,
        }
    }

    /// Reports an invalid frame. The connection continues, up to a limit of such frames.
    async fn report_invalid_frame(&mut self, message: &str) -> Result<(), Close> {
        self.bad_frames += 1;
        self.send_to_client(ServerMessage::Error(LiveError {
            message: message.to_owned(),
            code: LiveErrorCode::InvalidFrame,
            retryable: false,
        }))
        .await?;
        if self.bad_frames >= SOCKET_BAD_FRAMES_MAX {
            return Err(Close::policy("too many invalid frames"));
        }
        Ok(())
    }

    /// Sends to this client alone.
    async fn send_to_client(&mut self, message: ServerMessage) -> Result<(), Close> {
        let frame = text_message(&unlogged_frame(message));
        send(&mut self.socket, &self.watching, [frame].into_iter()).await
    }
}

/// Sends everything that is queued. A client that does not read is not waited for.
async fn send(
    socket: &mut WebSocket,
    watching: &WatchedSession,
    messages: impl Iterator<Item = Message>,
) -> Result<(), Close> {
    let sending = async {
        for message in messages {
            check_sent(&timeout(SOCKET_STALL_MAX, socket.feed(message)).await)?;
        }
        check_sent(&timeout(SOCKET_STALL_MAX, socket.flush()).await)
    };
    tokio::select! {
        sent = sending => sent,
        () = watching.slow.cancelled() => Err(Close::Slow),
    }
}

fn check_sent<E>(sent: &Result<Result<(), axum::Error>, E>) -> Result<(), Close> {
    match sent {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(Close::Theirs),
        Err(_) => Err(Close::Slow),
    }
}

fn text_message(frame: &str) -> Message {
    Message::Text(Utf8Bytes::from(frame))
}
