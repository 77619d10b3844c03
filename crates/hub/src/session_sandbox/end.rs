//! The end of a session's sandbox: saved and destroyed to be resumed later, replaced, or destroyed for good.

use app::Error;
use domain::session::{Session, SessionState};
use sandbox::{Handle, Liveness};
use wire::live::SnapshotTarget;

use super::{
    failure::machine_unavailable,
    sandbox::SessionSandbox,
    save::{SaveError, unavailable},
};
use crate::{
    runtime::{AGENT, Machine},
    session::BootError,
};

impl SessionSandbox {
    /// Saves the sandbox, destroys it and pauses the session. A sandbox that cannot be saved stays as it is: it may be the
    /// only copy of a person's work, and the next owner of the session finds it.
    pub(crate) async fn save_and_pause(&self, reason: &str) -> Result<(), SaveError> {
        let _turn = self.turn().await;
        self.save_and_pause_in_turn(reason).await
    }

    /// Does the same if the session is still over its budget.
    pub(super) async fn save_and_pause_if_over_budget(&self) -> Result<(), SaveError> {
        let _turn = self.turn().await;
        let Some(reason) = self.read_rest_reason().await else {
            return Ok(());
        };
        self.save_and_pause_in_turn(&reason.to_string()).await?;
        self.resume_when_over(&reason).await;
        Ok(())
    }

    async fn save_and_pause_in_turn(&self, reason: &str) -> Result<(), SaveError> {
        let (Some(machine), Some(handle)) = (self.lazy_machine().opened(), self.handle()) else {
            return Ok(());
        };
        let record = self.record();
        let (session, row) = record.load().await?;
        self.seal_env_values(machine, &handle, &session).await;
        self.take_snapshot(machine, &handle, &session, SnapshotTarget::Session)
            .await?;
        machine.provider.destroy(&handle).await?;
        self.set_handle(None);
        let paused = |state: SessionState, now| state.pause(now, reason);
        let session = record.set_state(&session, paused).await?;
        let cleared = record.clear_sandbox(&session, row).await;
        cleared.map_err(unavailable)
    }

    /// Marks a session as failed that was starting: no further boot is tried. A session in any other state keeps it.
    pub(super) async fn mark_starting_failed(&self, reason: &str) {
        // Waits for its turn: another caller may have booted the sandbox meanwhile.
        let _turn = self.turn().await;
        let record = self.record();
        let failed = async {
            let (session, _) = record.load().await?;
            if matches!(session.state, SessionState::Starting { .. }) {
                record
                    .set_state(&session, |state, now| state.fail(now, reason))
                    .await?;
            }
            Ok::<_, BootError>(())
        };
        if let Err(error) = failed.await {
            tracing::warn!(%error, session_id = %self.session_id(), "cannot record that a boot failed");
        }
    }

    /// Saves and destroys the sandbox of an agent that sent more than the gateway reads, and marks the session as failed. A
    /// sandbox that cannot be saved is left without its agent: it may be the only copy of a person's work.
    pub(super) async fn end_excessive_agent(&self, reason: &str) {
        let _turn = self.turn().await;
        let (Some(machine), Some(handle)) = (self.lazy_machine().opened(), self.handle()) else {
            return;
        };
        let record = self.record();
        let ended = async {
            // Another program may answer at the agent's address; it ends with the sandbox.
            if let Err(error) = machine.provider.stop(&handle, AGENT).await {
                tracing::warn!(%error, sandbox = %handle.id, "an agent that sent too much was not stopped");
            }
            let (session, _) = record.load().await?;
            let note = self.save_and_destroy(machine, &handle, &session).await;
            self.set_handle(None);
            tracing::warn!(session_id = %self.session_id(), reason, note, "an agent sent more than the gateway reads");
            let (session, _) = record.load().await?;
            record
                .set_state(&session, |state, now| state.fail(now, reason))
                .await
        };
        if let Err(error) = ended.await {
            tracing::warn!(%error, session_id = %self.session_id(), "cannot record that an agent was ended");
        }
    }

    /// Whether the sandbox on record is certainly alive.
    pub(crate) async fn is_recorded_sandbox_alive(&self) -> bool {
        match self.lazy_machine().machine().await {
            Ok(machine) => self.record().is_alive(machine.provider.as_ref()).await,
            Err(_) => false,
        }
    }

    /// Pauses the session if it is on record as running and its sandbox is dead; returns whether it did. The sandbox stays
    /// on record: what is left of it may be the only copy of a person's work.
    pub(crate) async fn pause_if_dead(&self, reason: &str) -> Result<bool, BootError> {
        let _turn = self.turn().await;
        let machine = self.lazy_machine().machine().await;
        let machine = machine.map_err(machine_unavailable)?;
        let (session, row) = self.record().load().await?;
        let handle = row.sandbox.as_deref().map(serde_json::from_str::<Handle>);
        let (SessionState::Running { .. }, Some(Ok(handle))) = (&session.state, handle) else {
            return Ok(false);
        };
        if machine.provider.liveness(&handle).await != Liveness::Dead {
            return Ok(false);
        }
        self.set_handle(None);
        let paused = |state: SessionState, now| state.pause(now, reason);
        let paused = self.record().set_state(&session, paused).await;
        paused.map(|_| true)
    }

    /// Saves and destroys a sandbox whose agent does not answer. One that cannot be saved is left. The caller holds the
    /// turn. Returns what clients are told.
    pub(super) async fn save_and_destroy(
        &self,
        machine: &Machine,
        handle: &Handle,
        session: &Session,
    ) -> &'static str {
        self.seal_env_values(machine, handle, session).await;
        let taken = self.take_snapshot(machine, handle, session, SnapshotTarget::Session);
        if let Err(error) = taken.await {
            tracing::error!(%error, sandbox = %handle.id, "a sandbox with an unresponsive agent cannot be saved and is left");
            return "The agent does not answer, and its sandbox could not be saved.";
        }
        if let Err(error) = machine.provider.destroy(handle).await {
            tracing::error!(%error, sandbox = %handle.id, "a sandbox that was saved is not destroyed");
        }
        "The agent did not answer any more, and its sandbox was saved."
    }

    /// Destroys the sandbox of a session that has ended. A session without a sandbox is no error.
    pub(crate) async fn destroy(&self) -> Result<(), Error> {
        self.cancel_saves();
        let _turn = self.turn().await;
        let record = self.record();
        let handle = match self.handle() {
            Some(handle) => handle,
            None => match record.load_handle().await? {
                Some(handle) => handle,
                None => return Ok(()),
            },
        };
        let machine = self.lazy_machine().machine().await;
        let machine = machine.map_err(|unavailable| Error::Outside(unavailable.reason))?;
        let provider = machine.provider.as_ref();
        if handle.provider != provider.name() {
            return Err(Error::Outside(
                "another provider made the sandbox".to_owned(),
            ));
        }
        let destroyed = provider.destroy(&handle).await;
        destroyed.map_err(|error| Error::Outside(error.to_string()))?;
        self.set_handle(None);
        if let Ok(Some(session)) = record.load_session().await {
            record.remove_left_successor(provider, &session).await;
        }
        self.collect_snapshots(machine);
        Ok(())
    }
}
