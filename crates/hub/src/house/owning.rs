//! Who may have a session here: this instance while it holds the session's lease, and for a while after the lease can
//! no longer be confirmed, as long as the database says that nobody else has taken it.
//!
//! INVARIANT: the lease decides who opens a session, the epoch whose writes are taken. Whoever finds another epoch, or
//! another holder, lets the session go and leaves its sandbox alone.

use std::sync::Arc;

use app::{Error, fleet};
use coord::{Attempt, HeldLease, LeaseTerms};
use domain::{
    id::{OrganizationId, SessionId},
    lease::LeaseKey,
    limits::{OWNER_REGAIN_EVERY, OWNER_UNCONFIRMED_MAX},
};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use wire::live::{ServerMessage, StatusUpdate};

use super::{House, place::Place};
use crate::session::Handle;

const DEGRADED: &str = "The gateways cannot agree on who has this session, because their coordination service does not \
    answer. It goes on here for now.";
const CONFIRMED: &str = "The gateways' coordination service answers again.";

impl House {
    /// Takes the session for this instance, or says who has it.
    pub(super) async fn own(&self, id: SessionId) -> Result<HeldLease, Error> {
        match self.ask_for(id).await? {
            Attempt::Held(lease) => Ok(lease),
            Attempt::HeldBy(other) => Err(fleet::held_by(&self.0.app, other).await),
        }
    }

    async fn ask_for(&self, id: SessionId) -> Result<Attempt, coord::Error> {
        let app = &self.0.app;
        let (coordination, clock) = (Arc::clone(&app.coordination), Arc::clone(&app.clock));
        let (key, holder) = (LeaseKey::Owner(id), app.instance.id);
        HeldLease::acquire(coordination, clock, key, holder, LeaseTerms::OWNER).await
    }
}

/// Keeps one session for this instance.
pub(super) struct Keeper {
    pub(super) house: House,
    pub(super) place: Arc<Place>,
    pub(super) organization_id: OrganizationId,
    pub(super) id: SessionId,
    pub(super) epoch: i64,
    pub(super) handle: Handle,
}

/// Whose a session is whose lease was lost.
enum Whose {
    Ours(HeldLease),
    Others,
    Unknown,
}

impl Keeper {
    /// Until `done`; then the lease is given back. A session that is lost before is let go.
    pub(super) async fn keep(self, mut lease: HeldLease, done: &CancellationToken) {
        loop {
            tokio::select! {
                biased;
                () = done.cancelled() => return give_back(lease).await,
                _ = lease.lost() => {}
            }
            let Some(again) = self.regain(done).await else {
                tracing::warn!(session_id = %self.id, "a session is let go: it is not ours any more");
                return self.handle.stop().await;
            };
            lease = again;
        }
    }

    /// The lease once more, if nobody has had the session meanwhile.
    async fn regain(&self, done: &CancellationToken) -> Option<HeldLease> {
        let clock = &self.house.0.app.clock;
        let since = clock.monotonic();
        loop {
            match self.whose().await {
                Whose::Ours(lease) => {
                    if self.place.is_unconfirmed() {
                        self.tell(false, CONFIRMED).await;
                    }
                    return Some(lease);
                }
                Whose::Others => return None,
                Whose::Unknown => {}
            }
            if clock.monotonic().saturating_sub(since) >= OWNER_UNCONFIRMED_MAX {
                return None;
            }
            if !self.place.is_unconfirmed() {
                tracing::warn!(session_id = %self.id, "a session goes on without a confirmed lease");
                self.tell(true, DEGRADED).await;
            }
            tokio::select! {
                biased;
                () = done.cancelled() => return None,
                () = sleep(OWNER_REGAIN_EVERY) => {}
            }
        }
    }

    async fn whose(&self) -> Whose {
        match self.house.ask_for(self.id).await {
            Ok(Attempt::HeldBy(_)) => Whose::Others,
            Ok(Attempt::Held(lease)) => match self.is_newest().await {
                // Looked at under the lease: nobody takes it meanwhile.
                Some(true) => Whose::Ours(lease),
                Some(false) => {
                    // Another hub of this process may have it.
                    if !lease.was_already_held() {
                        give_back(lease).await;
                    }
                    Whose::Others
                }
                None => Whose::Unknown,
            },
            Err(_) => match self.is_newest().await {
                Some(false) => Whose::Others,
                Some(true) | None => Whose::Unknown,
            },
        }
    }

    /// Whether the database still has our epoch; `None` if it does not answer.
    async fn is_newest(&self) -> Option<bool> {
        let mut conn = self.house.0.app.db.read().await.ok()?;
        let session = conn.session_fetch(&self.organization_id, self.id);
        let session = session.await.ok()?;
        Some(session.is_some_and(|session| session.owner_epoch == self.epoch))
    }

    async fn tell(&self, is_unconfirmed: bool, message: &str) {
        self.place.set_unconfirmed(is_unconfirmed);
        let Ok(look) = self.handle.look().await else {
            return;
        };
        let told = ServerMessage::Status(StatusUpdate {
            status: look.status,
            message: Some(message.to_owned()),
            is_idle: look.is_idle,
        });
        // One that has ended by itself has nobody to tell.
        let _ = self.handle.tell(told).await;
    }
}

async fn give_back(lease: HeldLease) {
    let key = lease.key();
    if let Err(error) = lease.release().await {
        tracing::debug!(%error, %key, "a lease was not given back; it ends by itself");
    }
}
