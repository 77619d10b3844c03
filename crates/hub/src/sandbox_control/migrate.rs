//! Makes sessions leave their sandboxes: because those expire soon, or because a caller asked. A session that is unused is
//! paused; any other moves to a new sandbox while its clients stay connected.

use std::time::Duration;

use app::{Error, access::Steering, sessions::ExpiryOutcome};
use coord::{Attempt, HeldLease, LeaseTerms};
use domain::{
    id::SessionId,
    lease::LeaseKey,
    limits::{AGENT_REQUEST_TIMEOUT, HUB_CLOSE_AT_ONCE, MIGRATION_SETTLE_EVERY},
    session::Session,
};
use futures::{StreamExt as _, stream};
use sandbox::{Handle as Sandbox, Liveness};
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};
use wire::{
    job::MigrationKind,
    live::{LiveStatus, MigrationReason},
};

use super::{control::SandboxControl, sandbox_move::SandboxMove};
use crate::{
    registry::{Departure, SessionKey},
    session::{Handle, HubError},
    session_sandbox::SessionSandbox,
};

/// Why a session is paused instead of moved.
fn pause_reason(reason: MigrationReason) -> &'static str {
    match reason {
        MigrationReason::Expiry => {
            "its sandbox was about to end and the session was not used; it goes on when it is opened again"
        }
        MigrationReason::Asked => {
            "an admin moved the session while it was not used; it goes on when it is opened again"
        }
    }
}

const UNDER_WAY: &str = "the session is on its way to a fresh sandbox already";

/// A session that is leaving its sandbox.
#[derive(Debug)]
pub struct Departing {
    pub kind: MigrationKind,
    task: JoinHandle<()>,
}

impl Departing {
    /// Waits until the session has left its sandbox, or until that has failed.
    pub async fn wait(self) {
        // A panic ends it too.
        let _ = self.task.await;
    }
}

impl SandboxControl {
    /// Makes a session leave its sandbox; clients are told how it goes.
    pub async fn migrate(
        &self,
        steering: &Steering,
        reason: MigrationReason,
    ) -> Result<Departing, Error> {
        self.leave_sandbox(&steering.into(), reason).await
    }

    async fn leave_sandbox(
        &self,
        key: &SessionKey,
        reason: MigrationReason,
    ) -> Result<Departing, Error> {
        let id = key.id;
        let handle = self.registry.open_by_key(key).await?;
        let activity = handle.read_activity().await.map_err(refused)?;
        if activity.status == LiveStatus::Migrating {
            return Err(Error::Conflict(UNDER_WAY.to_owned()));
        }
        let ready = self.registry.open_ready(key).await;
        let (handle, sandbox) = ready.map_err(|error| Error::Outside(error.message))?;
        let Some(old) = sandbox.handle() else {
            return Err(refused(HubError::NotUp));
        };
        let lease = self.lock_migration(id).await?;
        if is_resting(&handle).await
            && let Some(gone) = self
                .pause_if_unused(id, &handle, pause_reason(reason))
                .await
        {
            let task = tokio::spawn(async move {
                gone.await;
                release_lock(lease).await;
            });
            let kind = MigrationKind::Pause;
            return Ok(Departing { kind, task });
        }
        let task = self
            .begin_move(&handle, sandbox, lease, reason, old)
            .await?;
        Ok(Departing {
            kind: MigrationKind::Move,
            task,
        })
    }

    async fn begin_move(
        &self,
        handle: &Handle,
        sandbox: SessionSandbox,
        lease: HeldLease,
        reason: MigrationReason,
        old: Sandbox,
    ) -> Result<JoinHandle<()>, Error> {
        let loaded = async {
            let machine = self.registry.sandboxes().machine().await?;
            let entry = self.registry.entry_by_id(sandbox.session_id());
            let entry = entry.ok_or(Error::SessionInTransition)?;
            let session = sandbox.record().load().await;
            let (session, _) = session.map_err(|error| Error::Outside(error.message))?;
            let begun = handle.begin_move(reason, old.expires_at).await;
            Ok((machine.clone(), entry, session, begun.map_err(refused)?))
        };
        let (machine, entry, session, stages) = match loaded.await {
            Ok(loaded) => loaded,
            Err(error) => {
                release_lock(lease).await;
                return Err(error);
            }
        };
        let sandbox_move = SandboxMove {
            handle: handle.clone(),
            sandbox,
            machine,
            entry,
            lease,
            stages,
            reason,
            old,
            has_last_good: session.snapshot_id.is_some(),
        };
        Ok(tokio::spawn(sandbox_move.run()))
    }

    /// Acquires the lock under which one task at a time moves a session.
    async fn lock_migration(&self, id: SessionId) -> Result<HeldLease, Error> {
        let app = self.registry.app();
        let (coordination, clock) = (app.coordination.clone(), app.clock.clone());
        let (key, holder) = (LeaseKey::Migration(id), app.instance.id);
        let acquired = HeldLease::acquire(coordination, clock, key, holder, LeaseTerms::MIGRATION);
        match acquired.await? {
            // Another task of this process holds it: releasing it here would release theirs.
            Attempt::Held(lease) if lease.was_already_held() => {
                Err(Error::Conflict(UNDER_WAY.to_owned()))
            }
            Attempt::Held(lease) => Ok(lease),
            Attempt::HeldBy(_) => Err(Error::Conflict(UNDER_WAY.to_owned())),
        }
    }

    /// Saves and pauses a session that is unused. Returns `None` if it is in use.
    async fn pause_if_unused(
        &self,
        id: SessionId,
        handle: &Handle,
        reason: &'static str,
    ) -> Option<impl Future<Output = ()> + Send + 'static> {
        let entry = self.registry.entry_by_id(id)?;
        if entry.has_open_run(self.registry.app(), id).await
            || !entry.begin_departure(Departure::Evict(reason))
        {
            return None;
        }
        if let Ok(false) = handle.stop_if_quiet(Duration::ZERO, reason).await {
            entry.cancel_departure();
            return None;
        }
        Some(async move { entry.wait_gone().await })
    }

    /// Makes those sessions leave whose sandboxes expire soon, or whose failed move is to be tried again. Returns how many.
    pub async fn migrate_due(&self) -> usize {
        let now = self.registry.app().now();
        let due = self.registry.open_sandboxes().list().into_iter();
        let due = due.filter_map(|sandbox| {
            let expires_at = sandbox.handle().and_then(|handle| handle.expires_at);
            let reason = sandbox.move_schedule().due_reason(now, expires_at)?;
            Some((sandbox, reason))
        });
        let begun = stream::iter(due)
            .map(|(sandbox, reason)| async move {
                let id = sandbox.session_id();
                let key = SessionKey::from_row(sandbox.organization_id(), id);
                // A session that is leaving already is not opened again for it.
                if !self.registry.is_live(id) {
                    return false;
                }
                match self.leave_sandbox(&key, reason).await {
                    Ok(_) => true,
                    Err(Error::Conflict(_)) => false,
                    Err(error) => {
                        tracing::warn!(%error, session_id = %id, "a session whose sandbox expires soon cannot leave it now");
                        false
                    }
                }
            })
            .buffer_unordered(HUB_CLOSE_AT_ONCE)
            .filter(|is_begun| std::future::ready(*is_begun));
        begun.count().await
    }

    /// Pauses or moves a session that no instance owns and whose sandbox expires soon.
    pub(crate) async fn expire(&self, session: &Session) -> Result<ExpiryOutcome, Error> {
        let (key, id) = (SessionKey::from(session), session.id);
        if self.registry.is_live(id) {
            return Ok(ExpiryOutcome::Served);
        }
        let handle = self.registry.open_by_key(&key).await?;
        let sandbox = self.registry.open_sandboxes().get(id);
        let sandbox = sandbox.ok_or(Error::SessionInTransition)?;
        let machine = self.registry.sandboxes().machine().await?;
        let Some(found) = sandbox.record().load_handle().await? else {
            return Ok(ExpiryOutcome::Handled);
        };
        if machine.provider.liveness(&found).await == Liveness::Dead {
            let paused = sandbox.record().pause_after_sandbox_ended().await;
            paused.map_err(|error| Error::Outside(error.message))?;
            handle.stop().await;
            return Ok(ExpiryOutcome::Handled);
        }
        let departing = self.leave_sandbox(&key, MigrationReason::Expiry).await?;
        departing.wait().await;
        // A session that could not leave is live here now, and is tried again.
        Ok(if self.registry.is_live(id) {
            ExpiryOutcome::Served
        } else {
            ExpiryOutcome::Handled
        })
    }
}

/// Whether the session is unused, once its agent's stream was read: an agent that is not heard may be at work.
async fn is_resting(handle: &Handle) -> bool {
    let heard = async {
        loop {
            match handle.read_activity().await {
                Ok(activity) if activity.is_heard => return activity.is_resting,
                Ok(_) => sleep(MIGRATION_SETTLE_EVERY).await,
                Err(_) => return false,
            }
        }
    };
    timeout(AGENT_REQUEST_TIMEOUT, heard).await.unwrap_or(false)
}

async fn release_lock(lease: HeldLease) {
    if let Err(error) = lease.release().await {
        tracing::debug!(%error, "the lock of a move was not released; it expires");
    }
}

fn refused(error: HubError) -> Error {
    match error {
        HubError::Gone => Error::SessionInTransition,
        other => Error::Conflict(other.to_string()),
    }
}
