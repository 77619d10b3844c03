//! A terminal over WebSocket: bash on a pseudo-terminal. What is typed comes as text or binary frames, a
//! resize as the text `{"type":"resize","cols":..,"rows":..}`; output goes out as binary frames, and at the
//! end the text `{"type":"exit","code":..}`.
//!
//! INVARIANT: a client that does not read stops the program's output, not the daemon's memory; and when the
//! connection ends, everything in the terminal's session does.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures::{SinkExt as _, StreamExt as _};
use http_body_util::{BodyExt as _, Empty};
use hyper::{
    Response, StatusCode,
    header::{self, HeaderValue},
    upgrade::Upgraded,
};
use hyper_util::rt::TokioIo;
use pty_process::{OwnedReadPty, OwnedWritePty, Size};
use rustix::process::{PidfdFlags, Signal};
use serde::Deserialize;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::Child,
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Message,
        handshake::derive_accept_key,
        protocol::{Role, WebSocketConfig},
    },
};
use wire::problem::Code;

use super::{
    context::DaemonContext,
    http::{DaemonRequest, DaemonResult},
    process::{Process, ProcessIdentity, pid, watch_end},
    refusal::Refusal,
};
use crate::{
    limits::{
        ENDING_EVERY, TERMINAL_DRAIN_WITHIN, TERMINAL_FRAME_BYTES_MAX, TERMINAL_HANGUP_WITHIN,
        TERMINAL_PING_EVERY, TERMINAL_SILENCE_MAX, TERMINAL_WRITE_BYTES_MAX, TERMINALS_MAX,
    },
    system::Deadline,
};

type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// A shell and its terminal.
struct Terminal {
    child: Child,
    read: OwnedReadPty,
    write: OwnedWritePty,
}

#[derive(Debug, Deserialize)]
struct ControlFrame {
    #[serde(rename = "type")]
    kind: String,
    cols: u16,
    rows: u16,
}

/// Starts a shell, and responds that the connection becomes its terminal.
pub(super) fn open(daemon: &Arc<DaemonContext>, mut request: DaemonRequest) -> DaemonResult {
    let key = accept_key(&request)?;
    let permit = Arc::clone(&daemon.terminals)
        .try_acquire_owned()
        .map_err(|_| {
            let why = format!("There are {TERMINALS_MAX} terminals already.");
            Refusal::new(Code::LimitReached, why)
        })?;
    let terminal = start(daemon).map_err(|error| {
        Refusal::new(
            Code::Internal,
            format!("A terminal cannot be opened: {error}."),
        )
    })?;
    let upgrade = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        let _permit = permit;
        if let Ok(upgraded) = upgrade.await {
            let config = WebSocketConfig::default()
                .max_message_size(Some(TERMINAL_FRAME_BYTES_MAX))
                .max_frame_size(Some(TERMINAL_FRAME_BYTES_MAX))
                .max_write_buffer_size(TERMINAL_WRITE_BYTES_MAX);
            let io = TokioIo::new(upgraded);
            let socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
            converse(terminal, socket).await;
        } else {
            hang_up(terminal.child, (terminal.read, terminal.write)).await;
        }
    });
    let mut response = Response::new(Empty::<Bytes>::new().boxed_unsync());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(header::CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(header::SEC_WEBSOCKET_ACCEPT, key);
    Ok(response)
}

fn accept_key(request: &DaemonRequest) -> Result<HeaderValue, Refusal> {
    let wrong = || Refusal::invalid("This route speaks WebSocket, version 13.");
    let has = |name: header::HeaderName, token: &str| {
        let value = request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok());
        value.is_some_and(|value| {
            value
                .split(',')
                .any(|one| one.trim().eq_ignore_ascii_case(token))
        })
    };
    let is_websocket = has(header::UPGRADE, "websocket")
        && has(header::CONNECTION, "upgrade")
        && has(header::SEC_WEBSOCKET_VERSION, "13");
    let key = request.headers().get(header::SEC_WEBSOCKET_KEY);
    let key = key.filter(|_| is_websocket).ok_or_else(wrong)?;
    let accept = derive_accept_key(key.as_bytes());
    HeaderValue::from_str(&accept).map_err(|_| wrong())
}

fn start(daemon: &DaemonContext) -> pty_process::Result<Terminal> {
    let (pty, pts) = pty_process::open()?;
    pty.resize(Size::new(24, 80))?;
    let child = pty_process::Command::new("bash")
        .current_dir(daemon.jail.path())
        .env("TERM", "xterm-256color")
        .kill_on_drop(true)
        .spawn(pts)?;
    let (read, write) = pty.into_split();
    Ok(Terminal { child, read, write })
}

async fn converse(terminal: Terminal, socket: Socket) {
    let Terminal {
        child,
        mut read,
        mut write,
    } = terminal;
    let (mut sink, mut frames) = socket.split();
    let ended = wait_for_exit(&child);
    let has_exited = {
        let output = pump_output(&mut read, &mut sink);
        tokio::pin!(output);
        let input = pump_input(&mut write, &mut frames);
        tokio::select! {
            () = ended => {
                // What it printed last may still be on its way; something else may hold the terminal.
                let _ = tokio::time::timeout(TERMINAL_DRAIN_WITHIN, &mut output).await;
                true
            }
            // No process has the terminal open any more, or no client reads.
            is_closed = &mut output => is_closed,
            () = input => false,
        }
    };
    let code = hang_up(child, (read, write)).await;
    if has_exited {
        let frame = json!({"type": "exit", "code": code}).to_string();
        let farewell = async {
            sink.send(Message::text(frame)).await?;
            sink.close().await
        };
        let _ = tokio::time::timeout(TERMINAL_DRAIN_WITHIN, farewell).await;
    }
}

/// Waits until the shell has ended, without taking its number from it.
fn wait_for_exit(child: &Child) -> impl Future<Output = ()> + use<> {
    let number = child
        .id()
        .and_then(|id| i32::try_from(id).ok())
        .and_then(pid);
    let handle =
        number.and_then(|number| rustix::process::pidfd_open(number, PidfdFlags::empty()).ok());
    async move {
        let Some(handle) = handle else {
            return std::future::pending().await;
        };
        match watch_end(handle) {
            Ok(handle) => drop(handle.readable().await),
            Err(_) => std::future::pending().await,
        }
    }
}

/// Output into frames, one after the other; `true` once the terminal is closed, `false` once no client listens.
async fn pump_output(
    pty: &mut OwnedReadPty,
    sink: &mut (impl futures::Sink<Message> + Unpin),
) -> bool {
    let mut buffer = vec![0; 16 * 1024];
    let mut ping = tokio::time::interval(TERMINAL_PING_EVERY);
    ping.tick().await;
    loop {
        let message = tokio::select! {
            read = pty.read(&mut buffer) => match read {
                Ok(count @ 1..) => Message::binary(Bytes::copy_from_slice(&buffer[..count])),
                // The kernel's way to report that no process has the terminal open.
                Ok(0) | Err(_) => return true,
            },
            _ = ping.tick() => Message::Ping(Bytes::new()),
        };
        if sink.send(message).await.is_err() {
            return false;
        }
    }
}

/// Frames into the terminal, until the client closes, sends an invalid frame, or is silent.
async fn pump_input<E>(
    pty: &mut OwnedWritePty,
    frames: &mut (impl futures::Stream<Item = Result<Message, E>> + Unpin),
) {
    loop {
        let frame = tokio::time::timeout(TERMINAL_SILENCE_MAX, frames.next()).await;
        let keys = match frame {
            Ok(Some(Ok(Message::Text(text)))) => {
                if let Some(size) = parse_resize(&text) {
                    let _ = pty.resize(size);
                    continue;
                }
                Bytes::from(text)
            }
            Ok(Some(Ok(Message::Binary(bytes)))) => bytes,
            Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => continue,
            _ => return,
        };
        if pty.write_all(&keys).await.is_err() {
            return;
        }
    }
}

/// The size, if the text is a resize; anything else was typed.
fn parse_resize(text: &str) -> Option<Size> {
    let control: ControlFrame = serde_json::from_str(text).ok()?;
    let is_size = control.kind == "resize" && control.cols > 0 && control.rows > 0;
    is_size.then(|| Size::new(control.rows, control.cols))
}

/// Closes the terminal and ends whatever is left in its session. The code of the shell, if it ended itself.
async fn hang_up(mut child: Child, pty: (OwnedReadPty, OwnedWritePty)) -> Option<i32> {
    let session = child.id().and_then(|id| i32::try_from(id).ok());
    drop(pty);
    let session = session?;
    let left = || {
        let all = Process::all().into_iter();
        let members: Vec<Process> = all
            .filter(|one| one.session == session && one.is_alive())
            .collect();
        members
    };
    for (signal, within) in [
        (Signal::HUP, TERMINAL_HANGUP_WITHIN),
        (Signal::KILL, TERMINAL_HANGUP_WITHIN),
    ] {
        let deadline = Deadline::after(within);
        while !left().is_empty() && !deadline.left().is_zero() {
            for one in left() {
                if let Some(handle) = ProcessIdentity::of(one.pid).and_then(|one| one.handle()) {
                    let _ = rustix::process::pidfd_send_signal(&handle, signal);
                }
            }
            tokio::time::sleep(ENDING_EVERY).await;
        }
    }
    // Waited for last: until here its number was its own.
    let status = tokio::time::timeout(Duration::from_secs(1), child.wait()).await;
    status.ok()?.ok()?.code()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_resize_is_not_typed() {
        assert!(parse_resize(r#"{"type":"resize","cols":80,"rows":24}"#).is_some());
        for typed in [
            "ls\r",
            "{",
            r#"{"type":"resize"}"#,
            r#"{"type":"other","cols":80,"rows":24}"#,
            r#"{"type":"resize","cols":0,"rows":24}"#,
            r#"{"type":"resize","cols":99999,"rows":24}"#,
        ] {
            assert!(parse_resize(typed).is_none(), "{typed}");
        }
    }
}
