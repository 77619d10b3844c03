//! A snapshot of a session's sandbox, and where it is recorded: on the session, and for a session that prepares a
//! configuration on that too.

use app::news;
use domain::{
    configuration::Configuration,
    news::News,
    session::{Session, SessionType},
};
use sandbox::{Handle, SnapshotRef};
use store::Snapshot;
use wire::live::SnapshotTarget;

use super::runtime::SessionRuntime;
use crate::{
    runtime::{Machine, snapshot_request},
    session::BootError,
};

/// A snapshot that is on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub snapshot_id: String,
    pub target: SnapshotTarget,
}

/// Why there is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SaveError {
    #[error("the session has no sandbox now")]
    NotUp,
    #[error("the sandbox has no helper that could take secrets out of its env files")]
    NoHelper,
    #[error("the snapshot could not be taken: {0}")]
    Sandbox(#[from] sandbox::Error),
    #[error("the session was stopped meanwhile")]
    Stopped,
    #[error("another snapshot was saved meanwhile; save again if this one is still wanted")]
    Overtaken,
    #[error(transparent)]
    Boot(#[from] BootError),
    #[error("the database does not answer")]
    Unavailable,
}

impl SaveError {
    /// Whether the same may succeed later.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::NotUp | Self::Overtaken | Self::Unavailable => true,
            Self::NoHelper | Self::Stopped => false,
            Self::Sandbox(error) => error.retry() != sandbox::Retry::Never,
            Self::Boot(error) => error.retryable,
        }
    }
}

fn target(session: &Session) -> SnapshotTarget {
    match session.session_type {
        SessionType::Setup => SnapshotTarget::Configuration,
        SessionType::Coding | SessionType::Automation | SessionType::Cli => SnapshotTarget::Session,
    }
}

impl SessionRuntime {
    /// What the agent or a person asks for.
    pub(super) async fn save(&self) -> Result<Saved, SaveError> {
        let _turn = self.0.turn.lock().await;
        let machine = self.0.workshop.opened().ok_or(SaveError::NotUp)?;
        let handle = self.handle().ok_or(SaveError::NotUp)?;
        let (session, _) = self.load().await?;
        self.keep(machine, &handle, &session, target(&session))
            .await
    }

    /// What a snapshot of it is for.
    pub(super) async fn target(&self) -> SnapshotTarget {
        let session = self.load().await;
        session.map_or(SnapshotTarget::Session, |(session, _)| target(&session))
    }

    /// Takes it and puts it on record. In turn.
    pub(super) async fn keep(
        &self,
        machine: &Machine,
        handle: &Handle,
        session: &Session,
        target: SnapshotTarget,
    ) -> Result<Saved, SaveError> {
        let configuration = self.configuration(session).await?;
        let env_files = configuration.as_ref().map(|one| one.env_files.as_slice());
        let request = snapshot_request(machine, env_files.unwrap_or_default());
        let request = request.ok_or(SaveError::NoHelper)?;
        let in_use = self.0.shelf.in_use().await;
        // Stopping the session does not wait for the snapshot: the sandbox is destroyed.
        let taken = tokio::select! {
            biased;
            () = self.0.stopped.cancelled() => return Err(SaveError::Stopped),
            taken = machine.provider.snapshot(handle, request) => taken?,
        };
        let configuration = configuration.filter(|_| target == SnapshotTarget::Configuration);
        self.record_snapshot(handle, session, configuration.as_ref(), &taken)
            .await?;
        drop(in_use);
        self.collect(machine);
        Ok(Saved {
            snapshot_id: taken.id.to_string(),
            target,
        })
    }

    /// INVARIANT: on all it is for, or on nothing.
    async fn record_snapshot(
        &self,
        handle: &Handle,
        session: &Session,
        configuration: Option<&Configuration>,
        taken: &SnapshotRef,
    ) -> Result<(), SaveError> {
        let now = self.0.app.now();
        let snapshot = Snapshot {
            organization_id: session.organization_id.clone(),
            id: taken.id.to_string(),
            provider: taken.provider.clone(),
            session_id: session.id,
            parent_id: taken.parent.as_ref().map(ToString::to_string),
            byte_size: taken.size,
            depth: taken.depth,
            created_at: now,
        };
        let sandbox = serde_json::to_string(handle).map_err(|_| SaveError::NotUp)?;
        let mut tx = self.0.app.db.write().await.map_err(unavailable)?;
        tx.snapshot_insert(&snapshot).await.map_err(unavailable)?;
        let set = tx.session_snapshot_set(session, &sandbox, &snapshot.id, now);
        if !set.await.map_err(unavailable)? {
            return Err(SaveError::Overtaken);
        }
        if let Some(before) = configuration {
            let set = tx.configuration_snapshot_set(before, &snapshot.id, now);
            if !set.await.map_err(unavailable)? {
                return Err(SaveError::Overtaken);
            }
        }
        tx.commit().await.map_err(unavailable)?;
        news::tell(
            &self.0.app,
            &session.organization_id,
            News::Session(session.id),
        );
        Ok(())
    }

    /// Lets go of snapshots that nothing refers to any more, beside whatever else happens.
    pub(super) fn collect(&self, machine: &Machine) {
        let (shelf, app) = (self.0.shelf.clone(), self.0.app.clone());
        let provider = std::sync::Arc::clone(&machine.provider);
        tokio::spawn(async move { shelf.collect(&app, provider.as_ref()).await });
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
pub(super) fn unavailable(error: store::Error) -> SaveError {
    tracing::warn!(%error, "a snapshot cannot be put on record");
    SaveError::Unavailable
}
