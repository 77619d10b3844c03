//! Sessions that want their sandbox at once, and those that need none any more.

use std::sync::OnceLock;

use app::sessions::{Environment, ProvisionError, Provisioner};
use async_trait::async_trait;
use domain::session::Session;

use super::House;

/// Leads to the house, which is built after the app that asks for it.
#[derive(Debug, Default)]
pub struct Door(OnceLock<House>);

impl Door {
    /// Says where it leads. Only the first time counts.
    pub fn lead_to(&self, house: House) {
        _ = self.0.set(house);
    }

    pub(super) fn house(&self) -> Option<&House> {
        self.0.get()
    }
}

#[async_trait]
impl Provisioner for Door {
    /// What the environment is, is looked up where the sandbox is made.
    async fn provision(&self, session: &Session, _: Environment) -> Result<(), ProvisionError> {
        let failed = |message: String, retryable| ProvisionError { message, retryable };
        let Some(house) = self.0.get() else {
            return Err(failed("the gateway is still starting".to_owned(), true));
        };
        let opened = house.session(&session.organization_id, session.id).await;
        let handle = opened.map_err(|error| failed(error.to_string(), true))?;
        let ready = handle.ensure_ready().await;
        ready.map_err(|error| failed(error.to_string(), true))
    }

    async fn dismiss(&self, session: &Session) {
        if let Some(house) = self.0.get() {
            house.dismiss(session).await;
        }
    }
}
