//! The renewals of credentials that this process makes, and how they end.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use domain::id::IntegrationId;
use futures::future::{BoxFuture, Shared};

use super::credential::Credential;
use crate::error::{Error, Result};

pub(super) const UNAVAILABLE: &str =
    "the service does not renew the integration's token now; try again";

/// The renewals that this process makes.
#[derive(Debug, Default, Clone)]
pub(crate) struct Renewals(pub(super) Arc<Mutex<HashMap<IntegrationId, Renewing>>>);

/// The end of a renewal, shared by all callers that wait for it.
pub(super) type Renewing = Shared<BoxFuture<'static, RenewalOutcome>>;

/// How a renewal ended.
#[derive(Debug, Clone)]
pub(super) enum RenewalOutcome {
    Renewed(Credential),
    /// The connection has to be repaired first; says how.
    Refused(String),
    /// A later try may succeed.
    Unavailable(String),
    Gone,
}

impl RenewalOutcome {
    pub(super) fn into_result(self) -> Result<Credential> {
        match self {
            Self::Renewed(credential) => Ok(credential),
            Self::Refused(message) => Err(Error::Conflict(message)),
            Self::Unavailable(message) => Err(Error::Outside(message)),
            Self::Gone => Err(Error::NotFound("integration")),
        }
    }
}

impl From<Error> for RenewalOutcome {
    fn from(error: Error) -> Self {
        match error {
            Error::Conflict(message) => Self::Refused(message),
            Error::NotFound(_) => Self::Gone,
            Error::Sealed(_) => {
                Self::Refused("its credentials could not be read; reconnect it".to_owned())
            }
            error => {
                tracing::warn!(%error, "a token could not be renewed");
                Self::Unavailable(UNAVAILABLE.to_owned())
            }
        }
    }
}

/// Removes a renewal from the table when its task is over, however it ends.
pub(super) struct RenewalGuard(pub(super) Renewals, pub(super) IntegrationId);

impl Drop for RenewalGuard {
    fn drop(&mut self) {
        let mut table = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        table.remove(&self.1);
    }
}
