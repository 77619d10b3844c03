//! Sweeps the sandboxes of this machine: running sessions that no instance owns are taken over, sessions whose sandboxes
//! are dead are paused, and sandboxes that belong to no session are destroyed.
//!
//! INVARIANT: only sandboxes of this machine are judged: one that is missing may be on another. One whose session is not in
//! the database belongs to another installation and is left alone. One is destroyed after a time in which it belonged to no
//! session, and not while a sandbox is being made for its session.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use app::fleet::{self, SessionOwner};
use coord::Acquisition;
use domain::{
    id::SessionId,
    instance::Swept,
    lease::LeaseKey,
    limits::{HUB_ADOPT_AFTER, LEASE_TTL, ORPHAN_GRACE, SWEEP_SESSIONS_MAX},
    session::SessionState,
};
use sandbox::{Handle, ListedSandbox, Liveness, Provider, SandboxId};
use wire::live::LiveStatus;

use super::worker::Fleet;
use crate::registry::SessionKey;

const DEAD: &str =
    "its sandbox has ended; the session goes on from its last snapshot when it is opened";

/// What the sweeps found so far.
#[derive(Debug, Default)]
pub(super) struct SweepState {
    swept: Mutex<Swept>,
    /// Sandboxes that belong to no session, and since when that is known.
    unclaimed: Mutex<HashMap<SandboxId, Duration>>,
}

/// What is to be done about a sandbox.
enum SweepVerdict {
    Nothing,
    /// No instance owns its session, in which an agent may be at work.
    AdoptSession(SessionKey),
    /// It is dead, and its session is on record as running.
    PauseSession(SessionKey),
    /// It belongs to no session.
    Unclaimed(SessionId),
    /// The database does not have its session.
    Foreign,
}

impl SweepState {
    pub(super) fn swept(&self) -> Swept {
        *self.lock()
    }

    pub(super) fn count(&self, change: impl FnOnce(&mut Swept)) {
        change(&mut self.lock());
    }

    fn lock(&self) -> MutexGuard<'_, Swept> {
        self.swept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unclaimed(&self) -> MutexGuard<'_, HashMap<SandboxId, Duration>> {
        self.unclaimed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Fleet {
    /// Sweeps once. A `thorough` sweep opens the machine if no session needed it yet, and judges sandboxes too whose
    /// sessions other instances own.
    pub async fn sweep(&self, thorough: bool) {
        let lazy = self.registry.sandboxes().lazy_machine();
        let machine = if thorough {
            lazy.machine().await.ok()
        } else {
            lazy.opened()
        };
        let is_admitting = self.registry.admission().check().is_ok();
        let Some(machine) = machine.filter(|_| is_admitting) else {
            return;
        };
        let provider = machine.provider.as_ref();
        let listed = match provider.list_sandboxes().await {
            Ok(listed) => listed,
            Err(error) => return tracing::warn!(%error, "cannot list sandboxes"),
        };
        let (mut unclaimed, mut foreign, mut taken) = (HashMap::new(), 0, 0);
        for sandbox in listed {
            let verdict = match self.judge(&sandbox, thorough).await {
                Ok(verdict) => verdict,
                Err(error) => {
                    // What is not known is not acted on, and is not forgotten either.
                    tracing::warn!(%error, sandbox = %sandbox.handle.id, "cannot judge a sandbox now");
                    self.keep_unclaimed(&sandbox, &mut unclaimed);
                    continue;
                }
            };
            match verdict {
                SweepVerdict::Nothing if !thorough => self.keep_unclaimed(&sandbox, &mut unclaimed),
                SweepVerdict::Foreign => foreign += 1,
                SweepVerdict::AdoptSession(key) if taken < SWEEP_SESSIONS_MAX => {
                    taken += usize::from(self.adopt_session(&key).await);
                }
                SweepVerdict::PauseSession(key) if taken < SWEEP_SESSIONS_MAX => {
                    self.pause_dead_session(&key).await;
                    taken += 1;
                }
                // Those beyond the bound are left to the next sweep.
                SweepVerdict::Nothing
                | SweepVerdict::AdoptSession(..)
                | SweepVerdict::PauseSession(..) => {}
                SweepVerdict::Unclaimed(id) => {
                    let now = self.registry.app().clock.monotonic();
                    let since = self.sweeps.unclaimed().get(&sandbox.handle.id).copied();
                    // One that is booting is not on record yet: only one that stays so is counted.
                    let since = since.unwrap_or(now);
                    if now.saturating_sub(since) < ORPHAN_GRACE
                        || !self.destroy_unclaimed(provider, &sandbox, id).await
                    {
                        unclaimed.insert(sandbox.handle.id, since);
                    }
                }
            }
        }
        self.sweeps.count(|swept| {
            swept.waiting = u32::try_from(unclaimed.len()).unwrap_or(u32::MAX);
            if thorough {
                swept.foreign = foreign;
            }
        });
        *self.sweeps.unclaimed() = unclaimed;
    }

    fn keep_unclaimed(
        &self,
        sandbox: &ListedSandbox,
        unclaimed: &mut HashMap<SandboxId, Duration>,
    ) {
        if let Some(since) = self.sweeps.unclaimed().get(&sandbox.handle.id) {
            unclaimed.insert(sandbox.handle.id.clone(), *since);
        }
    }

    async fn judge(&self, sandbox: &ListedSandbox, thorough: bool) -> app::Result<SweepVerdict> {
        let app = self.registry.app();
        let Ok(id) = sandbox.label.parse::<SessionId>() else {
            return Ok(SweepVerdict::Foreign);
        };
        let (is_ours, is_alive) = (
            self.registry.is_live(id),
            sandbox.liveness == Liveness::Alive,
        );
        let open = self.registry.open_sandboxes().get(id);
        let in_use = open.and_then(|open| open.handle());
        if is_ours && is_alive && in_use.is_some_and(|handle| handle.id == sandbox.handle.id) {
            return Ok(SweepVerdict::Nothing);
        }
        let is_free = is_ours || fleet::owner(app, id).await? == SessionOwner::NoOther;
        if !is_free && !thorough {
            return Ok(SweepVerdict::Nothing);
        }
        let mut conn = app.db.read().await?;
        let Some(session) = store::session_fetch_any(&mut conn, id).await? else {
            return Ok(SweepVerdict::Foreign);
        };
        let organization_id = session.organization_id.clone();
        let is_this = |text: String| {
            let handle = serde_json::from_str::<Handle>(&text);
            handle.is_ok_and(|handle| handle.id == sandbox.handle.id)
        };
        let row = store::session_runtime_fetch(&mut conn, &organization_id, id).await?;
        if !row.and_then(|row| row.sandbox).is_some_and(is_this) {
            // A successor is destroyed by the move, or by the next boot or end of the session.
            let next = store::session_successor_sandbox(&mut conn, &organization_id, id).await?;
            if next.is_some_and(is_this) {
                return Ok(SweepVerdict::Nothing);
            }
            // A dead one still has a disk, perhaps with the only copy of a person's work.
            return Ok(if is_alive {
                SweepVerdict::Unclaimed(id)
            } else {
                SweepVerdict::Nothing
            });
        }
        let is_settled = session.updated_at <= app.now().minus(HUB_ADOPT_AFTER);
        let is_running = matches!(session.state, SessionState::Running { .. });
        if !is_free || !is_settled || !is_running {
            return Ok(SweepVerdict::Nothing);
        }
        Ok(match sandbox.liveness {
            Liveness::Alive if !is_ours => SweepVerdict::AdoptSession(SessionKey::from(&session)),
            Liveness::Dead => SweepVerdict::PauseSession(SessionKey::from(&session)),
            Liveness::Alive | Liveness::Unknown => SweepVerdict::Nothing,
        })
    }

    /// Pauses a session whose sandbox is dead. If its agent is needed, it is booted in another sandbox instead.
    async fn pause_dead_session(&self, key: &SessionKey) {
        let id = key.id;
        let Ok(handle) = self.registry.open_by_key(key).await else {
            return;
        };
        if handle
            .read_activity()
            .await
            .is_ok_and(|activity| activity.wants_agent)
        {
            // If the hub has ended by itself, the next sweep finds the session again.
            let _ = handle.wake().await;
            return;
        }
        let Some(sandbox) = self.registry.open_sandboxes().get(id) else {
            return;
        };
        match sandbox.pause_if_dead(DEAD).await {
            Ok(false) => {}
            Ok(true) => {
                tracing::warn!(session_id = %id, "a session is paused: {DEAD}");
                self.sweeps.count(|swept| swept.dead += 1);
                metrics::counter!("proliferate_sandboxes_dead_total").increment(1);
                handle.publish_status(LiveStatus::Paused, DEAD).await;
            }
            Err(error) => {
                tracing::warn!(%error, session_id = %id, "cannot record that a sandbox is dead");
            }
        }
    }

    /// Destroys a sandbox that belongs to no session. Returns false if that has to wait.
    async fn destroy_unclaimed(
        &self,
        provider: &dyn Provider,
        sandbox: &ListedSandbox,
        id: SessionId,
    ) -> bool {
        let app = self.registry.app();
        let (coordination, own) = (&app.coordination, app.instance.id);
        let key = LeaseKey::Runtime(id);
        // A boot of the session holds this lock, also one of this process.
        let Ok(Acquisition::Acquired) = coordination.acquire(key, own, LEASE_TTL).await else {
            return false;
        };
        let is_unclaimed = matches!(
            self.judge(sandbox, true).await,
            Ok(SweepVerdict::Unclaimed(of)) if of == id
        );
        let ended = is_unclaimed
            && match provider.destroy(&sandbox.handle).await {
                Ok(()) => true,
                Err(error) => {
                    tracing::warn!(%error, sandbox = %sandbox.handle.id, "a sandbox that belongs to no session was not destroyed");
                    false
                }
            };
        if let Err(error) = coordination.release(key, own).await {
            tracing::debug!(%error, "the lock of a boot was not released; it expires");
        }
        if ended {
            tracing::warn!(sandbox = %sandbox.handle.id, session_id = %id, "destroyed a sandbox that belonged to no session");
            self.sweeps.count(|swept| swept.ended += 1);
            metrics::counter!("proliferate_sandboxes_orphaned_total").increment(1);
        }
        ended || !is_unclaimed
    }
}
