//! How a connection is closed, and the reason for the client.

use std::borrow::Cow;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use domain::limits::{SOCKET_CLOSE_WAIT, SOCKET_UNKNOWN_FRAME_BYTES_MAX};
use tokio::time::timeout;

use crate::extract::AccessLost;

/// Names the limit `SOCKET_UNKNOWN_FRAME_BYTES_MAX`. The reason of a close has at most 123 bytes.
const AFTER_FRAME: &str = "a frame is above 64 KiB, or is none: for larger ones give the token in a header or \
                           subprotocol, or use POST";
const _: () = assert!(AFTER_FRAME.len() <= 123 && SOCKET_UNKNOWN_FRAME_BYTES_MAX == 64 * 1024);

/// For a client of an organization that is suspended or being deleted.
pub(super) const SUSPENDED: &str = "organization suspended";

/// Why a connection is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Close {
    /// The client closed it, or is disconnected.
    Theirs,
    /// The client reads too slowly.
    Slow,
    /// The session is no longer served here: it was handed off or evicted. Reconnect.
    Moved,
    /// Another instance serves the session. Reconnect; the load balancer may route to it.
    WrongInstance,
    /// The client's permissions have changed. Reconnect with the current ones.
    Changed,
    /// Its purpose is fulfilled.
    Ended,
    /// The server stops.
    Stopping,
    /// The session cannot be watched now.
    Setup,
    /// A frame that is too large, or invalid.
    Unreadable,
    /// The same for a client that authenticated in the first frame, which has a smaller limit.
    UnreadableAfterFrame,
    /// A violation by the client.
    Policy(Cow<'static, str>),
}

impl From<AccessLost> for Close {
    fn from(access_lost: AccessLost) -> Self {
        match access_lost {
            AccessLost::Revoked => Self::policy("unauthenticated"),
            AccessLost::Changed => Self::Changed,
            AccessLost::Suspended => Self::policy(SUSPENDED),
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
            Self::Unreadable => (close_code::SIZE, "a frame is too large, or invalid"),
            Self::UnreadableAfterFrame => (close_code::SIZE, AFTER_FRAME),
            Self::Policy(reason) => (close_code::POLICY, reason.as_ref()),
        };
        Some(CloseFrame {
            code,
            reason: reason.into(),
        })
    }

    /// Sends the close reason, and waits a little for the client to read it: unread bytes would discard the
    /// reason.
    pub(super) async fn send(self, socket: &mut WebSocket) {
        let Some(frame) = self.frame() else { return };
        let told = async {
            if socket.send(Message::Close(Some(frame))).await.is_ok() {
                while let Some(Ok(_)) = socket.recv().await {}
            }
        };
        // A client that does not read is not waited for.
        let _ = timeout(SOCKET_CLOSE_WAIT, told).await;
    }
}
