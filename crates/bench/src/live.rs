//! What does a live session cost? One session with 1, 100 and 1000 watchers over WebSockets, and a hundred sessions with
//! one each: events delivered in a second, and in a second of one core's time (of which the watchers, in this process
//! too, take their part). Every event is written to the log before it is sent. And memory: of an unused hub, and
//! of a client that is attached.

use std::net::SocketAddr;

use anyhow::{Context, bail, ensure};
use app::system::SystemClock;
use bytes::{Buf as _, BytesMut};
use domain::{clock::Clock as _, id::SessionId};
use hub::session::Handle;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
};
use wire::live::{ServerMessage, TitleUpdate};

use crate::{
    client::{Client, request},
    load,
    table::Table,
    target::{BACKENDS, Target},
};

pub(crate) const NAME: &str = "live";

/// Watchers of one session, and events that each receives.
const FANOUTS: [(u32, u32); 3] = [(1, 20_000), (100, 2_000), (1_000, 300)];
/// As long as a few words of an agent with what is around them.
const EVENT_TEXT: &str = "some words of the agent, as many as come in a moment";
/// Sessions that are live at once, and events of each.
const SESSIONS: (u32, u32) = (100, 500);
/// Fewer than an instance keeps: none is evicted meanwhile.
const HUBS: u32 = 400;
const CLIENTS: u32 = 500;

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    for (backend, on) in BACKENDS {
        let target = Target::start(backend).await?;
        for (watchers, events) in FANOUTS {
            let (id, handle) = session(&target).await?;
            let name = format!("fan-out to {watchers}");
            measure_fanout(
                table,
                &target,
                (&name, on),
                &[(id, handle)],
                watchers,
                events,
            )
            .await?;
        }
        let (count, events) = SESSIONS;
        let mut sessions = Vec::new();
        for _ in 0..count {
            sessions.push(session(&target).await?);
        }
        let name = format!("{count} sessions, fan-out to 1 each");
        measure_fanout(table, &target, (&name, on), &sessions, 1, events).await?;
    }
    Ok(())
}

/// Before anything else: memory that was used and given back would be taken again, and not seen.
pub(crate) async fn measure_memory(table: &mut Table) -> anyhow::Result<()> {
    let (backend, on) = BACKENDS[0];
    memory(table, &Target::start(backend).await?, on).await
}

/// Publishes so many events in every session, to so many watchers of each.
async fn measure_fanout(
    table: &mut Table,
    target: &Target,
    (name, on): (&str, &str),
    sessions: &[(SessionId, Handle)],
    watchers: u32,
    events: u32,
) -> anyhow::Result<()> {
    let mut busy_with = JoinSet::new();
    for (id, _) in sessions {
        for _ in 0..watchers {
            let mut watcher = Watcher::connect(target.address, *id, &target.token).await?;
            busy_with.spawn(async move { watcher.read(events).await });
        }
    }
    let clock = SystemClock::new();
    let (started, busy) = (clock.monotonic(), load::processor_time()?);
    for (_, handle) in sessions {
        let handle = handle.clone();
        busy_with.spawn(async move {
            for n in 0..events {
                let title = format!("{EVENT_TEXT} {n}");
                let told = handle.publish(ServerMessage::TitleUpdate(TitleUpdate { title }));
                told.await?;
            }
            Ok(())
        });
    }
    let mut delivered = 0;
    while let Some(done) = busy_with.join_next().await {
        done??;
        delivered += events;
    }
    let took = clock.monotonic().saturating_sub(started);
    let busy = load::processor_time()?.saturating_sub(busy);
    // The publishers are among them.
    delivered -= events * u32::try_from(sessions.len())?;
    table.rate(name, on, delivered, took);
    table.rate(&format!("{name}, per core"), on, delivered, busy);
    for (_, handle) in sessions {
        handle.stop().await;
    }
    Ok(())
}

async fn memory(table: &mut Table, target: &Target, on: &str) -> anyhow::Result<()> {
    // What the first of all needs is no hub's own.
    let (id, watched) = session(target).await?;
    watched.read_status().await?;
    let before = resident_bytes()?;
    let mut hubs = Vec::new();
    for _ in 0..HUBS {
        hubs.push(session(target).await?);
    }
    table.bytes(
        "memory of a live hub",
        on,
        HUBS,
        resident_bytes()?.saturating_sub(before),
    );
    let before = resident_bytes()?;
    let mut watchers = Vec::new();
    for _ in 0..CLIENTS {
        watchers.push(Watcher::connect(target.address, id, &target.token).await?);
    }
    table.bytes(
        "memory of a client",
        on,
        CLIENTS,
        resident_bytes()?.saturating_sub(before),
    );
    Ok(())
}

/// A new session that is live.
async fn session(target: &Target) -> anyhow::Result<(SessionId, Handle)> {
    let mut client = Client::connect(target.address).await?;
    let create = request("POST", "/proliferate/sessions", &target.token, "", "{}");
    let (status, body) = client.exchange(&create).await?;
    ensure!(status == 201, "creating a session answered {status}");
    let made: Value = serde_json::from_slice(body)?;
    let id: SessionId = made["sessionId"].as_str().unwrap_or_default().parse()?;
    let handle = target
        .hub
        .registry
        .open(&target.steering(id).await?)
        .await?;
    Ok((id, handle))
}

/// The cheapest watcher there is: it counts frames and reads of each only whether it has a sequence number.
pub(crate) struct Watcher {
    stream: TcpStream,
    buffer: BytesMut,
}

impl Watcher {
    pub(crate) async fn connect(
        address: SocketAddr,
        id: SessionId,
        token: &str,
    ) -> anyhow::Result<Self> {
        let mut stream = TcpStream::connect(address).await?;
        let hello = format!(
            "GET /proliferate/{id} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n\
             connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(hello.as_bytes()).await?;
        let mut watcher = Self {
            stream,
            buffer: BytesMut::new(),
        };
        loop {
            watcher.more().await?;
            let end = watcher
                .buffer
                .windows(4)
                .position(|four| four == b"\r\n\r\n");
            if let Some(end) = end {
                ensure!(watcher.buffer.starts_with(b"HTTP/1.1 101"), "no WebSocket");
                watcher.buffer.advance(end + 4);
                break;
            }
        }
        // `init` says that it is subscribed.
        watcher.frame().await?;
        Ok(watcher)
    }

    /// Reads until so many events of the log have come.
    async fn read(&mut self, events: u32) -> anyhow::Result<()> {
        let mut seen = 0;
        while seen < events {
            seen += u32::from(self.frame().await?);
        }
        Ok(())
    }

    /// Reads a frame and says whether it is of the log.
    async fn frame(&mut self) -> anyhow::Result<bool> {
        loop {
            if let Some((head, length)) = header(&self.buffer)
                && self.buffer.len() >= head + length
            {
                let is_logged = self.buffer[head..].starts_with(b"{\"seq\":");
                self.buffer.advance(head + length);
                return Ok(is_logged);
            }
            self.more().await?;
        }
    }

    /// Reads until the server closes the connection.
    pub(crate) async fn until_closed(&mut self) -> anyhow::Result<()> {
        /// What a frame that closes begins with.
        const CLOSE: u8 = 0x88;
        loop {
            if let Some((head, length)) = header(&self.buffer)
                && self.buffer.len() >= head + length
            {
                let first = self.buffer[0];
                self.buffer.advance(head + length);
                if first == CLOSE {
                    return Ok(());
                }
            } else {
                self.more().await?;
            }
        }
    }

    async fn more(&mut self) -> anyhow::Result<()> {
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            bail!("the connection was closed");
        }
        Ok(())
    }
}

/// How long a frame's head and body are, once that is known.
fn header(bytes: &[u8]) -> Option<(usize, usize)> {
    match *bytes.get(1)? {
        126 => {
            let length = bytes.get(2..4)?;
            Some((4, usize::from(u16::from_be_bytes([length[0], length[1]]))))
        }
        127 => {
            let length: [u8; 8] = bytes.get(2..10)?.try_into().ok()?;
            Some((10, usize::try_from(u64::from_be_bytes(length)).ok()?))
        }
        length => Some((2, usize::from(length))),
    }
}

/// Bytes of memory that this process has.
pub(crate) fn resident_bytes() -> anyhow::Result<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm")?;
    let pages = statm.split_whitespace().nth(1).context("a number")?;
    Ok(pages.parse::<u64>()? * 4096)
}
