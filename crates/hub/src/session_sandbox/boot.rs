//! Boots a session's agent, or finds it running.

use std::sync::Arc;

use coord::{Attempt, HeldLease, LeaseTerms};
use domain::{
    lease::LeaseKey,
    limits::{AGENT_PORT, BOOT_LOCK_EVERY, BOOT_LOCK_TRIES},
    session::{Session, SessionState},
};
use sandbox::Handle;
use store::SessionRuntime as RuntimeRow;
use tokio::time::sleep;
use wire::live::BootStage;

use super::{
    failure::{machine_unavailable, retry_later},
    origin::SandboxOrigin,
    plan::{agent_context, boot_with_stages, booted_agent, session_title},
    record::SandboxRecord,
    sandbox::SessionSandbox,
};
use crate::{
    runtime::{Machine, RunningAgent, restore_env_files},
    session::{BootError, BootStages, BootedAgent},
};

/// What was found of the sandbox that is on record.
enum RecordedSandbox {
    None,
    /// Its agent answers.
    Answering(Box<BootedAgent>),
    /// It is alive, and its agent does not answer.
    Unresponsive(Handle),
    Dead,
}

/// One boot of a session's agent. The caller holds the turn of the sandbox.
struct SandboxBoot<'a> {
    sandbox: &'a SessionSandbox,
    record: &'a SandboxRecord,
    machine: &'a Machine,
    stages: &'a BootStages,
}

/// Brings the session's agent up, in its turn and under the boot lock of the session.
pub(super) async fn boot_sandbox(
    sandbox: &SessionSandbox,
    stages: &BootStages,
) -> Result<BootedAgent, BootError> {
    let _turn = sandbox.turn().await;
    let record = sandbox.record();
    let lock = acquire_boot_lock(record).await?;
    let booted = async {
        // Read before the machine is opened: a session that has another owner needs none.
        let (session, row) = record.load().await?;
        // The session keeps its state: what this process lacks may be installed later.
        let machine = sandbox.lazy_machine().machine().await;
        let boot = SandboxBoot {
            sandbox,
            record,
            machine: machine.map_err(machine_unavailable)?,
            stages,
        };
        boot.run(session, row).await
    };
    let booted = booted.await;
    if let Err(error) = lock.release().await {
        tracing::debug!(%error, "the lock of a boot was not released; it expires");
    }
    booted
}

/// Acquires the lock under which one instance at a time makes the session's sandbox: the owner before may still be ending.
async fn acquire_boot_lock(record: &SandboxRecord) -> Result<HeldLease, BootError> {
    let app = &record.app;
    for _ in 0..BOOT_LOCK_TRIES {
        let (coordination, clock) = (Arc::clone(&app.coordination), Arc::clone(&app.clock));
        let (key, holder) = (LeaseKey::Runtime(record.session_id), app.instance.id);
        let acquired = HeldLease::acquire(coordination, clock, key, holder, LeaseTerms::OWNER);
        match acquired.await {
            Ok(Attempt::Held(lock)) => return Ok(lock),
            Ok(Attempt::HeldBy(_)) => sleep(BOOT_LOCK_EVERY).await,
            Err(error) => {
                tracing::warn!(%error, session_id = %record.session_id, "cannot lock a boot");
                return Err(retry_later(
                    "the gateways' coordination service does not answer",
                ));
            }
        }
    }
    Err(retry_later(
        "another instance is still starting the session's sandbox",
    ))
}

impl SandboxBoot<'_> {
    async fn run(&self, session: Session, row: RuntimeRow) -> Result<BootedAgent, BootError> {
        let provider = self.machine.provider.as_ref();
        self.record.remove_left_successor(provider, &session).await;
        let note = match self.find_recorded(&session, &row).await? {
            RecordedSandbox::Answering(booted) => return Ok(*booted),
            RecordedSandbox::None => None,
            RecordedSandbox::Dead => Some("The sandbox of this session has ended."),
            RecordedSandbox::Unresponsive(handle) => {
                let sandbox = self.sandbox;
                Some(
                    sandbox
                        .save_and_destroy(self.machine, &handle, &session)
                        .await,
                )
            }
        };
        if let Some(reason) = self.sandbox.read_rest_reason().await {
            return Err(self.sandbox.refuse_boot(&reason).await);
        }
        self.record.ask_admission(&session).await?;
        // Read again: a sandbox that was replaced has just left a snapshot.
        let (session, row) = self.record.load().await?;
        let session = self.record.begin_incarnation(session).await?;
        self.boot_new(&session, row, note).await
    }

    /// Continues with an agent that another process left running: it is never started a second time.
    async fn find_recorded(
        &self,
        session: &Session,
        row: &RuntimeRow,
    ) -> Result<RecordedSandbox, BootError> {
        let handle = row.sandbox.as_deref().map(serde_json::from_str::<Handle>);
        let Some(Ok(handle)) = handle else {
            return Ok(RecordedSandbox::None);
        };
        let provider = &self.machine.provider;
        if provider.liveness(&handle).await == sandbox::Liveness::Dead
            || provider.reattach(&handle).await.is_err()
        {
            return Ok(RecordedSandbox::Dead);
        }
        restore_env_files(self.machine, &handle).await;
        let Some(booted) = self.connect_agent(&handle, session, row).await else {
            return Ok(RecordedSandbox::Unresponsive(handle));
        };
        if !matches!(session.state, SessionState::Running { .. }) {
            let session = match session.state {
                SessionState::Starting { .. } | SessionState::Paused { .. } => session.clone(),
                _ => self.record.set_state(session, SessionState::start).await?,
            };
            self.record.set_state(&session, SessionState::run).await?;
        }
        self.sandbox.set_handle(Some(handle));
        Ok(RecordedSandbox::Answering(Box::new(booted)))
    }

    /// Connects to the agent of a sandbox that is alive. Returns `None` if it does not answer.
    async fn connect_agent(
        &self,
        handle: &Handle,
        session: &Session,
        row: &RuntimeRow,
    ) -> Option<BootedAgent> {
        let machine = self.machine;
        let endpoint = machine.provider.endpoint(handle, AGENT_PORT).await.ok()?;
        let base = format!("http://{}", endpoint.address).parse().ok()?;
        let password = self.record.agent_password(session);
        let client = machine.client(base, Some(password)).ok()?;
        let client = self.sandbox.bound_client(client);
        client.health().await.ok()?;
        let known = row.agent_session_id.as_deref();
        let title = session_title(session);
        let info = client.ensure_session(known, &title).await.ok()?;
        let context = agent_context(machine, session);
        Some(booted_agent(client, info.id, &context))
    }

    /// Boots an agent in a new sandbox.
    async fn boot_new(
        &self,
        session: &Session,
        row: RuntimeRow,
        note: Option<&str>,
    ) -> Result<BootedAgent, BootError> {
        let (sandbox, machine, stages) = (self.sandbox, self.machine, self.stages);
        // The snapshot that the sandbox is made from is not collected meanwhile.
        let _hold = sandbox.hold_snapshots().await;
        let origin = SandboxOrigin::load(self.record, machine, session).await?;
        if let Some(note) = note {
            stages.note(format!("{note} {}", origin.describe())).await;
        }
        let plan = self
            .record
            .plan_boot(machine, sandbox.lazy_machine(), session, origin)
            .await?;
        let context = plan.agent.clone();
        stages.begin(BootStage::Sandbox).await;
        let running = boot_with_stages(stages, |on_step| machine.boot(plan, on_step)).await?;
        let known = row.agent_session_id.as_deref();
        let agent_session = match self.record_running(session, known, &running).await {
            Ok(agent_session) => agent_session,
            Err(error) => {
                // On no record: nothing else would find it.
                if let Err(error) = machine.provider.destroy(&running.handle).await {
                    tracing::error!(%error, "a sandbox that is on no record was not destroyed");
                }
                return Err(error);
            }
        };
        sandbox.set_handle(Some(running.handle));
        for note in running.notes {
            stages.note(note).await;
        }
        let client = sandbox.bound_client(running.client);
        Ok(booted_agent(client, agent_session, &context))
    }

    /// Records where the agent is, and that the session runs. Returns the agent's own id of the session.
    async fn record_running(
        &self,
        session: &Session,
        known: Option<&str>,
        running: &RunningAgent,
    ) -> Result<String, BootError> {
        let title = session_title(session);
        let info = running.client.ensure_session(known, &title).await;
        let info = info.map_err(|error| retry_later(&error.to_string()))?;
        let row = RuntimeRow {
            sandbox: serde_json::to_string(&running.handle).ok(),
            provider: Some(self.machine.provider.name().to_owned()),
            agent_session_id: Some(info.id.clone()),
            expires_at: running.handle.expires_at,
        };
        self.record.save_booted(session, &row).await?;
        self.record.set_state(session, SessionState::run).await?;
        Ok(info.id)
    }
}
