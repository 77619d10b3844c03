//! A terminal in a session's sandbox: the daemon runs it, and its frames are forwarded.

use app::{Error, access::Steering};
use bytes::Bytes;
use domain::limits::{DAEMON_CONNECT_TIMEOUT, DAEMON_PORT, TERMINAL_FRAME_BYTES_MAX};
use futures::{SinkExt as _, StreamExt as _};
use secrecy::ExposeSecret as _;
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{
        Message,
        client::IntoClientRequest as _,
        http::{HeaderValue, header},
        protocol::WebSocketConfig,
    },
};

use super::access::{SandboxAccess, SandboxCallError};
use crate::session::ClientConnection;

/// Input or output of a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalFrame {
    /// Input, or a message about the terminal itself: its size, its end.
    Text(String),
    Bytes(Bytes),
}

/// An open terminal. Dropping it ends everything that runs in it.
#[derive(Debug)]
pub struct Terminal {
    socket: WebSocketStream<TcpStream>,
    /// The user counts as connected as long as the terminal is open.
    _connection: ClientConnection,
}

impl SandboxAccess {
    /// Opens a terminal; boots the sandbox if it is not running.
    pub async fn open_terminal(
        &self,
        steering: &Steering,
        user_id: Option<String>,
    ) -> Result<Terminal, SandboxCallError> {
        let key = steering.into();
        let connection = self.registry.open_by_key(&key).await?.join(user_id).await?;
        let reached = self.reach_booted(&key).await?;
        let address = self.port_address(&reached, DAEMON_PORT).await?;
        let silent = || Error::Outside("the session's sandbox opens no terminal now".to_owned());
        let request = format!("ws://{address}/api/terminal").into_client_request();
        let mut request = request.map_err(|_| silent())?;
        let token = format!("Bearer {}", reached.token.expose_secret());
        let mut token = HeaderValue::from_str(&token).map_err(|_| silent())?;
        token.set_sensitive(true);
        request.headers_mut().insert(header::AUTHORIZATION, token);
        let opened = timeout(DAEMON_CONNECT_TIMEOUT, async {
            let stream = TcpStream::connect(address).await.ok()?;
            stream.set_nodelay(true).ok()?;
            let config = WebSocketConfig::default()
                .max_message_size(Some(TERMINAL_FRAME_BYTES_MAX))
                .max_frame_size(Some(TERMINAL_FRAME_BYTES_MAX));
            let opened = client_async_with_config(request, stream, Some(config)).await;
            opened.ok().map(|(socket, _)| socket)
        });
        let socket = opened.await.ok().flatten().ok_or_else(silent)?;
        Ok(Terminal {
            socket,
            _connection: connection,
        })
    }
}

impl Terminal {
    /// Returns the next frame, or `None` once the terminal is closed.
    pub async fn next(&mut self) -> Option<TerminalFrame> {
        loop {
            return match self.socket.next().await?.ok()? {
                Message::Text(text) => Some(TerminalFrame::Text(text.as_str().to_owned())),
                Message::Binary(bytes) => Some(TerminalFrame::Bytes(bytes)),
                Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => continue,
                Message::Close(_) => None,
            };
        }
    }

    /// Sends a frame. Returns whether the terminal accepted it.
    pub async fn send(&mut self, frame: TerminalFrame) -> bool {
        let message = match frame {
            TerminalFrame::Text(text) => Message::text(text),
            TerminalFrame::Bytes(bytes) => Message::binary(bytes),
        };
        self.socket.send(message).await.is_ok()
    }
}
