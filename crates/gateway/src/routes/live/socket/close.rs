//! How a connection ends, and what the client is told of it.

use std::borrow::Cow;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use domain::limits::{SOCKET_CLOSE_WAIT, SOCKET_UNKNOWN_FRAME_BYTES_MAX};
use tokio::time::timeout;

use crate::extract::Fallen;

/// Names the limit `SOCKET_UNKNOWN_FRAME_BYTES_MAX`. The reason of a close has at most 123 bytes.
const AFTER_FRAME: &str = "a frame is above 64 KiB, or is none: for larger ones give the token in a header or \
                           subprotocol, or use POST";
const _: () = assert!(AFTER_FRAME.len() <= 123 && SOCKET_UNKNOWN_FRAME_BYTES_MAX == 64 * 1024);

/// Why a connection ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Close {
    /// The client did it, or is gone.
    Theirs,
    /// The client takes too little of what it is sent.
    Slow,
    /// The session is no longer served here: it moved, or was let go. Connect again.
    Moved,
    /// Another instance serves the session. Connect again, where the load balancer knows better.
    WrongInstance,
    /// The client may do other things than when it came. Connect again, as who they are now.
    Changed,
    /// What it was opened for is over.
    Ended,
    /// The server stops.
    Stopping,
    /// The session cannot be watched now.
    Setup,
    /// A frame that is too large, or is none.
    Unreadable,
    /// The same of a client that gave its token in the first frame, which has a smaller limit.
    UnreadableAfterFrame,
    /// The client does what it must not.
    Policy(Cow<'static, str>),
}

impl From<Fallen> for Close {
    fn from(fallen: Fallen) -> Self {
        match fallen {
            Fallen::Out => Self::policy("unauthenticated"),
            Fallen::Changed => Self::Changed,
        }
    }
}

impl Close {
    pub(super) fn policy(reason: &'static str) -> Self {
        Self::Policy(Cow::Borrowed(reason))
    }

    fn frame(&self) -> Option<CloseFrame> {
        let (code, reason) = match self {
            Self::Theirs => return None,
            Self::Slow => (close_code::POLICY, "slow_consumer"),
            Self::Moved => (close_code::AWAY, "moved"),
            Self::WrongInstance => (close_code::AWAY, "wrong_instance"),
            Self::Changed => (close_code::AWAY, "changed"),
            Self::Ended => (close_code::NORMAL, "ended"),
            Self::Stopping => (close_code::AWAY, "stopping"),
            Self::Setup => (close_code::ERROR, "setup_failed"),
            Self::Unreadable => (close_code::SIZE, "a frame is too large, or is none"),
            Self::UnreadableAfterFrame => (close_code::SIZE, AFTER_FRAME),
            Self::Policy(reason) => (close_code::POLICY, reason.as_ref()),
        };
        Some(CloseFrame {
            code,
            reason: reason.into(),
        })
    }

    /// Tells the client, and waits a little for it to have heard it: bytes that nobody reads would take the reason
    /// with them.
    pub(super) async fn send(self, socket: &mut WebSocket) {
        let Some(frame) = self.frame() else { return };
        let told = async {
            if socket.send(Message::Close(Some(frame))).await.is_ok() {
                while let Some(Ok(_)) = socket.recv().await {}
            }
        };
        // Whoever does not read is not waited for.
        let _ = timeout(SOCKET_CLOSE_WAIT, told).await;
    }
}
