//! Which instance owns a session: this one while it holds the session's lease, and for a bounded time after the lease can
//! no longer be confirmed, as long as the database still has this instance's epoch.
//!
//! INVARIANT: the lease decides which instance opens a session, the epoch whose writes the store accepts. An instance that
//! finds another epoch or another holder stops its hub of the session and leaves the sandbox alone.

use std::sync::Arc;

use app::{App, Error, fleet};
use coord::{Attempt, HeldLease, LeaseTerms};
use domain::{
    id::SessionId,
    lease::LeaseKey,
    limits::{OWNER_REGAIN_EVERY, OWNER_UNCONFIRMED_MAX},
};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use wire::live::{ServerMessage, StatusUpdate};

use super::{entry::SessionEntry, session_key::SessionKey};
use crate::session::Handle;

const DEGRADED: &str = "The gateways cannot agree on who has this session, because their coordination service does not \
    answer. It goes on here for now.";
const CONFIRMED: &str = "The gateways' coordination service answers again.";

/// Acquires the session's lease for this instance. Fails with the owner if another instance holds it.
pub(super) async fn acquire_owner_lease(app: &App, id: SessionId) -> Result<HeldLease, Error> {
    match attempt_owner_lease(app, id).await? {
        Attempt::Held(lease) => Ok(lease),
        Attempt::HeldBy(other) => Err(fleet::held_by_error(app, other).await),
    }
}

async fn attempt_owner_lease(app: &App, id: SessionId) -> Result<Attempt, coord::Error> {
    let (coordination, clock) = (Arc::clone(&app.coordination), Arc::clone(&app.clock));
    let (key, holder) = (LeaseKey::Owner(id), app.instance.id);
    HeldLease::acquire(coordination, clock, key, holder, LeaseTerms::OWNER).await
}

async fn release_lease(lease: HeldLease) {
    let key = lease.key();
    if let Err(error) = lease.release().await {
        tracing::debug!(%error, %key, "a lease was not released; it expires");
    }
}

/// Keeps the lease of one session.
pub(super) struct LeaseKeeper {
    pub(super) app: App,
    pub(super) entry: Arc<SessionEntry>,
    pub(super) key: SessionKey,
    pub(super) epoch: i64,
    pub(super) handle: Handle,
}

/// Who owns a session whose lease was lost.
enum Ownership {
    Ours(HeldLease),
    Others,
    Unknown,
}

impl LeaseKeeper {
    /// Keeps the lease until `done`, and then releases it. Stops the hub if the session is lost before.
    pub(super) async fn keep_lease(self, mut lease: HeldLease, done: &CancellationToken) {
        loop {
            tokio::select! {
                biased;
                () = done.cancelled() => return release_lease(lease).await,
                _ = lease.lost() => {}
            }
            let Some(regained) = self.regain_lease(done).await else {
                tracing::warn!(session_id = %self.key.id, "lost the lease; stopping the hub");
                return self.handle.stop().await;
            };
            lease = regained;
        }
    }

    /// Acquires the lease again, if no other instance has owned the session meanwhile.
    async fn regain_lease(&self, done: &CancellationToken) -> Option<HeldLease> {
        let clock = &self.app.clock;
        let since = clock.monotonic();
        loop {
            match self.check_ownership().await {
                Ownership::Ours(lease) => {
                    if self.entry.is_unconfirmed() {
                        self.announce_confirmation(false, CONFIRMED).await;
                    }
                    return Some(lease);
                }
                Ownership::Others => return None,
                Ownership::Unknown => {}
            }
            if clock.monotonic().saturating_sub(since) >= OWNER_UNCONFIRMED_MAX {
                return None;
            }
            if !self.entry.is_unconfirmed() {
                tracing::warn!(session_id = %self.key.id, "a session continues without a confirmed lease");
                self.announce_confirmation(true, DEGRADED).await;
            }
            tokio::select! {
                biased;
                () = done.cancelled() => return None,
                () = sleep(OWNER_REGAIN_EVERY) => {}
            }
        }
    }

    async fn check_ownership(&self) -> Ownership {
        match attempt_owner_lease(&self.app, self.key.id).await {
            Ok(Attempt::HeldBy(_)) => Ownership::Others,
            Ok(Attempt::Held(lease)) => match self.has_newest_epoch().await {
                // Read while holding the lease: no instance takes it meanwhile.
                Some(true) => Ownership::Ours(lease),
                Some(false) => {
                    // Another hub of this process may hold it.
                    if !lease.was_already_held() {
                        release_lease(lease).await;
                    }
                    Ownership::Others
                }
                None => Ownership::Unknown,
            },
            Err(_) => match self.has_newest_epoch().await {
                Some(false) => Ownership::Others,
                Some(true) | None => Ownership::Unknown,
            },
        }
    }

    /// Whether the database still has our epoch. Returns `None` if it does not answer.
    async fn has_newest_epoch(&self) -> Option<bool> {
        let mut conn = self.app.db.read().await.ok()?;
        let session = store::session_fetch(&mut conn, &self.key.organization_id, self.key.id);
        let session = session.await.ok()?;
        Some(session.is_some_and(|session| session.owner_epoch == self.epoch))
    }

    /// Records whether the lease is confirmed, and tells the clients.
    async fn announce_confirmation(&self, is_unconfirmed: bool, message: &str) {
        self.entry.set_unconfirmed(is_unconfirmed);
        let Ok(status) = self.handle.read_status().await else {
            return;
        };
        let update = ServerMessage::Status(StatusUpdate {
            status: status.status,
            message: Some(message.to_owned()),
            is_idle: status.is_idle,
        });
        // A hub that has ended by itself has no clients.
        let _ = self.handle.publish(update).await;
    }
}
