//! What nobody looks after, judged by the sandboxes that there are here: running sessions that no instance serves are taken
//! over, sessions whose sandboxes are dead are told so and paused, and sandboxes that no session has are ended.
//!
//! INVARIANT: only what is here is judged: a sandbox that is not may be on another machine. One whose session the
//! database does not know is another installation's, and is left alone. One is ended after a time in which no session had
//! it, and not while somebody makes a sandbox for its session.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use app::fleet::{self, Owner};
use coord::Acquisition;
use domain::{
    id::SessionId,
    instance::Swept,
    lease::LeaseKey,
    limits::{HOUSE_ADOPT_AFTER, LEASE_TTL, ORPHAN_GRACE, SWEEP_SESSIONS_MAX},
    session::SessionState,
};
use sandbox::{Handle, Listed, Liveness, Provider, SandboxId};
use wire::live::LiveStatus;

use super::{House, closing::tell_status, session_key::SessionKey};

const DEAD: &str =
    "its sandbox has ended; the session goes on from its last snapshot when it is opened";

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Sweeps {
    swept: Mutex<Swept>,
    /// Sandboxes that no session has, and since when that is known.
    unclaimed: Mutex<HashMap<SandboxId, Duration>>,
}

/// What is to be done about a sandbox.
enum Verdict {
    /// Nothing.
    Fine,
    /// Nobody serves its session, in which an agent may be at work.
    Deserted(SessionKey),
    /// It is dead, and nobody told its session.
    Dead(SessionKey),
    /// No session has it.
    Unclaimed(SessionId),
    /// Nobody here knows its session.
    Foreign,
}

impl Sweeps {
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

impl House {
    /// One look. A `thorough` one finds out where sandboxes are if nobody needed one yet, and looks at those, too, whose
    /// sessions other instances serve.
    pub async fn sweep(&self, thorough: bool) {
        let machine = if thorough {
            self.0.workshop.machine().await.ok()
        } else {
            self.0.workshop.opened()
        };
        let Some(machine) = machine.filter(|_| self.is_open().is_ok()) else {
            return;
        };
        let provider = machine.provider.as_ref();
        let listed = match provider.listed().await {
            Ok(listed) => listed,
            Err(error) => return tracing::warn!(%error, "sandboxes cannot be listed"),
        };
        let (mut unclaimed, mut foreign, mut taken) = (HashMap::new(), 0, 0);
        for sandbox in listed {
            let verdict = match self.judge(&sandbox, thorough).await {
                Ok(verdict) => verdict,
                Err(error) => {
                    // Not knowing is no reason to do anything, and no reason to forget since when.
                    tracing::warn!(%error, sandbox = %sandbox.handle.id, "a sandbox cannot be judged now");
                    self.still_unclaimed(&sandbox, &mut unclaimed);
                    continue;
                }
            };
            match verdict {
                Verdict::Fine if !thorough => self.still_unclaimed(&sandbox, &mut unclaimed),
                Verdict::Foreign => foreign += 1,
                Verdict::Deserted(key) if taken < SWEEP_SESSIONS_MAX => {
                    taken += usize::from(self.adopt_one(&key).await);
                }
                Verdict::Dead(key) if taken < SWEEP_SESSIONS_MAX => {
                    self.tell_of_death(&key).await;
                    taken += 1;
                }
                // Those that there is no room for have the next look.
                Verdict::Fine | Verdict::Deserted(..) | Verdict::Dead(..) => {}
                Verdict::Unclaimed(id) => {
                    let now = self.0.app.clock.monotonic();
                    let since = self.0.sweeps.unclaimed().get(&sandbox.handle.id).copied();
                    // One that comes up is on no record yet: only what stays so is worth a word.
                    let since = since.unwrap_or(now);
                    if now.saturating_sub(since) < ORPHAN_GRACE
                        || !self.end_unclaimed(provider, &sandbox, id).await
                    {
                        unclaimed.insert(sandbox.handle.id, since);
                    }
                }
            }
        }
        self.0.sweeps.count(|swept| {
            swept.waiting = u32::try_from(unclaimed.len()).unwrap_or(u32::MAX);
            if thorough {
                swept.foreign = foreign;
            }
        });
        *self.0.sweeps.unclaimed() = unclaimed;
    }

    fn still_unclaimed(&self, sandbox: &Listed, unclaimed: &mut HashMap<SandboxId, Duration>) {
        if let Some(since) = self.0.sweeps.unclaimed().get(&sandbox.handle.id) {
            unclaimed.insert(sandbox.handle.id.clone(), *since);
        }
    }

    async fn judge(&self, sandbox: &Listed, thorough: bool) -> app::Result<Verdict> {
        let app = &self.0.app;
        let Ok(id) = sandbox.label.parse::<SessionId>() else {
            return Ok(Verdict::Foreign);
        };
        let (is_ours, is_alive) = (self.has(id), sandbox.liveness == Liveness::Alive);
        let runtime = self.sandboxes().get(&id).cloned();
        let in_use = runtime.and_then(|runtime| runtime.handle());
        if is_ours && is_alive && in_use.is_some_and(|handle| handle.id == sandbox.handle.id) {
            return Ok(Verdict::Fine);
        }
        let is_free = is_ours || fleet::owner(app, id).await? == Owner::OursToTake;
        if !is_free && !thorough {
            return Ok(Verdict::Fine);
        }
        let mut conn = app.db.read().await?;
        let Some(session) = conn.session_fetch_any(id).await? else {
            return Ok(Verdict::Foreign);
        };
        let organization_id = session.organization_id.clone();
        let is_this = |text: String| {
            let handle = serde_json::from_str::<Handle>(&text);
            handle.is_ok_and(|handle| handle.id == sandbox.handle.id)
        };
        let row = conn.session_runtime_fetch(&organization_id, id).await?;
        if !row.and_then(|row| row.sandbox).is_some_and(is_this) {
            // The one that a session moves to is looked after by whoever moves it, boots it next or ends it.
            let next = conn.session_successor_sandbox(&organization_id, id).await?;
            if next.is_some_and(is_this) {
                return Ok(Verdict::Fine);
            }
            // What is left of a dead one is a disk, perhaps with the only copy of somebody's work.
            return Ok(if is_alive {
                Verdict::Unclaimed(id)
            } else {
                Verdict::Fine
            });
        }
        let is_settled = session.updated_at <= app.now().minus(HOUSE_ADOPT_AFTER);
        let is_running = matches!(session.state, SessionState::Running { .. });
        if !is_free || !is_settled || !is_running {
            return Ok(Verdict::Fine);
        }
        Ok(match sandbox.liveness {
            Liveness::Alive if !is_ours => Verdict::Deserted(SessionKey::from(&session)),
            Liveness::Dead => Verdict::Dead(SessionKey::from(&session)),
            Liveness::Alive | Liveness::Unknown => Verdict::Fine,
        })
    }

    /// Takes a session over that nobody serves, with its agent; says whether.
    pub(super) async fn adopt_one(&self, key: &SessionKey) -> bool {
        match self.hub(key).await {
            Ok(handle) => {
                self.0.sweeps.count(|swept| swept.adopted += 1);
                metrics::counter!("proliferate_sessions_adopted_total").increment(1);
                handle.wake().await.is_ok()
            }
            Err(error) => {
                tracing::debug!(%error, session_id = %key.id, "a session is not taken over now");
                false
            }
        }
    }

    /// Pauses a session whose sandbox is dead, unless somebody waits for its agent: that makes it another one.
    async fn tell_of_death(&self, key: &SessionKey) {
        let id = key.id;
        let Ok(handle) = self.hub(key).await else {
            return;
        };
        if handle.pulse().await.is_ok_and(|pulse| pulse.wants_agent) {
            // One that has ended by itself is found again.
            let _ = handle.wake().await;
            return;
        }
        let runtime = self.sandboxes().get(&id).cloned();
        let Some(runtime) = runtime else {
            return;
        };
        match runtime.is_dead(DEAD).await {
            Ok(false) => {}
            Ok(true) => {
                tracing::warn!(session_id = %id, "a session is paused: {DEAD}");
                self.0.sweeps.count(|swept| swept.dead += 1);
                metrics::counter!("proliferate_sandboxes_dead_total").increment(1);
                tell_status(&handle, LiveStatus::Paused, DEAD).await;
            }
            Err(error) => {
                tracing::warn!(%error, session_id = %id, "that a sandbox is dead is not on record");
            }
        }
    }

    /// Ends a sandbox that no session has; false if that has to wait.
    async fn end_unclaimed(
        &self,
        provider: &dyn Provider,
        sandbox: &Listed,
        id: SessionId,
    ) -> bool {
        let (coordination, own) = (&self.0.app.coordination, self.0.app.instance.id);
        let key = LeaseKey::Runtime(id);
        // Whoever makes a sandbox for the session has this, also in this process.
        let Ok(Acquisition::Acquired) = coordination.acquire(key, own, LEASE_TTL).await else {
            return false;
        };
        let is_unclaimed = matches!(
            self.judge(sandbox, true).await,
            Ok(Verdict::Unclaimed(of)) if of == id
        );
        let ended = is_unclaimed
            && match provider.destroy(&sandbox.handle).await {
                Ok(()) => true,
                Err(error) => {
                    tracing::warn!(%error, sandbox = %sandbox.handle.id, "a sandbox that no session has was not ended");
                    false
                }
            };
        if let Err(error) = coordination.release(key, own).await {
            tracing::debug!(%error, "the lock of a sandbox was not given back; it ends by itself");
        }
        if ended {
            tracing::warn!(sandbox = %sandbox.handle.id, session_id = %id, "ended a sandbox that no session had");
            self.0.sweeps.count(|swept| swept.ended += 1);
            metrics::counter!("proliferate_sandboxes_orphaned_total").increment(1);
        }
        ended || !is_unclaimed
    }
}
