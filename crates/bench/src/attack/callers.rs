//! The other callers: a user who reads, a user whose calls are mediated, and a session with an honest agent.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use anyhow::{Context as _, ensure};
use serde_json::Value;
use tokio::time::sleep;

use crate::{
    client::{Client, request},
    live::resident_bytes,
    load::{self, LoadMeasurement},
    mediated_call,
    target::Target,
};

/// Between two looks at the memory: a page of an agent is parsed in less than a second.
const MEMORY_EVERY: Duration = Duration::from_millis(50);
const PROMPT_EVERY: Duration = Duration::from_secs(1);

pub(super) struct Callers {
    gateway: SocketAddr,
    me: Vec<u8>,
    call: Vec<u8>,
    prompt: Vec<u8>,
}

/// What the other callers measured.
pub(super) struct Observed {
    pub(super) me: LoadMeasurement,
    pub(super) call: LoadMeasurement,
    /// The most that this process had.
    pub(super) memory: u64,
}

impl Callers {
    pub(super) async fn of(target: &Target) -> anyhow::Result<Self> {
        let (call, _) = mediated_call::prepare(target, mediated_call::TOOLS[0].0).await?;
        let session = created(target, "/proliferate/sessions", "{}", "sessionId").await?;
        let path = format!("/proliferate/{session}/message");
        let said = r#"{"content":"Go on."}"#;
        Ok(Self {
            gateway: target.address,
            me: request("GET", "/v1/me", &target.token, "", ""),
            call,
            prompt: request("POST", &path, &target.token, "", said),
        })
    }

    /// All at once, one request after the other each: what one user waits for.
    pub(super) async fn watch(&self, lasts: Duration) -> anyhow::Result<Observed> {
        let (me, call) = (self.me.clone(), self.call.clone());
        let highest = AtomicU64::new(0);
        let loads = async {
            tokio::try_join!(
                load::run_for(lasts, self.gateway, 1, 200, move |_, _| me.clone()),
                load::run_for(lasts, self.gateway, 1, 200, move |_, _| call.clone()),
            )
        };
        let (me, call) = tokio::select! {
            loads = loads => loads?,
            failed = self.prompt_on() => {
                failed?;
                anyhow::bail!("the honest session takes no more prompts")
            }
            failed = sample_memory(&highest) => {
                failed?;
                anyhow::bail!("the memory is not known any more")
            }
        };
        let memory = highest.into_inner().max(resident_bytes()?);
        Ok(Observed { me, call, memory })
    }

    /// Prompts the honest session until one is not taken.
    async fn prompt_on(&self) -> anyhow::Result<()> {
        let mut client = Client::connect(self.gateway).await?;
        loop {
            let status = client.call(&self.prompt).await?;
            ensure!(
                status == 202,
                "a prompt of another session answered {status}"
            );
            sleep(PROMPT_EVERY).await;
        }
    }
}

async fn sample_memory(highest: &AtomicU64) -> anyhow::Result<()> {
    loop {
        highest.fetch_max(resident_bytes()?, Ordering::Relaxed);
        sleep(MEMORY_EVERY).await;
    }
}

/// The id of what a POST made.
pub(super) async fn created(
    target: &Target,
    path: &str,
    body: &str,
    field: &str,
) -> anyhow::Result<String> {
    let mut client = Client::connect(target.address).await?;
    let create = request("POST", path, &target.token, "", body);
    let (status, body) = client.exchange(&create).await?;
    ensure!(status == 201, "POST {path} answered {status}");
    let made: Value = serde_json::from_slice(body)?;
    let id = made[field].as_str();
    Ok(id
        .with_context(|| format!("POST {path} answers `{field}`"))?
        .to_owned())
}
