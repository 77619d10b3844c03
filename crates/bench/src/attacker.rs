//! The attacker of `attack`: one sandbox that wants others to be served no more. It goes on until it is killed, within
//! bounds of its own: so many connections, on loopback.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Context as _, bail};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
    time::sleep,
};

/// The word by which this program attacks instead of measuring.
pub(crate) const COMMAND: &str = "attack-from-a-sandbox";
/// What it says when it has begun.
pub(crate) const READY: &str = "ready";
/// Connections at once that say nothing, or little: more than a sandbox may have, fewer than this machine allows.
const CONNECTIONS: usize = 2_000;
/// Senders and readers at once: more than there is room for.
const SLOW: usize = 600;
/// Before a connection that was closed is opened again.
const PAUSE: Duration = Duration::from_millis(100);
/// Between two bytes of a slow sender.
const BYTE_EVERY: Duration = Duration::from_secs(1);
/// What a slow sender promises to send.
const PROMISED_BYTES: usize = 8 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attack {
    Silent,
    Pings,
    Unread,
    Model,
    Upload,
    Git,
}

impl Attack {
    pub(crate) const ALL: [Self; 6] = [
        Self::Silent,
        Self::Pings,
        Self::Unread,
        Self::Model,
        Self::Upload,
        Self::Git,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Silent => "silent connections",
            Self::Pings => "HTTP/2 pings",
            Self::Unread => "unread answers",
            Self::Model => "slow model calls",
            Self::Upload => "stalled uploads",
            Self::Git => "stalled git pushes",
        }
    }

    const fn connections(self) -> usize {
        match self {
            Self::Silent | Self::Pings => CONNECTIONS,
            Self::Unread | Self::Model | Self::Upload | Self::Git => SLOW,
        }
    }
}

/// What it needs to know of its sandbox and of the gateway.
#[derive(Debug, Clone)]
struct Attacker {
    attack: Attack,
    gateway: SocketAddr,
    session: String,
    token: String,
    model_key: String,
}

#[expect(clippy::print_stdout, reason = "whoever started it waits for the word")]
pub(crate) async fn run(words: &[String]) -> anyhow::Result<()> {
    let [name, gateway, session, token, model_key] = words else {
        bail!("not what an attack is told");
    };
    let attack = { Attack::ALL.into_iter() }.find(|attack| attack.name() == name);
    let attacker = Attacker {
        attack: attack.context("an attack")?,
        gateway: gateway.parse()?,
        session: session.clone(),
        token: token.clone(),
        model_key: model_key.clone(),
    };
    let mut all = JoinSet::new();
    for _ in 0..attacker.attack.connections() {
        let attacker = attacker.clone();
        all.spawn(async move {
            loop {
                // That it is closed is what it is for.
                let _ = attacker.once().await;
                sleep(PAUSE).await;
            }
        });
    }
    println!("{READY}");
    all.join_all().await;
    Ok(())
}

impl Attacker {
    /// One connection, until it is closed.
    async fn once(&self) -> anyhow::Result<()> {
        let mut stream = TcpStream::connect(self.gateway).await?;
        match self.attack {
            Attack::Silent => {}
            Attack::Pings => return pings(&mut stream, 65_535).await,
            Attack::Unread => return pings(&mut stream, 0).await,
            Attack::Model => {
                let path = "/llm/anthropic/v1/messages";
                return slow(&mut stream, path, &self.model_key).await;
            }
            Attack::Upload => {
                let path = format!("/v1/artifacts?sessionId={}&kind=document", self.session);
                return slow(&mut stream, &path, &self.token).await;
            }
            Attack::Git => {
                let path = format!("/proliferate/{}/git/repo/git-receive-pack", self.session);
                return slow(&mut stream, &path, &self.token).await;
            }
        }
        stream.read_u8().await?;
        Ok(())
    }
}

/// Promises much and sends a byte now and then.
async fn slow(stream: &mut TcpStream, path: &str, token: &str) -> anyhow::Result<()> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {PROMISED_BYTES}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    loop {
        stream.write_all(b"{").await?;
        let ended = tokio::time::timeout(BYTE_EVERY, stream.read_u8()).await;
        if let Ok(answered) = ended {
            answered?;
            return Ok(());
        }
    }
}

/// One request over HTTP/2, with room for so many bytes of its answer; then pings are answered for ever.
async fn pings(stream: &mut TcpStream, window: u32) -> anyhow::Result<()> {
    const HEADERS: u8 = 1;
    const SETTINGS: u8 = 4;
    const PING: u8 = 6;
    // `GET /` with the host `x`, as HPACK has it.
    const GET: [u8; 6] = [0x82, 0x86, 0x84, 0x41, 0x01, b'x'];
    stream
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .await?;
    let mut settings = vec![0, 4];
    settings.extend(window.to_be_bytes());
    stream.write_all(&frame(SETTINGS, 0, 0, &settings)).await?;
    stream.write_all(&frame(HEADERS, 5, 1, &GET)).await?;
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head).await?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; usize::try_from(length)?];
        stream.read_exact(&mut payload).await?;
        let is_answer = head[4] & 1 == 1;
        match head[3] {
            PING if !is_answer => stream.write_all(&frame(PING, 1, 0, &payload)).await?,
            SETTINGS if !is_answer => stream.write_all(&frame(SETTINGS, 1, 0, &[])).await?,
            _ => {}
        }
    }
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    // What is sent here is short.
    let length = u32::try_from(payload.len())
        .unwrap_or_default()
        .to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}
