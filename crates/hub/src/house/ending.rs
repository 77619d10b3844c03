//! The end of a session's sandbox: put away to go on later, replaced, or gone for good.

use std::collections::BTreeMap;

use agent::env::ENV_FILE;
use app::{Error, sessions::keep_environment};
use domain::{
    limits::ENV_VALUES_BYTES_MAX,
    session::{Session, SessionState},
};
use sandbox::{ExecRequest, Handle, Liveness};
use secrecy::SecretString;
use wire::live::SnapshotTarget;

use super::{
    failure::closed,
    runtime::SessionRuntime,
    saving::{SaveError, unavailable},
};
use crate::{
    runtime::{AGENT, Machine},
    session::BootError,
};

impl SessionRuntime {
    /// Saves the sandbox, ends it and says that the session is paused. Without a snapshot it stays as it is: it may
    /// be the only copy of somebody's work, and the next process finds it.
    pub(super) async fn put_away(&self, reason: &str) -> Result<(), SaveError> {
        let _turn = self.0.turn.lock().await;
        self.put_away_in_turn(reason).await
    }

    /// The same if there is still a reason for it.
    pub(super) async fn put_away_if_over_budget(&self) -> Result<(), SaveError> {
        let _turn = self.0.turn.lock().await;
        match self.is_over_budget().await {
            Some(reason) => self.put_away_in_turn(&reason).await,
            None => Ok(()),
        }
    }

    async fn put_away_in_turn(&self, reason: &str) -> Result<(), SaveError> {
        let (Some(machine), Some(handle)) = (self.0.workshop.opened(), self.handle()) else {
            return Ok(());
        };
        let (session, mut row) = self.load().await?;
        self.keep_values(machine, &handle, &session).await;
        self.keep(machine, &handle, &session, SnapshotTarget::Session)
            .await?;
        machine.provider.destroy(&handle).await?;
        self.is_up(None);
        let paused = |state: SessionState, now| state.pause(now, reason);
        let session = self.set_state(&session, paused).await?;
        row.sandbox = None;
        row.expires_at = None;
        let mut tx = self.0.app.db.write().await.map_err(unavailable)?;
        let set = tx.session_runtime_set(&session, &row, self.0.app.now());
        set.await.map_err(unavailable)?;
        tx.commit().await.map_err(unavailable)
    }

    /// Says that a session has failed whose sandbox could not be saved. The sandbox stays: it may be the only copy of
    /// somebody's work, and whoever opens the session finds it.
    pub(super) async fn give_up(&self, error: &SaveError) {
        let failed = async {
            let (session, _) = self.load().await?;
            let reason = format!(
                "its sandbox could not be put away and was left as it is ({error}); open the session to go on with it"
            );
            self.set_state(&session, |state, now| state.fail(now, &reason))
                .await
        };
        if let Err(error) = failed.await {
            tracing::warn!(%error, session_id = %self.0.session_id, "that a session failed is not on record");
        }
    }

    /// No further try is made to bring the session up. One that was starting failed with this reason; before, it was not
    /// over. What never began to start is as it was.
    pub(super) async fn failed(&self, reason: &str) {
        // After whatever is being done to the sandbox: somebody may have brought it up meanwhile.
        let _turn = self.0.turn.lock().await;
        let failed = async {
            let (session, _) = self.load().await?;
            if matches!(session.state, SessionState::Starting { .. }) {
                self.set_state(&session, |state, now| state.fail(now, reason))
                    .await?;
            }
            Ok::<_, BootError>(())
        };
        if let Err(error) = failed.await {
            tracing::warn!(%error, session_id = %self.0.session_id, "a boot that failed is not on record");
        }
    }

    /// Ends the sandbox of an agent that is not listened to any more, with what it had saved first, and says that the session
    /// has failed. What cannot be saved is left without its agent: it may be the only copy of a person's work.
    pub(super) async fn agent_ended(&self, reason: &str) {
        let _turn = self.0.turn.lock().await;
        let (Some(machine), Some(handle)) = (self.0.workshop.opened(), self.handle()) else {
            return;
        };
        let ended = async {
            // A program that only answers in its place ends with the sandbox.
            if let Err(error) = machine.provider.stop(&handle, AGENT).await {
                tracing::warn!(%error, sandbox = %handle.id, "an agent that sent too much was not stopped");
            }
            let (session, _) = self.load().await?;
            let note = self.replace(machine, &handle, &session).await;
            self.is_up(None);
            tracing::warn!(session_id = %self.0.session_id, reason, note, "an agent sent more than is read");
            let (session, _) = self.load().await?;
            self.set_state(&session, |state, now| state.fail(now, reason))
                .await
        };
        if let Err(error) = ended.await {
            tracing::warn!(%error, session_id = %self.0.session_id, "that an agent was ended is not on record");
        }
    }

    /// Whether the sandbox that is on record certainly lives.
    pub(super) async fn lives(&self) -> bool {
        let (Ok(machine), Ok((_, row))) = (self.0.workshop.machine().await, self.load().await)
        else {
            return false;
        };
        match row.sandbox.as_deref().map(serde_json::from_str::<Handle>) {
            Some(Ok(handle)) => machine.provider.liveness(&handle).await == Liveness::Alive,
            _ => false,
        }
    }

    /// Says that the session is paused whose sandbox is dead; false if it is not, or somebody said so. The sandbox stays on
    /// record: what is left of it may be the only copy of somebody's work.
    pub(super) async fn is_dead(&self, reason: &str) -> Result<bool, BootError> {
        let _turn = self.0.turn.lock().await;
        let machine = self.0.workshop.machine().await.map_err(closed)?;
        let (session, row) = self.load().await?;
        let handle = row.sandbox.as_deref().map(serde_json::from_str::<Handle>);
        let (SessionState::Running { .. }, Some(Ok(handle))) = (&session.state, handle) else {
            return Ok(false);
        };
        if machine.provider.liveness(&handle).await != Liveness::Dead {
            return Ok(false);
        }
        self.is_up(None);
        let paused = |state: SessionState, now| state.pause(now, reason);
        self.set_state(&session, paused).await.map(|_| true)
    }

    /// Ends a sandbox whose agent does not answer, with what it had saved first if that can be. In turn; says what
    /// people should know.
    pub(super) async fn replace(
        &self,
        machine: &Machine,
        handle: &Handle,
        session: &Session,
    ) -> &'static str {
        self.keep_values(machine, handle, session).await;
        let kept = self.keep(machine, handle, session, SnapshotTarget::Session);
        if let Err(error) = kept.await {
            tracing::error!(%error, sandbox = %handle.id, "a sandbox without an answering agent is left");
            return "The agent does not answer, and its sandbox could not be saved.";
        }
        if let Err(error) = machine.provider.destroy(handle).await {
            tracing::error!(%error, sandbox = %handle.id, "a sandbox that was saved is left");
        }
        "The agent did not answer any more, and its sandbox was saved."
    }

    /// Ends the sandbox of a session that has ended. That there is none is no error.
    pub(super) async fn dismiss(&self) -> Result<(), Error> {
        self.0.stopped.cancel();
        let _turn = self.0.turn.lock().await;
        let handle = match self.handle() {
            Some(handle) => handle,
            None => match self.handle_on_record().await? {
                Some(handle) => handle,
                None => return Ok(()),
            },
        };
        let machine = self.0.workshop.machine().await;
        let machine = machine.map_err(|closed| Error::Outside(closed.reason))?;
        if handle.provider != machine.provider.name() {
            return Err(Error::Busy("another provider made the sandbox"));
        }
        let destroyed = machine.provider.destroy(&handle).await;
        destroyed.map_err(|error| Error::Outside(error.to_string()))?;
        self.is_up(None);
        if let Ok(Some(session)) = self.session_now().await {
            self.remove_left(machine, &session).await;
        }
        self.collect(machine);
        Ok(())
    }

    async fn session_now(&self) -> Result<Option<Session>, Error> {
        let mut conn = self.0.app.db.read().await?;
        let (organization_id, id) = (&self.0.organization_id, self.0.session_id);
        Ok(conn.session_fetch(organization_id, id).await?)
    }

    pub(super) async fn handle_on_record(&self) -> Result<Option<Handle>, Error> {
        let mut conn = self.0.app.db.read().await?;
        let (organization_id, id) = (&self.0.organization_id, self.0.session_id);
        let row = conn.session_runtime_fetch(organization_id, id).await?;
        let Some(text) = row.and_then(|row| row.sandbox) else {
            return Ok(None);
        };
        serde_json::from_str(&text).map(Some).map_err(|error| {
            tracing::error!(%error, session_id = %id, "the record of a sandbox cannot be read");
            Error::Busy("the record of the sandbox cannot be read")
        })
    }

    /// Values that people gave this sandbox are sealed for the session's next one: they are in no snapshot.
    pub(super) async fn keep_values(&self, machine: &Machine, handle: &Handle, session: &Session) {
        let mut read = ExecRequest::new(["cat", ENV_FILE]);
        read.output_bytes_max = ENV_VALUES_BYTES_MAX;
        let values = match machine.provider.exec(handle, read).await {
            Ok(read) if read.is_success() && read.stdout.dropped == 0 => read.stdout.bytes,
            // Nobody gave it any.
            Ok(_) => return,
            Err(error) => return tracing::warn!(%error, "values of a sandbox cannot be read"),
        };
        let Ok(values) = serde_json::from_slice::<BTreeMap<String, String>>(&values) else {
            return tracing::warn!("values of a sandbox are not what they should be");
        };
        let values = values.into_iter();
        let values = values.map(|(name, value)| (name, SecretString::from(value)));
        match keep_environment(&self.0.app, session, values.collect()).await {
            Ok(left_out) if left_out.is_empty() => {}
            Ok(left_out) => tracing::warn!(?left_out, "values of a sandbox cannot be kept"),
            Err(error) => tracing::warn!(%error, "values of a sandbox cannot be kept"),
        }
    }
}
