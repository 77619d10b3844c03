//! The attacker of `attack`: one sandbox that wants others to be served no more. It goes on until it is killed, within
//! bounds of its own: so many connections, on loopback.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Context as _, bail};
use testkit::standin::liar::{Liar, Lie};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::JoinSet,
    time::sleep,
};

/// The word by which this program attacks instead of measuring.
pub(crate) const COMMAND: &str = "attack-from-a-sandbox";
/// What it prints when it has begun. After it come lines with the answers that it got: `429=12 408=3`.
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
    /// Answers in the agent's place.
    Lies,
}

impl Attack {
    /// Those that are requests to the gateway.
    pub(crate) const OVER_THE_NETWORK: [Self; 6] = [
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
            Self::Lies => "lying agent",
        }
    }

    const fn connections(self) -> usize {
        match self {
            Self::Silent | Self::Pings => CONNECTIONS,
            Self::Unread | Self::Model | Self::Upload | Self::Git => SLOW,
            Self::Lies => 0,
        }
    }
}

/// What it needs to know of its sandbox and of the gateway.
#[derive(Debug, Clone)]
struct Attacker {
    attack: Attack,
    gateway: SocketAddr,
    session: String,
    repo: String,
    /// Larger than what is sent without being read.
    artifact: String,
    token: String,
    model_key: String,
    /// How many answers of each status it got.
    met: Arc<Mutex<BTreeMap<u16, u64>>>,
}

#[expect(clippy::print_stdout, reason = "the benchmark reads it")]
pub(crate) async fn run(words: &[String]) -> anyhow::Result<()> {
    let [name, gateway, session, repo, artifact, token, model_key] = words else {
        bail!("an attack takes seven words");
    };
    if name == Attack::Lies.name() {
        return lie().await;
    }
    let attack = { Attack::OVER_THE_NETWORK.into_iter() }.find(|attack| attack.name() == name);
    let attacker = Attacker {
        attack: attack.context("an attack")?,
        gateway: gateway.parse()?,
        session: session.clone(),
        repo: repo.clone(),
        artifact: artifact.clone(),
        token: token.clone(),
        model_key: model_key.clone(),
        met: Arc::default(),
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
    loop {
        sleep(BYTE_EVERY).await;
        println!("{}", attacker.counts());
    }
}

/// Starts a liar of each kind and prints their addresses.
#[expect(clippy::print_stdout, reason = "the benchmark reads it")]
async fn lie() -> anyhow::Result<()> {
    let mut ready = READY.to_owned();
    let mut liars = Vec::new();
    for lie in Lie::ALL {
        let liar = Liar::start(lie).await;
        write!(ready, " {}", liar.address())?;
        liars.push(liar);
    }
    println!("{ready}");
    std::future::pending().await
}

impl Attacker {
    /// One connection, until it is closed.
    async fn once(&self) -> anyhow::Result<()> {
        let mut stream = TcpStream::connect(self.gateway).await?;
        let path = match self.attack {
            Attack::Silent | Attack::Lies => {
                stream.read_u8().await?;
                return Ok(());
            }
            Attack::Pings => return pings(&mut stream, 65_535, &self.ask("/health")).await,
            Attack::Unread => {
                let path = format!("/v1/artifacts/{}/content", self.artifact);
                return pings(&mut stream, 0, &self.ask(&path)).await;
            }
            Attack::Model => "/llm/anthropic/v1/messages".to_owned(),
            Attack::Upload => {
                format!("/v1/artifacts?sessionId={}&kind=document", self.session)
            }
            Attack::Git => format!(
                "/proliferate/{}/git/{}/git-receive-pack",
                self.session, self.repo
            ),
        };
        let (token, kind, first, on) = match self.attack {
            Attack::Model => (&self.model_key, "application/json", "{", b' '),
            // A packet of 255 bytes that does not come to its end.
            Attack::Git => (
                &self.token,
                "application/x-git-receive-pack-request",
                "00ff",
                b'0',
            ),
            _ => (&self.token, "text/plain", "x", b'x'),
        };
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer {token}\r\n\
             content-type: {kind}\r\ncontent-length: {PROMISED_BYTES}\r\n\r\n{first}"
        );
        let status = slow(&mut stream, &head, on).await?;
        *self.met().entry(status).or_default() += 1;
        Ok(())
    }

    /// A GET, as HPACK has it without a table of names.
    fn ask(&self, path: &str) -> Vec<u8> {
        const METHOD_GET: u8 = 0x82;
        const SCHEME_HTTP: u8 = 0x86;
        const AUTHORITY: &[u8] = &[0x01];
        const PATH: &[u8] = &[0x04];
        const AUTHORIZATION: &[u8] = &[0x0f, 0x08];
        let mut headers = vec![METHOD_GET, SCHEME_HTTP];
        let token = format!("Bearer {}", self.token);
        for (name, value) in [
            (AUTHORITY, "gateway"),
            (PATH, path),
            (AUTHORIZATION, &token),
        ] {
            headers.extend(name);
            headers.extend(hpack_length(value.len()));
            headers.extend(value.as_bytes());
        }
        headers
    }

    fn met(&self) -> std::sync::MutexGuard<'_, BTreeMap<u16, u64>> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn counts(&self) -> String {
        let met = self.met();
        let pairs = met
            .iter()
            .map(|(status, count)| format!("{status}={count}"));
        pairs.collect::<Vec<_>>().join(" ")
    }
}

/// Promises much and sends a byte now and then, until it is answered.
async fn slow(stream: &mut TcpStream, head: &str, on: u8) -> anyhow::Result<u16> {
    stream.write_all(head.as_bytes()).await?;
    let mut line = [0; "HTTP/1.1 429".len()];
    loop {
        stream.write_all(&[on]).await?;
        let answer = tokio::time::timeout(BYTE_EVERY, stream.read_exact(&mut line)).await;
        if let Ok(answered) = answer {
            answered?;
            let status = std::str::from_utf8(&line)?.get(9..);
            return Ok(status.context("a status line")?.parse()?);
        }
    }
}

/// One request over HTTP/2, with room for so many bytes of its answer; then pings are answered for ever.
async fn pings(stream: &mut TcpStream, window: u32, ask: &[u8]) -> anyhow::Result<()> {
    const HEADERS: u8 = 1;
    const SETTINGS: u8 = 4;
    const PING: u8 = 6;
    stream
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .await?;
    let mut settings = vec![0, 4];
    settings.extend(window.to_be_bytes());
    stream.write_all(&frame(SETTINGS, 0, 0, &settings)).await?;
    stream.write_all(&frame(HEADERS, 5, 1, ask)).await?;
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

/// A length of seven bits; what is more follows in bytes of seven bits each.
fn hpack_length(length: usize) -> Vec<u8> {
    const FULL: usize = 127;
    let low = |bits: usize| bits.to_le_bytes()[0];
    if length < FULL {
        return vec![low(length)];
    }
    let mut bytes = vec![low(FULL)];
    let mut rest = length - FULL;
    while rest > 0x7f {
        bytes.push(low(rest) | 0x80);
        rest >>= 7;
    }
    bytes.push(low(rest));
    bytes
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
