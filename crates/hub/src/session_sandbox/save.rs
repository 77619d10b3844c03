//! Snapshots of a session's sandbox. A snapshot is recorded on the session, and on the configuration that the session
//! prepares, if it does.

use std::collections::BTreeMap;

use agent::env::ENV_FILE;
use app::{
    news,
    organization_limits::{check_storage, count_snapshot},
    sessions::keep_environment,
};
use domain::{
    configuration::Configuration,
    limits::ENV_VALUES_BYTES_MAX,
    news::News,
    session::{Session, SessionType},
};
use sandbox::{ExecRequest, Handle, SnapshotRef};
use secrecy::SecretString;
use store::Snapshot;
use wire::live::SnapshotTarget;

use super::sandbox::SessionSandbox;
use crate::{
    runtime::{Machine, snapshot_request},
    session::BootError,
};

/// A snapshot that is on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedSnapshot {
    pub snapshot_id: String,
    pub target: SnapshotTarget,
}

/// Why no snapshot was saved.
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
    #[error("{0}")]
    LimitReached(String),
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
            Self::NoHelper | Self::Stopped | Self::LimitReached(_) => false,
            Self::Sandbox(error) => error.retry() != sandbox::Retry::Never,
            Self::Boot(error) => error.retryable,
        }
    }
}

/// Returns what a snapshot of this session is for.
fn target_of(session: &Session) -> SnapshotTarget {
    match session.session_type {
        SessionType::Setup => SnapshotTarget::Configuration,
        SessionType::Coding | SessionType::Automation | SessionType::Cli => SnapshotTarget::Session,
    }
}

impl SessionSandbox {
    /// Saves a snapshot because the agent or a user asks for it.
    pub(crate) async fn save(&self) -> Result<SavedSnapshot, SaveError> {
        let _turn = self.turn().await;
        let machine = self.lazy_machine().opened().ok_or(SaveError::NotUp)?;
        let handle = self.handle().ok_or(SaveError::NotUp)?;
        let (session, _) = self.record().load().await?;
        self.check_storage(&session).await?;
        self.take_snapshot(machine, &handle, &session, target_of(&session))
            .await
    }

    /// Fails if the organization may store no more. Not asked where the sandbox is about to end: its snapshot may be the
    /// only copy of someone's work.
    async fn check_storage(&self, session: &Session) -> Result<(), SaveError> {
        let mut conn = self.record().app.db.read().await.map_err(unavailable)?;
        let checked = check_storage(&mut conn, &session.organization_id).await;
        checked.map_err(|error| match error {
            app::Error::LimitReached(message) => SaveError::LimitReached(message),
            error => {
                tracing::warn!(%error, "cannot read what an organization has stored");
                SaveError::Unavailable
            }
        })
    }

    /// Returns what a snapshot of the session is for.
    pub(crate) async fn snapshot_target(&self) -> SnapshotTarget {
        let session = self.record().load().await;
        session.map_or(SnapshotTarget::Session, |(session, _)| target_of(&session))
    }

    /// Saves the sandbox that the session is about to leave. The caller holds the turn.
    pub(crate) async fn save_before_move(
        &self,
        machine: &Machine,
        old: &Handle,
    ) -> Result<(), SaveError> {
        let (session, _) = self.record().load().await?;
        self.seal_env_values(machine, old, &session).await;
        let taken = self.take_snapshot(machine, old, &session, SnapshotTarget::Session);
        taken.await.map(drop)
    }

    /// Takes a snapshot and records it. The caller holds the turn.
    pub(super) async fn take_snapshot(
        &self,
        machine: &Machine,
        handle: &Handle,
        session: &Session,
        target: SnapshotTarget,
    ) -> Result<SavedSnapshot, SaveError> {
        let configuration = self.record().load_configuration(session).await?;
        let env_files = configuration.as_ref().map(|one| one.env_files.as_slice());
        let request = snapshot_request(machine, env_files.unwrap_or_default());
        let request = request.ok_or(SaveError::NoHelper)?;
        let hold = self.hold_snapshots().await;
        // Stopping the session does not wait for the snapshot: the sandbox is destroyed anyway.
        let taken = tokio::select! {
            biased;
            () = self.saves_cancelled() => return Err(SaveError::Stopped),
            taken = machine.provider.snapshot(handle, request) => taken?,
        };
        let configuration = configuration.filter(|_| target == SnapshotTarget::Configuration);
        self.record_snapshot(handle, session, configuration.as_ref(), &taken)
            .await?;
        drop(hold);
        self.collect_snapshots(machine);
        Ok(SavedSnapshot {
            snapshot_id: taken.id.to_string(),
            target,
        })
    }

    /// INVARIANT: a snapshot is recorded on everything that it is for, or on nothing.
    async fn record_snapshot(
        &self,
        handle: &Handle,
        session: &Session,
        configuration: Option<&Configuration>,
        taken: &SnapshotRef,
    ) -> Result<(), SaveError> {
        let app = &self.record().app;
        let now = app.now();
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
        let mut tx = app.db.write().await.map_err(unavailable)?;
        let inserted = store::snapshot_insert(&mut tx, &snapshot).await;
        let is_new = inserted.map_err(unavailable)?;
        let set = store::session_snapshot_set(&mut tx, session, &sandbox, &snapshot.id, now);
        if !set.await.map_err(unavailable)? {
            return Err(SaveError::Overtaken);
        }
        if let Some(before) = configuration {
            let set = store::configuration_snapshot_set(&mut tx, before, &snapshot.id, now);
            if !set.await.map_err(unavailable)? {
                return Err(SaveError::Overtaken);
            }
        }
        if is_new {
            // Last: other transactions that store something wait for its row.
            let counted = count_snapshot(&mut tx, &session.organization_id, snapshot.byte_size);
            counted.await.map_err(unavailable)?;
        }
        tx.commit().await.map_err(unavailable)?;
        news::publish_soon(app, &session.organization_id, News::Session(session.id));
        Ok(())
    }

    /// Seals the values that users gave this sandbox for the session's next one: no snapshot contains them.
    pub(super) async fn seal_env_values(
        &self,
        machine: &Machine,
        handle: &Handle,
        session: &Session,
    ) {
        let mut read = ExecRequest::new(["cat", ENV_FILE]);
        read.output_bytes_max = ENV_VALUES_BYTES_MAX;
        let values = match machine.provider.exec(handle, read).await {
            Ok(read) if read.is_success() && read.stdout.dropped == 0 => read.stdout.bytes,
            // No user gave it any.
            Ok(_) => return,
            Err(error) => {
                return tracing::warn!(%error, "cannot read the environment values of a sandbox");
            }
        };
        let Ok(values) = serde_json::from_slice::<BTreeMap<String, String>>(&values) else {
            return tracing::warn!("the environment values of a sandbox are not a map of strings");
        };
        let values = values.into_iter();
        let values = values.map(|(name, value)| (name, SecretString::from(value)));
        match keep_environment(&self.record().app, session, values.collect()).await {
            Ok(left_out) if left_out.is_empty() => {}
            Ok(left_out) => {
                tracing::warn!(
                    ?left_out,
                    "some environment values of a sandbox are not kept"
                );
            }
            Err(error) => {
                tracing::warn!(%error, "cannot keep the environment values of a sandbox");
            }
        }
    }

    /// Removes unused snapshots in the background.
    pub(super) fn collect_snapshots(&self, machine: &Machine) {
        let (snapshots, app) = (self.snapshots().clone(), self.record().app.clone());
        let provider = std::sync::Arc::clone(&machine.provider);
        tokio::spawn(async move { snapshots.collect(&app, provider.as_ref()).await });
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
pub(super) fn unavailable(error: store::Error) -> SaveError {
    tracing::warn!(%error, "cannot record a snapshot");
    SaveError::Unavailable
}
