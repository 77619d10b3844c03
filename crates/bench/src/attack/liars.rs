//! A program that answers in the agent's place and sends more than the gateway may keep. It runs in the attacker's process;
//! each boot of the attacked session meets the next way of sending too much.

use std::{
    future::Future,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context as _, ensure};
use async_trait::async_trait;
use domain::id::SessionId;
use hub::{
    Runtimes,
    opencode::{AgentClient, PromptModel},
    session::{BootError, BootStages, BootedAgent, Liveness, Runtime},
};
use testkit::standin::{agent::Agent, liar};
use tokio::time::sleep;

use super::{callers::Observed, sandbox::AttackingSandbox};
use crate::{
    attacker::{Attack, READY},
    client::{Client as HttpClient, request},
    target::Target,
};

/// Between two prompts, each of which brings an agent that was ended up again.
const PROMPT_EVERY: Duration = Duration::from_millis(500);

/// An honest agent for all sessions but the attacked one.
#[derive(Debug)]
pub(super) struct AttackedRuntimes {
    honest: Agent,
    attacked: Mutex<Option<(SessionId, Arc<LyingRuntime>)>>,
}

#[derive(Debug)]
struct LyingRuntime {
    liars: Vec<AgentClient>,
    boots: AtomicU64,
    ended: AtomicU64,
}

impl AttackedRuntimes {
    pub(super) fn beside(honest: Agent) -> Self {
        Self {
            honest,
            attacked: Mutex::default(),
        }
    }
}

impl Runtimes for AttackedRuntimes {
    fn of(&self, id: SessionId) -> Arc<dyn Runtime> {
        let attacked = self.attacked.lock().unwrap_or_else(PoisonError::into_inner);
        match attacked.as_ref() {
            Some((attacked, lying)) if *attacked == id => lying.clone(),
            _ => Arc::new(self.honest.clone()),
        }
    }
}

#[async_trait]
impl Runtime for LyingRuntime {
    async fn boot(&self, _: BootStages) -> Result<BootedAgent, BootError> {
        let boot = self.boots.fetch_add(1, Ordering::Relaxed);
        let next = boot % self.liars.len() as u64;
        let client = { (0..).zip(&self.liars) }.find(|(number, _)| *number == next);
        Ok(BootedAgent {
            client: client.expect("a remainder is below the count").1.clone(),
            agent_session: liar::SESSION.to_owned(),
            model: PromptModel {
                provider: "anthropic".into(),
                model: "claude-opus-4-6".into(),
            },
            system: None,
        })
    }

    async fn end_agent(&self, _: &str) {
        self.ended.fetch_add(1, Ordering::Relaxed);
    }

    async fn liveness(&self) -> Liveness {
        Liveness::Alive
    }
}

/// Lies for as long as the callers watch. An error if the gateway never ended the agent: then nothing was too much.
pub(super) async fn attack(
    runtimes: &AttackedRuntimes,
    target: &Target,
    sandbox: &AttackingSandbox,
    watched: impl Future<Output = anyhow::Result<Observed>>,
) -> anyhow::Result<Observed> {
    let (_child, first, _lines) = sandbox.start(target.sandboxes, Attack::Lies).await?;
    let addresses = first.strip_prefix(READY).context("the liars are ready")?;
    let liars = addresses.split_whitespace().map(|address| {
        let base = format!("http://{address}").parse()?;
        Ok(AgentClient::new(base, None)?)
    });
    let lying = Arc::new(LyingRuntime {
        liars: liars.collect::<anyhow::Result<_>>()?,
        boots: AtomicU64::new(0),
        ended: AtomicU64::new(0),
    });
    {
        let mut attacked = runtimes
            .attacked
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *attacked = Some((sandbox.session, lying.clone()));
    }
    let observed = tokio::select! {
        observed = watched => observed?,
        failed = prompt(target, sandbox.session) => {
            failed?;
            anyhow::bail!("the attacked session is not prompted any more")
        }
    };
    let ended = lying.ended.load(Ordering::Relaxed);
    ensure!(ended > 0, "no lie was too much for the gateway");
    Ok(observed)
}

/// Prompts the attacked session on and on. That it is refused meanwhile is what an attacker sees.
async fn prompt(target: &Target, session: SessionId) -> anyhow::Result<()> {
    let path = format!("/proliferate/{session}/message");
    let prompt = request("POST", &path, &target.token, "", r#"{"content":"Lie."}"#);
    loop {
        if let Ok(mut client) = HttpClient::connect(target.address).await {
            // The answer may be late; the next prompt does not wait for it.
            let _ = tokio::time::timeout(PROMPT_EVERY, client.call(&prompt)).await;
        }
        sleep(PROMPT_EVERY).await;
    }
}
