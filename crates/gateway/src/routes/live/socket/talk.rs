//! A conversation over a WebSocket: what happens goes out, what the client says is taken, each in its order.

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
use hub::{
    house::{Sent, Watching},
    session::aside,
};
use tokio::{
    sync::mpsc,
    time::{interval, timeout},
};
use wire::live::{ClientMessage, LiveError, LiveErrorCode, ServerMessage};

use super::{Entered, close::Close, errand::Visit};
use crate::{extract::Standing, state::Gateway};

pub(super) struct Talk {
    pub(super) gateway: Gateway,
    pub(super) insider: Insider,
    pub(super) access: SessionAccess,
    pub(super) id: SessionId,
    pub(super) watching: Watching,
    socket: WebSocket,
    /// How it ends when a frame cannot be read.
    unreadable: Close,
    bad_frames: u32,
    /// Answers to what took a while.
    pub(super) later: mpsc::Sender<ServerMessage>,
    answers: mpsc::Receiver<ServerMessage>,
}

impl Talk {
    pub(super) fn new(visit: Visit, entered: Entered, socket: WebSocket) -> Self {
        let (later, answers) = mpsc::channel(SOCKET_ASKED_MAX);
        Self {
            unreadable: visit.unreadable(),
            gateway: visit.gateway,
            insider: entered.insider,
            access: entered.access,
            id: visit.id,
            watching: entered.watching,
            socket,
            bad_frames: 0,
            later,
            answers,
        }
    }

    pub(super) async fn run(mut self, standing: Standing) {
        let Err(close) = self.talk(standing).await;
        tracing::debug!(?close, session_id = %self.id, "a client is gone");
        close.send(&mut self.socket).await;
    }

    async fn talk(&mut self, standing: Standing) -> Result<std::convert::Infallible, Close> {
        let mut fallen = pin!(standing.fallen(self.gateway.clone()));
        let stop = self.gateway.sockets.stop.clone();
        let mut batch: Vec<Sent> = Vec::new();
        let mut ping = interval(EVENTS_KEEP_ALIVE);
        // The first comes at once.
        ping.tick().await;
        let mut unanswered = 0;
        loop {
            tokio::select! {
                count = self.watching.frames.recv_many(&mut batch, WATCH_QUEUE_MAX) => {
                    if count == 0 {
                        let is_slow = self.watching.slow.is_cancelled();
                        return Err(if is_slow { Close::Slow } else { Close::Moved });
                    }
                    let frames = batch.drain(..).map(|sent| text(&sent.text));
                    send(&mut self.socket, &self.watching, frames).await?;
                }
                received = self.socket.recv() => {
                    unanswered = 0;
                    match received {
                        Some(Ok(Message::Text(text))) => self.take(&text).await?,
                        Some(Ok(Message::Binary(_))) => self.complain("frame: must be text").await?,
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                        Some(Err(_)) => return Err(self.unreadable.clone()),
                        Some(Ok(Message::Close(_))) | None => return Err(Close::Theirs),
                    }
                }
                Some(answer) = self.answers.recv() => self.say(answer).await?,
                _ = ping.tick() => {
                    if unanswered >= SOCKET_PINGS_UNANSWERED_MAX {
                        return Err(Close::Theirs);
                    }
                    unanswered += 1;
                    let ping = Message::Ping(axum::body::Bytes::new());
                    send(&mut self.socket, &self.watching, [ping].into_iter()).await?;
                }
                fallen = &mut fallen => return Err(fallen.into()),
                () = stop.cancelled() => return Err(Close::Stopping),
            }
        }
    }

    async fn take(&mut self, frame: &str) -> Result<(), Close> {
        match ClientMessage::parse(frame) {
            Ok(ClientMessage::Auth(_)) => {
                self.complain("type: auth must be the first frame, and no other")
                    .await
            }
            Ok(message) => match self.answer(message).await {
                Some(answer) => self.say(answer).await,
                None => Ok(()),
            },
            Err(invalid) => self.complain(&invalid.to_string()).await,
        }
    }

    /// Says what is wrong with a frame. The connection goes on, but not for ever.
    async fn complain(&mut self, message: &str) -> Result<(), Close> {
        self.bad_frames += 1;
        self.say(ServerMessage::Error(LiveError {
            message: message.to_owned(),
            code: LiveErrorCode::InvalidFrame,
            retryable: false,
        }))
        .await?;
        if self.bad_frames >= SOCKET_BAD_FRAMES_MAX {
            return Err(Close::policy("too many frames that cannot be read"));
        }
        Ok(())
    }

    /// Tells this client alone.
    async fn say(&mut self, message: ServerMessage) -> Result<(), Close> {
        let frame = text(&aside(message));
        send(&mut self.socket, &self.watching, [frame].into_iter()).await
    }
}

/// Sends in one go what is there. Whoever takes nothing is not waited for.
async fn send(
    socket: &mut WebSocket,
    watching: &Watching,
    messages: impl Iterator<Item = Message>,
) -> Result<(), Close> {
    let sending = async {
        for message in messages {
            taken(&timeout(SOCKET_STALL_MAX, socket.feed(message)).await)?;
        }
        taken(&timeout(SOCKET_STALL_MAX, socket.flush()).await)
    };
    tokio::select! {
        sent = sending => sent,
        () = watching.slow.cancelled() => Err(Close::Slow),
    }
}

fn taken<E>(sent: &Result<Result<(), axum::Error>, E>) -> Result<(), Close> {
    match sent {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(Close::Theirs),
        Err(_) => Err(Close::Slow),
    }
}

fn text(frame: &str) -> Message {
    Message::Text(Utf8Bytes::from(frame))
}
