//! Gives `app` access to the hub, which is built after it: provisioning, expiry and the end of sessions.

use std::{sync::OnceLock, time::Duration};

use app::{
    Error,
    sessions::{Environment, ExpiryOutcome, GoOnOutcome, ProvisionError, Provisioner},
};
use async_trait::async_trait;
use domain::{instance::Load, session::Session};

use crate::{hub::Hub, session::HubError};

/// Holds the hub once it is built.
#[derive(Debug, Default)]
pub struct HubSlot(OnceLock<Hub>);

impl HubSlot {
    /// Sets the hub. Only the first call counts.
    pub fn fill(&self, hub: Hub) {
        _ = self.0.set(hub);
    }

    pub(crate) fn hub(&self) -> Result<&Hub, ProvisionError> {
        let hub = self.0.get();
        hub.ok_or_else(|| failed("the gateway is still starting".to_owned(), true))
    }
}

#[async_trait]
impl Provisioner for HubSlot {
    /// The environment is read again where the sandbox is made.
    async fn provision(&self, session: &Session, _: Environment) -> Result<(), ProvisionError> {
        let hub = self.hub()?;
        let opened = hub.registry.open_by_key(&session.into()).await;
        let handle = opened.map_err(|error| failed(error.to_string(), true))?;
        let ready = handle.ensure_ready().await;
        ready.map_err(|error| {
            let retryable = !matches!(&error, HubError::Boot(boot) if !boot.retryable);
            failed(error.to_string(), retryable)
        })
    }

    async fn settle(&self, session: &Session, at_most: Duration) {
        if let Ok(hub) = self.hub() {
            hub.sandboxes.wait_turn_end(session.id, at_most).await;
        }
    }

    async fn dismiss(&self, session: &Session) -> Result<(), ProvisionError> {
        let released = self.hub()?.sandboxes.dismiss(session).await;
        released.map_err(|error| failed(error.to_string(), true))
    }

    async fn load(&self) -> Load {
        match self.hub() {
            Ok(hub) => hub.fleet.load().await,
            Err(_) => Load::default(),
        }
    }

    fn has_sandboxes(&self) -> bool {
        self.hub().is_ok_and(|hub| hub.sandboxes.has_sandboxes())
    }

    async fn expire(&self, session: &Session) -> Result<ExpiryOutcome, ProvisionError> {
        let seen_to = self.hub()?.sandboxes.expire(session).await;
        seen_to.map_err(|error| failed(error.to_string(), true))
    }

    async fn go_on(&self, session: &Session) -> Result<GoOnOutcome, ProvisionError> {
        let goes_on = self.hub()?.fleet.resume_session(session).await;
        goes_on.map_err(|error| failed(error.to_string(), true))
    }

    async fn remove(&self, session: &Session, sandbox: &str) -> Result<(), ProvisionError> {
        let removed = self.hub()?.sandboxes.remove_sandbox(session, sandbox).await;
        removed.map_err(|error| {
            let retryable = !matches!(error, Error::Conflict(_));
            failed(error.to_string(), retryable)
        })
    }
}

fn failed(message: String, retryable: bool) -> ProvisionError {
    ProvisionError { message, retryable }
}
