//! What do others notice of one sandbox that attacks? Under each attack, driven by a process of its own over the listener for
//! sandboxes: the p99 of reading `/v1/me` and of a mediated call of other people, and the memory of the gateway, each as a
//! ratio to what it is without. The aims are 5 times and 1.5 times. `--seconds N` is how long each attack lasts.

use std::{net::SocketAddr, process::Stdio, time::Duration};

use anyhow::{Context as _, ensure};
use app::policy::Source;
use domain::id::SessionId;
use secrecy::ExposeSecret as _;
use serde_json::Value;
use testkit::database::Backend;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};

use crate::{
    attacker::{Attack, READY},
    client::{Client, request},
    live::resident,
    load::{self, Measured},
    mediated_call,
    table::Table,
    target::Target,
};

pub(crate) const NAME: &str = "attack";
/// As long as the aims ask for.
pub(crate) const LASTS: Duration = Duration::from_secs(30);

/// What other people do meanwhile.
struct People {
    me: Vec<u8>,
    call: Vec<u8>,
}

/// How that went.
struct Seen {
    me: Measured,
    call: Measured,
    memory: u64,
}

pub(crate) async fn measure(table: &mut Table, lasts: Duration) -> anyhow::Result<()> {
    let directory = tempfile::tempdir()?;
    mediated_call::write_policy(directory.path())?;
    let source = Source::Directory(directory.path().to_owned());
    let target = Target::start_with(Backend::Sqlite, source, mediated_call::with_tools).await?;
    target.sequence();
    let (call, _) = mediated_call::prepare(&target, mediated_call::TOOLS[0].0).await?;
    let me = request("GET", "/v1/me", &target.token, "", "");
    let people = People { me, call };
    let sandbox = Sandbox::of(&target).await?;
    let usual = people.watch(target.address, lasts).await?;
    table.row("GET /v1/me", "no attack", &usual.me, None);
    table.row("mediated call", "no attack", &usual.call, None);
    table.bytes("memory", "no attack", 1, usual.memory);
    for attack in Attack::ALL {
        let _attacker = sandbox.attack(target.sandboxes, attack).await?;
        let seen = people.watch(target.address, lasts).await;
        let seen = seen.with_context(|| format!("other people under {}", attack.name()))?;
        table.ratio("GET /v1/me", attack.name(), &seen.me, &usual.me);
        table.ratio("mediated call", attack.name(), &seen.call, &usual.call);
        table.memory_ratio(attack.name(), seen.memory, usual.memory);
    }
    Ok(())
}

impl People {
    /// Both at once, one after the other each: what one person waits for.
    async fn watch(&self, gateway: SocketAddr, lasts: Duration) -> anyhow::Result<Seen> {
        let (me, call) = (self.me.clone(), self.call.clone());
        let (me, call) = tokio::join!(
            load::run_for(lasts, gateway, 1, 200, move |_, _| me.clone()),
            load::run_for(lasts, gateway, 1, 200, move |_, _| call.clone()),
        );
        Ok(Seen {
            me: me?,
            call: call?,
            memory: resident()?,
        })
    }
}

/// The sandbox that attacks: what it holds to prove whose it is.
struct Sandbox {
    session: SessionId,
    token: String,
    model_key: String,
}

impl Sandbox {
    async fn of(target: &Target) -> anyhow::Result<Self> {
        let mut client = Client::connect(target.address).await?;
        let create = request("POST", "/proliferate/sessions", &target.token, "", "{}");
        let (status, body) = client.exchange(&create).await?;
        ensure!(status == 201, "creating a session answered {status}");
        let made: Value = serde_json::from_slice(body)?;
        let id = made["sessionId"]
            .as_str()
            .context("a session id")?
            .parse()?;
        let session = target.app.db.read().await?.session_fetch_any(id).await?;
        let session = session.context("the session")?;
        let tokens = &target.app.tokens;
        Ok(Self {
            session: id,
            token: tokens.mint_sandbox(&session).expose_secret().to_owned(),
            model_key: tokens.mint_model(&session).expose_secret().to_owned(),
        })
    }

    /// In a process of its own, so that what it takes is not counted as the gateway's. Ends when it is dropped.
    async fn attack(&self, gateway: SocketAddr, attack: Attack) -> anyhow::Result<Child> {
        let mut child = Command::new(std::env::current_exe()?)
            .args([
                crate::attacker::COMMAND,
                attack.name(),
                &gateway.to_string(),
            ])
            .args([&self.session.to_string(), &self.token, &self.model_key])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let said = child.stdout.take().context("its output")?;
        let first = BufReader::new(said).lines().next_line().await?;
        ensure!(
            first.as_deref() == Some(READY),
            "the attack did not begin: {first:?}"
        );
        Ok(child)
    }
}
