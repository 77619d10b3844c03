//! Bringing a session's agent up, or finding it up.

use std::sync::Mutex;

use agent::{Context, Layout, Mode, env::Secrets, models, prompt};
use app::{App, sessions::environment};
use async_trait::async_trait;
use domain::{
    audit::Sha256Hex,
    id::{OrganizationId, SessionId},
    limits::AGENT_PORT,
    session::{Session, SessionState},
};
use sandbox::{Handle, Limits, Origin};
use secrecy::{ExposeSecret as _, SecretString};
use store::SessionRuntime as Row;
use wire::live::BootStage;

use crate::{
    opencode::{Client, PromptModel},
    runtime::{Closed, Machine, Plan, Running, Step, Workshop},
    session::{BootError, Booted, Liveness, Runtime, Stages},
};

/// The agent of one session, in the name of one owner.
#[derive(Debug)]
pub(super) struct SessionRuntime {
    pub(super) app: App,
    pub(super) workshop: Workshop,
    pub(super) organization_id: OrganizationId,
    pub(super) session_id: SessionId,
    pub(super) epoch: i64,
    /// The sandbox of the last boot.
    pub(super) up: Mutex<Option<Handle>>,
}

#[async_trait]
impl Runtime for SessionRuntime {
    async fn boot(&self, stages: Stages) -> Result<Booted, BootError> {
        let (session, row) = self.load().await?;
        // The session stays as it is: what is missing is missing here, and may come.
        let machine = self.workshop.machine().await.map_err(closed)?;
        if let Some(found) = self.find_up(machine, &session, &row).await {
            return Ok(found);
        }
        let session = self.begin(session).await?;
        match self.bring_up(machine, &session, row, &stages).await {
            Ok(booted) => Ok(booted),
            Err(error) => {
                let failed = self.set_state(&session, |state, now| state.fail(now, &error.message));
                if let Err(other) = failed.await {
                    tracing::warn!(%other, %error, "a boot that failed is not on record");
                }
                Err(error)
            }
        }
    }

    async fn liveness(&self) -> Liveness {
        let handle = self.up.lock().ok().and_then(|up| up.clone());
        let (Some(machine), Some(handle)) = (self.workshop.opened(), handle) else {
            return Liveness::Unknown;
        };
        match machine.provider.liveness(&handle).await {
            sandbox::Liveness::Alive => Liveness::Alive,
            sandbox::Liveness::Dead => Liveness::Dead,
            sandbox::Liveness::Unknown => Liveness::Unknown,
        }
    }
}

impl SessionRuntime {
    async fn load(&self) -> Result<(Session, Row), BootError> {
        let mut conn = self.app.db.read().await.map_err(unavailable)?;
        let (organization_id, id) = (&self.organization_id, self.session_id);
        let session = conn.session_fetch(organization_id, id).await;
        let session = session.map_err(unavailable)?;
        let session = session.ok_or_else(|| never("the session is not there any more"))?;
        if session.owner_epoch != self.epoch {
            return Err(never("the session has another owner"));
        }
        if matches!(session.state, SessionState::Stopped { .. }) {
            return Err(never("the session has ended"));
        }
        let row = conn.session_runtime_fetch(organization_id, id).await;
        Ok((session, row.map_err(unavailable)?.unwrap_or_default()))
    }

    /// An agent that another process left running is gone on with, never started a second time.
    async fn find_up(&self, machine: &Machine, session: &Session, row: &Row) -> Option<Booted> {
        let handle: Handle = serde_json::from_str(row.sandbox.as_deref()?).ok()?;
        let provider = &machine.provider;
        if provider.liveness(&handle).await == sandbox::Liveness::Dead {
            return None;
        }
        provider.reattach(&handle).await.ok()?;
        let endpoint = provider.endpoint(&handle, AGENT_PORT).await.ok()?;
        let base = format!("http://{}", endpoint.address).parse().ok()?;
        let client = Client::new(base, Some(self.password(session))).ok()?;
        client.health().await.ok()?;
        let known = row.agent_session_id.as_deref();
        let info = client.ensure_session(known, &title(session)).await.ok()?;
        let context = context(machine, session);
        self.is_up(handle);
        Some(booted(client, info.id, &context))
    }

    fn is_up(&self, handle: Handle) {
        if let Ok(mut up) = self.up.lock() {
            *up = Some(handle);
        }
    }

    /// The session as it starts, under a new incarnation.
    async fn begin(&self, session: Session) -> Result<Session, BootError> {
        let now = self.app.now();
        let session = match &session.state {
            SessionState::Starting { .. } => session,
            // Its sandbox is gone.
            SessionState::Running { .. } => {
                let paused = self
                    .set_state(&session, |state, now| {
                        state.pause(now, "its sandbox is gone")
                    })
                    .await?;
                self.set_state(&paused, SessionState::start).await?
            }
            _ => self.set_state(&session, SessionState::start).await?,
        };
        let mut tx = self.app.db.write().await.map_err(unavailable)?;
        let session = tx.session_incarnate(&session, now).await;
        let session = session.map_err(unavailable)?.ok_or_else(other_owner)?;
        tx.commit().await.map_err(unavailable)?;
        Ok(session)
    }

    async fn bring_up(
        &self,
        machine: &Machine,
        session: &Session,
        row: Row,
        stages: &Stages,
    ) -> Result<Booted, BootError> {
        let context = context(machine, session);
        let environment = environment(&self.app, session).await.map_err(|error| {
            tracing::warn!(%error, "the environment of a session cannot be read");
            later("the session's environment cannot be read now")
        })?;
        let plan = Plan {
            agent: context.clone(),
            incarnation: session.incarnation,
            secrets: Secrets {
                token: self.app.tokens.mint_sandbox(session),
                model_key: self.app.tokens.mint_model(session),
                server_password: Some(self.password(session)),
            },
            environment: environment.variables,
            origin: Origin::Template,
            repos: Vec::new(),
            limits: Limits::default(),
        };
        stages.begin(BootStage::Sandbox).await;
        let (sender, mut steps) = tokio::sync::mpsc::unbounded_channel();
        let told = move |step: Step, _| _ = sender.send(step);
        let telling = async {
            while let Some(step) = steps.recv().await {
                if let Some(stage) = after(step) {
                    stages.begin(stage).await;
                }
            }
        };
        let (running, ()) = tokio::join!(machine.boot(plan, told), telling);
        let running = running.map_err(|error| BootError {
            retryable: error.is_retryable(),
            message: error.to_string(),
        })?;
        let known = row.agent_session_id.as_deref();
        let agent_session = match self.record(machine, session, known, &running).await {
            Ok(agent_session) => agent_session,
            Err(error) => {
                // Nobody would ever find it.
                if let Err(error) = machine.provider.destroy(&running.handle).await {
                    tracing::error!(%error, "a sandbox that is on no record was not removed");
                }
                return Err(error);
            }
        };
        self.is_up(running.handle);
        Ok(booted(running.client, agent_session, &context))
    }

    /// Writes down where the agent is, and that the session runs. Gives the agent's own name of it.
    async fn record(
        &self,
        machine: &Machine,
        session: &Session,
        known: Option<&str>,
        running: &Running,
    ) -> Result<String, BootError> {
        let info = running.client.ensure_session(known, &title(session)).await;
        let info = info.map_err(|error| later(&error.to_string()))?;
        let row = Row {
            sandbox: serde_json::to_string(&running.handle).ok(),
            provider: Some(machine.provider.name().to_owned()),
            agent_session_id: Some(info.id.clone()),
        };
        let mut tx = self.app.db.write().await.map_err(unavailable)?;
        let set = tx.session_runtime_set(session, &row, self.app.now()).await;
        if !set.map_err(unavailable)? {
            return Err(other_owner());
        }
        tx.commit().await.map_err(unavailable)?;
        self.set_state(session, SessionState::run).await?;
        Ok(info.id)
    }

    /// Of the agent's server. Follows from the token of the boot, so that another process knows it too.
    fn password(&self, session: &Session) -> SecretString {
        let token = self.app.tokens.mint_sandbox(session);
        let text = format!("agent-server:{}", token.expose_secret());
        Sha256Hex::of(text.as_bytes()).as_str().to_owned().into()
    }

    async fn set_state(
        &self,
        session: &Session,
        step: impl FnOnce(
            SessionState,
            domain::clock::Timestamp,
        ) -> Result<SessionState, domain::session::InvalidTransition>,
    ) -> Result<Session, BootError> {
        let now = self.app.now();
        let next = step(session.state.clone(), now).map_err(|error| never(&error.to_string()))?;
        let mut tx = self.app.db.write().await.map_err(unavailable)?;
        let moved = tx.session_set_state(session, &next, now).await;
        let moved = moved.map_err(unavailable)?.ok_or_else(other_owner)?;
        tx.commit().await.map_err(unavailable)?;
        Ok(moved)
    }
}

fn context(machine: &Machine, session: &Session) -> Context {
    let gateway = machine.gateway_url();
    let model = format!("{gateway}/llm/anthropic/v1");
    let mode = Mode::of(session.session_type, session.client_type);
    let mut context = Context::new(session.id, mode, &gateway, &model);
    context.model = session.agent_config.model;
    context.system_prompt.clone_from(&session.system_prompt);
    context.layout = Layout::with_repo(".");
    context
}

/// What begins when a step is done.
fn after(step: Step) -> Option<BootStage> {
    match step {
        Step::Sandbox => Some(BootStage::Repo),
        Step::Repositories => Some(BootStage::Files),
        Step::Files => Some(BootStage::Agent),
        Step::Agent | Step::Ready => None,
    }
}

fn booted(client: Client, agent_session: String, context: &Context) -> Booted {
    Booted {
        client,
        agent_session,
        model: PromptModel {
            provider: models::PROVIDER.to_owned(),
            model: models::request_id(context.model).to_owned(),
        },
        system: Some(prompt::system(context)),
    }
}

fn title(session: &Session) -> String {
    session
        .title
        .clone()
        .unwrap_or_else(|| "A session".to_owned())
}

fn never(message: &str) -> BootError {
    BootError {
        message: message.to_owned(),
        retryable: false,
    }
}

fn later(message: &str) -> BootError {
    BootError {
        message: message.to_owned(),
        retryable: true,
    }
}

fn closed(closed: Closed) -> BootError {
    BootError {
        message: closed.reason,
        retryable: closed.retryable,
    }
}

fn other_owner() -> BootError {
    never("the session has another owner, or was stopped")
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
fn unavailable(error: store::Error) -> BootError {
    tracing::warn!(%error, "a session cannot be read or written");
    later("the database does not answer")
}
