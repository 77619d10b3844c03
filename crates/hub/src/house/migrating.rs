//! Sessions that leave their sandboxes: because those end soon, or because somebody asked. One that nobody uses is paused;
//! any other is moved to a fresh sandbox while people go on.

use std::{sync::PoisonError, time::Duration};

use app::{Error, access::Steering, sessions::Expired};
use coord::{Attempt, HeldLease, LeaseTerms};
use domain::{
    id::SessionId,
    lease::LeaseKey,
    limits::{AGENT_REQUEST_TIMEOUT, HOUSE_CLOSE_AT_ONCE, MIGRATION_SETTLE_EVERY},
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

use super::{
    House, mover::Mover, place::Farewell, runtime::SessionRuntime, session_key::SessionKey,
};
use crate::session::{Handle, HubError};

const EXPIRING: &str =
    "its sandbox was about to end and nobody used the session; it goes on when it is opened again";
const UNDER_WAY: &str = "the session is on its way to a fresh sandbox already";

/// A session that leaves its sandbox.
#[derive(Debug)]
pub struct Leaving {
    pub how: MigrationKind,
    done: JoinHandle<()>,
}

impl Leaving {
    /// Waits until it has, or until that has come to nothing.
    pub async fn done(self) {
        // It ends by itself also if it broke.
        let _ = self.done.await;
    }
}

impl House {
    /// Has a session leave its sandbox; those who watch are told how it goes.
    pub async fn migrate(
        &self,
        steering: &Steering,
        reason: MigrationReason,
    ) -> Result<Leaving, Error> {
        self.leave_sandbox(&steering.into(), reason).await
    }

    async fn leave_sandbox(
        &self,
        key: &SessionKey,
        reason: MigrationReason,
    ) -> Result<Leaving, Error> {
        let id = key.id;
        let handle = self.hub(key).await?;
        let pulse = handle.pulse().await.map_err(refused)?;
        if pulse.status == LiveStatus::Migrating {
            return Err(Error::Conflict(UNDER_WAY.to_owned()));
        }
        let up = self.up(key).await;
        let (handle, runtime) = up.map_err(|error| Error::Outside(error.message))?;
        let Some(old) = runtime.handle() else {
            return Err(refused(HubError::NotUp));
        };
        let lease = self.lock_migration(id).await?;
        if is_resting(&handle).await
            && let Some(done) = self.pause(id, &handle).await
        {
            let done = tokio::spawn(async move {
                done.await;
                give_back(lease).await;
            });
            let how = MigrationKind::Pause;
            return Ok(Leaving { how, done });
        }
        let moving = self.begin_move(&handle, runtime, lease, reason, old).await;
        let done = moving?;
        Ok(Leaving {
            how: MigrationKind::Move,
            done,
        })
    }

    async fn begin_move(
        &self,
        handle: &Handle,
        runtime: SessionRuntime,
        lease: HeldLease,
        reason: MigrationReason,
        old: Sandbox,
    ) -> Result<JoinHandle<()>, Error> {
        let loaded = async {
            let machine = self.0.workshop.machine().await;
            let machine = machine.map_err(|closed| Error::Outside(closed.reason))?;
            let place = self.live().get(&runtime.0.session_id).cloned();
            let place = place.ok_or(Error::Busy("the session is moving; try again"))?;
            let session = runtime.load().await;
            let (session, _) = session.map_err(|error| Error::Outside(error.message))?;
            let begun = handle.begin_move(reason, old.expires_at).await;
            Ok((machine.clone(), place, session, begun.map_err(refused)?))
        };
        let (machine, place, session, stages) = match loaded.await {
            Ok(loaded) => loaded,
            Err(error) => {
                give_back(lease).await;
                return Err(error);
            }
        };
        let mover = Mover {
            handle: handle.clone(),
            runtime,
            machine,
            place,
            lease,
            stages,
            reason,
            old,
            has_last_good: session.snapshot_id.is_some(),
        };
        Ok(tokio::spawn(mover.run()))
    }

    /// One at a time moves a session.
    async fn lock_migration(&self, id: SessionId) -> Result<HeldLease, Error> {
        let app = &self.0.app;
        let (coordination, clock) = (app.coordination.clone(), app.clock.clone());
        let (key, holder) = (LeaseKey::Migration(id), app.instance.id);
        let asked = HeldLease::acquire(coordination, clock, key, holder, LeaseTerms::MIGRATION);
        match asked.await? {
            // Another task of this process has it: what is given back then would be theirs.
            Attempt::Held(lease) if lease.was_already_held() => {
                Err(Error::Conflict(UNDER_WAY.to_owned()))
            }
            Attempt::Held(lease) => Ok(lease),
            Attempt::HeldBy(_) => Err(Error::Conflict(UNDER_WAY.to_owned())),
        }
    }

    /// Saves and pauses a session that nobody uses; `None` if somebody does.
    async fn pause(
        &self,
        id: SessionId,
        handle: &Handle,
    ) -> Option<impl Future<Output = ()> + Send + 'static> {
        let place = self.live().get(&id).cloned()?;
        if self.is_at_work(id, &place).await || !place.leave(Farewell::Retire(EXPIRING)) {
            return None;
        }
        if let Ok(false) = handle.retire(Duration::ZERO, EXPIRING).await {
            place.stay();
            return None;
        }
        Some(async move { place.gone().await })
    }

    /// Has those sessions leave whose sandboxes end soon, or for which it is time to try again; says how many.
    pub async fn migrate_due(&self) -> usize {
        let now = self.0.app.now();
        let due = {
            let sandboxes = self.0.sandboxes.lock();
            let sandboxes = sandboxes.unwrap_or_else(PoisonError::into_inner);
            let due = |runtime: &SessionRuntime| Some((runtime.clone(), runtime.is_due(now)?));
            let mut due: Vec<_> = sandboxes.values().filter_map(due).collect();
            // The same order whenever it is asked, oldest first.
            due.sort_unstable_by_key(|(runtime, _)| runtime.0.session_id);
            due
        };
        let begun = stream::iter(due)
            .map(|(runtime, reason)| async move {
                let id = runtime.0.session_id;
                let key = SessionKey::of_row(&runtime.0.organization_id, id);
                // One that leaves already is not brought back for it.
                if !self.has(id) {
                    return false;
                }
                match self.leave_sandbox(&key, reason).await {
                    Ok(_) => true,
                    Err(Error::Conflict(_)) => false,
                    Err(error) => {
                        tracing::warn!(%error, session_id = %id, "a session whose sandbox ends soon cannot leave it now");
                        false
                    }
                }
            })
            .buffer_unordered(HOUSE_CLOSE_AT_ONCE)
            .filter(|is_begun| std::future::ready(*is_begun));
        begun.count().await
    }

    /// Sees to a session that nobody serves and whose sandbox ends soon.
    pub(super) async fn expire(&self, session: &Session) -> Result<Expired, Error> {
        let (key, id) = (SessionKey::from(session), session.id);
        if self.has(id) {
            return Ok(Expired::Served);
        }
        let handle = self.hub(&key).await?;
        let runtime = {
            let sandboxes = self.0.sandboxes.lock();
            let sandboxes = sandboxes.unwrap_or_else(PoisonError::into_inner);
            sandboxes.get(&id).cloned()
        };
        let runtime = runtime.ok_or(Error::Busy("the session is moving; try again"))?;
        let machine = self.0.workshop.machine().await;
        let machine = machine.map_err(|closed| Error::Outside(closed.reason))?;
        let Some(found) = runtime.handle_on_record().await? else {
            return Ok(Expired::SeenTo);
        };
        if machine.provider.liveness(&found).await == Liveness::Dead {
            let ended = runtime.has_ended().await;
            ended.map_err(|error| Error::Outside(error.message))?;
            handle.stop().await;
            return Ok(Expired::SeenTo);
        }
        self.leave_sandbox(&key, MigrationReason::Expiry)
            .await?
            .done()
            .await;
        // One that could not leave is served here now, and tried again.
        Ok(if self.has(id) {
            Expired::Served
        } else {
            Expired::SeenTo
        })
    }

    /// Removes a sandbox that its session has left.
    pub(super) async fn remove_sandbox(
        &self,
        session: &Session,
        sandbox: &str,
    ) -> Result<(), Error> {
        let unreadable = |_| Error::Conflict("the record of the sandbox cannot be read".to_owned());
        let left: Sandbox = serde_json::from_str(sandbox).map_err(unreadable)?;
        let machine = self.0.workshop.machine().await;
        let machine = machine.map_err(|closed| Error::Outside(closed.reason))?;
        if left.provider != machine.provider.name() {
            return Err(Error::Busy("another provider made the sandbox"));
        }
        // INVARIANT: never the one that the session is in.
        let row = {
            let mut conn = self.0.app.db.read().await?;
            conn.session_runtime_fetch(&session.organization_id, session.id)
                .await?
        };
        let current = row.and_then(|row| row.sandbox);
        let current = current.and_then(|text| serde_json::from_str::<Sandbox>(&text).ok());
        if current.is_some_and(|current| current.id == left.id) {
            return Ok(());
        }
        let removed = machine.provider.destroy(&left).await;
        removed.map_err(|error| Error::Outside(error.to_string()))
    }

    /// Whether agents may run in sandboxes of this process.
    pub fn has_sandboxes(&self) -> bool {
        !self.0.workshop.is_closed()
    }
}

/// Whether nobody uses it, once its agent was heard: one that is not may be at work.
async fn is_resting(handle: &Handle) -> bool {
    let heard = async {
        loop {
            match handle.pulse().await {
                Ok(pulse) if pulse.is_heard => return pulse.is_resting,
                Ok(_) => sleep(MIGRATION_SETTLE_EVERY).await,
                Err(_) => return false,
            }
        }
    };
    timeout(AGENT_REQUEST_TIMEOUT, heard).await.unwrap_or(false)
}

async fn give_back(lease: HeldLease) {
    if let Err(error) = lease.release().await {
        tracing::debug!(%error, "the lock of a move was not given back; it ends by itself");
    }
}

fn refused(error: HubError) -> Error {
    match error {
        HubError::Gone => Error::Busy("the session is moving; try again"),
        other => Error::Conflict(other.to_string()),
    }
}
