//! Opening a session: its lease, its epoch, the end of its log, then its loop; and what comes after that.

use std::sync::Arc;

use app::{Error, news};
use coord::HeldLease;
use domain::{
    id::{OrganizationId, SessionId},
    news::News,
    session::{Session, SessionState, SessionType},
};
use tokio_util::sync::CancellationToken;

use super::{
    House,
    notices::Notices,
    over::Over,
    owning::Keeper,
    place::{Facts, Farewell, Place},
    runtime::SessionRuntime,
    session_key::SessionKey,
    told::ToldJournal,
};
use crate::session::{Handle, Ports, Runtime, Service, StoreJournal};

impl House {
    pub(super) async fn open(&self, key: &SessionKey, place: &Arc<Place>) -> Result<Handle, Error> {
        if place.is_leaving() {
            return Err(Error::Busy("the session is moving; try again"));
        }
        let (organization_id, id) = (&key.organization_id, key.id);
        let lease = self.own(id).await?;
        let session = self.claim(organization_id, id).await?;
        let own = self.runtime_of(&session);
        let (handle, service) = self.start(&session, &own).await?;
        let facts = Facts {
            is_automation: session.session_type == SessionType::Automation,
        };
        // Nobody else opens this place.
        _ = place.facts.set(facts);
        let notices = Notices {
            app: self.0.app.clone(),
            organization_id: organization_id.clone(),
            id,
            handle: handle.clone(),
            known_since: service.known_since(),
        };
        tokio::spawn(notices.run());
        self.has_sandbox(&own);
        let keeper = Keeper {
            house: self.clone(),
            place: Arc::clone(place),
            organization_id: organization_id.clone(),
            id,
            epoch: session.owner_epoch,
            handle: handle.clone(),
        };
        let living = self.clone();
        tokio::spawn(living.live_until_gone(keeper, lease, service, own.clone()));
        if matches!(session.state, SessionState::Running { .. }) {
            tokio::spawn(listen_again(own, handle.clone()));
        }
        if let Err(error) = self.first_prompt(&session, &handle).await {
            place.leave(Farewell::Leave);
            handle.stop().await;
            place.gone().await;
            return Err(error);
        }
        Ok(handle)
    }

    /// What does to the session's sandbox what is done to it.
    pub(super) fn runtime_of(&self, session: &Session) -> SessionRuntime {
        let house = &self.0;
        let room = house.rooms.of(session.id);
        SessionRuntime::new(&house.app, &house.workshop, &house.shelf, room, session)
    }

    async fn claim(
        &self,
        organization_id: &OrganizationId,
        id: SessionId,
    ) -> Result<Session, Error> {
        let app = &self.0.app;
        let mut tx = app.db.write().await?;
        let session = tx.session_claim(organization_id, id, app.now()).await?;
        let session = session.ok_or(Error::NotFound("session"))?;
        tx.commit().await?;
        // Lists show who has it.
        news::tell(app, organization_id, News::Session(id));
        Ok(session)
    }

    async fn start(
        &self,
        session: &Session,
        own: &SessionRuntime,
    ) -> Result<(Handle, Service), Error> {
        let app = &self.0.app;
        let journal = StoreJournal {
            db: app.db.clone(),
            organization_id: session.organization_id.clone(),
            session_id: session.id,
            epoch: session.owner_epoch,
        };
        let runtime: Arc<dyn Runtime> = match (&session.state, &self.0.runtimes) {
            (SessionState::Stopped { reason, .. }, _) => Arc::new(Over::new(reason)),
            (_, Some(runtimes)) => runtimes.of(session.id),
            (_, None) => Arc::new(own.clone()),
        };
        let ports = Ports {
            runtime,
            journal: Arc::new(ToldJournal::new(app.clone(), journal)),
            clock: Arc::clone(&app.clock),
            entropy: Arc::clone(&app.entropy),
        };
        Service::start(ports).await.map_err(|error| {
            tracing::warn!(%error, session_id = %session.id, "a session could not be opened");
            Error::Busy("the session's log cannot be read now")
        })
    }

    /// The session's time here. The lease is held until nothing is done to its sandbox any more, and the place is
    /// free when the lease is, or when another instance has it.
    async fn live_until_gone(
        self,
        keeper: Keeper,
        lease: HeldLease,
        service: Service,
        own: SessionRuntime,
    ) {
        let (id, place) = (keeper.id, Arc::clone(&keeper.place));
        let done = CancellationToken::new();
        let life = async {
            let ended = service.run().await;
            tracing::debug!(?ended, session_id = %id, "a session is no longer live here");
            let how = place.left_how();
            self.say_farewell(how, &own).await;
            done.cancel();
            how
        };
        let ((), how) = tokio::join!(keeper.keep(lease, &done), life);
        self.has_no_sandbox(&own);
        if let Farewell::HandOver(to) = how {
            self.hand_to(to, &own).await;
        }
        self.forget(id, &place);
    }
}

/// Goes on with an agent that another owner left: it may be in the middle of a turn, which nobody who only watches would
/// ask for. One whose sandbox is dead is not brought up for that.
async fn listen_again(own: SessionRuntime, handle: Handle) {
    if own.lives().await
        && let Err(error) = handle.wake().await
    {
        tracing::info!(%error, "an agent that another owner left is not listened to");
    }
}
