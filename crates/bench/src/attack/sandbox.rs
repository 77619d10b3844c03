//! The sandbox that attacks: a process of its own with the credentials of one session, so that what it takes is not counted
//! as the gateway's.

use std::{collections::BTreeMap, net::SocketAddr, process::Stdio};

use anyhow::{Context as _, ensure};
use domain::id::SessionId;
use secrecy::ExposeSecret as _;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader, Lines},
    process::{Child, ChildStdout, Command},
    task::JoinHandle,
};
use wire::artifact::UploadArtifactResponse;

use super::callers::created;
use crate::{
    attacker::{self, Attack, READY},
    client::{Client, request},
    target::Target,
};

/// Answers to a request that is no attack: it was turned away before it took anything.
const MISSED: [u16; 4] = [400, 401, 404, 415];
const ARTIFACT_BYTES: usize = 16 * 1024 * 1024;

pub(super) struct AttackingSandbox {
    pub(super) session: SessionId,
    repo: String,
    artifact: String,
    token: String,
    model_key: String,
}

/// Ends when it is dropped.
pub(super) struct Attacker {
    child: Child,
    attack: Attack,
    /// How many answers of each status it got.
    met: JoinHandle<BTreeMap<u16, u64>>,
}

impl AttackingSandbox {
    pub(super) async fn of(target: &Target) -> anyhow::Result<Self> {
        let repo = r#"{"name":"acme/web","url":"https://github.com/acme/web","source":"github","push":"branches"}"#;
        let repo = created(target, "/v1/repos", repo, "id").await?;
        let configuration = format!(r#"{{"name":"web","repoIds":["{repo}"]}}"#);
        let configuration = created(target, "/v1/configurations", &configuration, "id").await?;
        let session = format!(r#"{{"configurationId":"{configuration}"}}"#);
        let session = created(target, "/proliferate/sessions", &session, "sessionId").await?;
        let id: SessionId = session.parse()?;
        let session = store::session_fetch_any(&mut target.app.db.read().await?, id).await?;
        let session = session.context("the session")?;
        let tokens = &target.app.tokens;
        let token = tokens.mint_sandbox(&session).expose_secret().to_owned();
        Ok(Self {
            session: id,
            repo,
            artifact: uploaded(target, id, &token).await?,
            token,
            model_key: tokens.mint_model(&session).expose_secret().to_owned(),
        })
    }

    pub(super) async fn attack(
        &self,
        gateway: SocketAddr,
        attack: Attack,
    ) -> anyhow::Result<Attacker> {
        let (child, first, mut lines) = self.start(gateway, attack).await?;
        ensure!(first == READY, "the attack did not begin: {first}");
        let met = tokio::spawn(async move {
            let mut met = BTreeMap::new();
            while let Ok(Some(line)) = lines.next_line().await {
                met = counts(&line);
            }
            met
        });
        Ok(Attacker { child, attack, met })
    }

    /// The process and the first line that it prints.
    pub(super) async fn start(
        &self,
        gateway: SocketAddr,
        attack: Attack,
    ) -> anyhow::Result<(Child, String, Lines<BufReader<ChildStdout>>)> {
        let mut child = Command::new(std::env::current_exe()?)
            .args([attacker::COMMAND, attack.name(), &gateway.to_string()])
            .args([&self.session.to_string(), &self.repo, &self.artifact])
            .args([&self.token, &self.model_key])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let mut lines = BufReader::new(child.stdout.take().context("its output")?).lines();
        let first = lines.next_line().await?.context("the attacker ended")?;
        Ok((child, first, lines))
    }
}

impl Attacker {
    /// Ends it; an error if it met an answer that shows that its requests took nothing.
    pub(super) async fn end(mut self) -> anyhow::Result<()> {
        self.child.kill().await?;
        let met = self.met.await?;
        let name = self.attack.name();
        for status in MISSED {
            ensure!(!met.contains_key(&status), "{name}: answers {met:?}");
        }
        Ok(())
    }
}

/// The id of an artifact of the session, larger than what is sent to a client that does not read.
async fn uploaded(target: &Target, session: SessionId, token: &str) -> anyhow::Result<String> {
    let path = format!("/v1/artifacts?sessionId={session}&kind=document");
    let upload = request("POST", &path, token, "", &"x".repeat(ARTIFACT_BYTES));
    let mut client = Client::connect(target.sandboxes).await?;
    let (status, body) = client.exchange(&upload).await?;
    ensure!(status == 201, "the upload answered {status}");
    let made: UploadArtifactResponse = serde_json::from_slice(body)?;
    Ok(made.artifact.artifact_id.to_string())
}

/// `429=12 408=3`, as the attacker prints it.
fn counts(line: &str) -> BTreeMap<u16, u64> {
    let pairs = line.split_whitespace().filter_map(|pair| {
        let (status, count) = pair.split_once('=')?;
        Some((status.parse().ok()?, count.parse().ok()?))
    });
    pairs.collect()
}
