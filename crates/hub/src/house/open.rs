//! Opening a session: ownership, then the end of its log, then its loop.

use std::sync::Arc;

use app::Error;
use domain::{
    id::{OrganizationId, SessionId},
    session::SessionState,
};

use super::{House, Slot, notices::Notices, over::Over, runtime::SessionRuntime};
use crate::session::{Handle, Ports, Runtime, Service, StoreJournal};

impl House {
    pub(super) async fn open(
        &self,
        organization_id: &OrganizationId,
        id: SessionId,
        slot: &Slot,
    ) -> Result<Handle, Error> {
        let app = &self.0.app;
        let mut tx = app.db.write().await?;
        let session = tx.session_claim(organization_id, id, app.now()).await?;
        let session = session.ok_or(Error::NotFound("session"))?;
        tx.commit().await?;
        let journal = StoreJournal {
            db: app.db.clone(),
            organization_id: organization_id.clone(),
            session_id: id,
            epoch: session.owner_epoch,
        };
        let own = SessionRuntime::new(app, &self.0.workshop, &self.0.shelf, &session);
        let runtime: Arc<dyn Runtime> = match (&session.state, &self.0.runtimes) {
            (SessionState::Stopped { reason, .. }, _) => Arc::new(Over::new(reason)),
            (_, Some(runtimes)) => runtimes.of(id),
            (_, None) => Arc::new(own.clone()),
        };
        let ports = Ports {
            runtime,
            journal: Arc::new(journal),
            clock: Arc::clone(&app.clock),
            entropy: Arc::clone(&app.entropy),
        };
        let started = Service::start(ports).await;
        let (handle, service) = started.map_err(|error| {
            tracing::warn!(%error, session_id = %id, "a session could not be opened");
            Error::Busy("the session's log cannot be read now")
        })?;
        let notices = Notices {
            app: app.clone(),
            organization_id: organization_id.clone(),
            id,
            handle: handle.clone(),
            known_since: service.known_since(),
        };
        tokio::spawn(notices.run());
        self.has_sandbox(&own);
        let (house, slot) = (self.clone(), Arc::clone(slot));
        tokio::spawn(async move {
            let ended = service.run().await;
            tracing::debug!(?ended, session_id = %id, "a session is no longer live here");
            house.forget(id, &slot);
            house.has_no_sandbox(&own);
        });
        self.first_prompt(&session, &handle).await?;
        Ok(handle)
    }
}
