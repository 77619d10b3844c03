//! Boots a second sandbox beside the session's current one, for the session to move to.
//!
//! INVARIANT: a successor is on record from before anything runs in it until it is the session's sandbox or is destroyed,
//! so that the next owner of the session finds it.

use agent::Context;
use domain::session::Session;
use sandbox::Handle;
use store::SessionRuntime as RuntimeRow;
use wire::live::BootStage;

use crate::{
    runtime::{Machine, RunningAgent},
    session::{BootError, BootStages, BootedAgent},
    session_sandbox::{
        SandboxOrigin, SessionSandbox, boot_with_stages, booted_agent, destroy_sandbox,
        retry_later, session_title, step_failed,
    },
};

/// Sent to an agent that does not remember the conversation.
const REBUILT: &str = "Your sandbox was replaced, and your memory of the conversation so far was lost with it. Files in \
    the workspace are there. Ask if you need to know what was said.";

/// A sandbox that a session can move to.
#[derive(Debug)]
pub(super) struct Successor {
    /// The session as it is after the move.
    pub(super) session: Session,
    pub(super) handle: Handle,
    pub(super) row: RuntimeRow,
    pub(super) agent: BootedAgent,
    /// What clients should know of it.
    pub(super) notes: Vec<String>,
    /// Its agent does not remember the conversation.
    pub(super) is_rebuilt: bool,
    /// What it was made from, for clients.
    pub(super) origin: String,
}

/// One boot of a successor. The caller holds the turn of the sandbox.
pub(super) struct SuccessorBoot<'a> {
    pub(super) sandbox: &'a SessionSandbox,
    pub(super) machine: &'a Machine,
    pub(super) stages: &'a BootStages,
}

impl SuccessorBoot<'_> {
    /// Boots a successor from the snapshot that is on record, until its agent's stream can be read.
    pub(super) async fn run(&self) -> Result<Successor, BootError> {
        let (record, machine) = (self.sandbox.record(), self.machine);
        let (session, row) = record.load().await?;
        record
            .remove_left_successor(machine.provider.as_ref(), &session)
            .await;
        let _hold = self.sandbox.hold_snapshots().await;
        let origin = SandboxOrigin::load(record, machine, &session).await?;
        let described = origin.describe();
        let session = Session {
            incarnation: record.begin_successor(&session).await?,
            ..session
        };
        let booted = self.boot(&session, &row, origin).await;
        let (running, agent_session, context) = match booted {
            Ok(booted) => booted,
            Err(error) => {
                record.forget_successor(&session).await;
                return Err(error);
            }
        };
        let known = row.agent_session_id.as_ref();
        let is_rebuilt = known.is_some_and(|known| *known != agent_session);
        let client = self.sandbox.bound_client(running.client);
        let mut agent = booted_agent(client, agent_session.clone(), &context);
        if is_rebuilt {
            let system = agent.system.unwrap_or_default();
            agent.system = Some(format!("{system}\n\n{REBUILT}"));
        }
        let row = RuntimeRow {
            sandbox: serde_json::to_string(&running.handle).ok(),
            provider: Some(machine.provider.name().to_owned()),
            agent_session_id: Some(agent_session),
            expires_at: running.handle.expires_at,
        };
        Ok(Successor {
            session,
            handle: running.handle,
            row,
            agent,
            notes: running.notes,
            is_rebuilt,
            origin: described,
        })
    }

    /// Creates the sandbox, records it and boots its agent. A failure leaves no sandbox.
    async fn boot(
        &self,
        session: &Session,
        row: &RuntimeRow,
        origin: SandboxOrigin,
    ) -> Result<(RunningAgent, String, Context), BootError> {
        let (record, machine) = (self.sandbox.record(), self.machine);
        let lazy_machine = self.sandbox.lazy_machine();
        let plan = record.plan_boot(machine, lazy_machine, session, origin);
        let plan = plan.await?;
        let context = plan.agent.clone();
        self.stages.begin(BootStage::Sandbox).await;
        let since = machine.clock.monotonic();
        let created = machine.create(&plan).await;
        let handle = created.map_err(|error| step_failed(&error))?;
        if let Err(error) = record.save_successor(session, &handle).await {
            destroy_sandbox(machine, &handle).await;
            return Err(error);
        }
        let boot = |on_step| machine.boot_in(handle, plan, since, on_step);
        let running = boot_with_stages(self.stages, boot).await?;
        match connect_agent(session, row, &running).await {
            Ok(agent_session) => Ok((running, agent_session, context)),
            Err(error) => {
                destroy_sandbox(machine, &running.handle).await;
                Err(error)
            }
        }
    }
}

/// Returns the agent's own id of the session, once its stream was read.
async fn connect_agent(
    session: &Session,
    row: &RuntimeRow,
    running: &RunningAgent,
) -> Result<String, BootError> {
    let known = row.agent_session_id.as_deref();
    let title = session_title(session);
    let info = running.client.ensure_session(known, &title).await;
    let info = info.map_err(|error| retry_later(&error.to_string()))?;
    let heard = running.client.can_be_heard().await;
    heard.map_err(|error| retry_later(&format!("the new agent cannot be listened to: {error}")))?;
    Ok(info.id)
}
