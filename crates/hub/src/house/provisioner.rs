//! Sessions that want their sandbox at once, and those that are over.

use std::{sync::OnceLock, time::Duration};

use app::{
    Error,
    sessions::{Environment, Expired, GoesOn, ProvisionError, Provisioner},
};
use async_trait::async_trait;
use domain::{instance::Load, session::Session};

use super::House;
use crate::session::HubError;

/// Leads to the house, which is built after the app that asks for it.
#[derive(Debug, Default)]
pub struct Door(OnceLock<House>);

impl Door {
    /// Says where it leads. Only the first time counts.
    pub fn lead_to(&self, house: House) {
        _ = self.0.set(house);
    }

    pub(super) fn house(&self) -> Result<&House, ProvisionError> {
        let house = self.0.get();
        house.ok_or_else(|| failed("the gateway is still starting".to_owned(), true))
    }
}

#[async_trait]
impl Provisioner for Door {
    /// What the environment is, is looked up where the sandbox is made.
    async fn provision(&self, session: &Session, _: Environment) -> Result<(), ProvisionError> {
        let house = self.house()?;
        let opened = house.hub(&session.into()).await;
        let handle = opened.map_err(|error| failed(error.to_string(), true))?;
        let ready = handle.ensure_ready().await;
        ready.map_err(|error| {
            let retryable = !matches!(&error, HubError::Boot(boot) if !boot.retryable);
            failed(error.to_string(), retryable)
        })
    }

    async fn settle(&self, session: &Session, at_most: Duration) {
        if let Ok(house) = self.house() {
            house.settle(session.id, at_most).await;
        }
    }

    async fn dismiss(&self, session: &Session) -> Result<(), ProvisionError> {
        let released = self.house()?.dismiss(session).await;
        released.map_err(|error| failed(error.to_string(), true))
    }

    async fn load(&self) -> Load {
        match self.house() {
            Ok(house) => house.load().await,
            Err(_) => Load::default(),
        }
    }

    fn has_sandboxes(&self) -> bool {
        self.house().is_ok_and(House::has_sandboxes)
    }

    async fn expire(&self, session: &Session) -> Result<Expired, ProvisionError> {
        let seen_to = self.house()?.expire(session).await;
        seen_to.map_err(|error| failed(error.to_string(), true))
    }

    async fn go_on(&self, session: &Session) -> Result<GoesOn, ProvisionError> {
        let goes_on = self.house()?.go_on(session).await;
        goes_on.map_err(|error| failed(error.to_string(), true))
    }

    async fn remove(&self, session: &Session, sandbox: &str) -> Result<(), ProvisionError> {
        let removed = self.house()?.remove_sandbox(session, sandbox).await;
        removed.map_err(|error| {
            let retryable = !matches!(error, Error::Conflict(_));
            failed(error.to_string(), retryable)
        })
    }
}

fn failed(message: String, retryable: bool) -> ProvisionError {
    ProvisionError { message, retryable }
}
