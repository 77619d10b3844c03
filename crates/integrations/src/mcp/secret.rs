//! A connector's secret and the header it is sent in. It is looked up by its key when it is needed and lives no longer
//! than the connection.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use domain::{canonical::sha256_hex, id::OrganizationId};
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use secrecy::{ExposeSecret as _, SecretString};

use crate::{
    failure::{Failure, FailureKind},
    mcp::{
        config::{Auth, Connector},
        secret_scrubber::SecretScrubber,
    },
};

/// Looks secrets of an organization up.
#[async_trait]
pub trait SecretSource: fmt::Debug + Send + Sync {
    /// The value of a key, or `None` where there is none.
    async fn resolve(
        &self,
        organization_id: &OrganizationId,
        key: &str,
    ) -> Result<Option<SecretString>, SecretsUnavailable>;
}

/// The secrets could not be looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("secrets cannot be looked up now")]
pub struct SecretsUnavailable;

/// What a connector authenticates with.
#[derive(Clone, Default)]
pub(crate) struct Credential {
    header: Option<(HeaderName, HeaderValue)>,
    pub(crate) scrubber: Arc<SecretScrubber>,
    /// Of the header's value, so that a connection that was made with an old secret is not used.
    pub(crate) digest: String,
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.header.as_ref().map(|(name, _)| name);
        f.debug_struct("Credential")
            .field("header", &name)
            .finish_non_exhaustive()
    }
}

impl Credential {
    pub(crate) fn header(&self) -> Option<&(HeaderName, HeaderValue)> {
        self.header.as_ref()
    }

    /// For this connector with its secret; a connector without authentication has none.
    pub(crate) fn of(
        connector: &Connector,
        secret: Option<&SecretString>,
    ) -> Result<Self, Failure> {
        match (connector.auth.secret_key(), secret) {
            (None, _) => Ok(Self::default()),
            (Some(key), Some(secret)) => Self::new(&connector.auth, secret, key),
            (Some(key), None) => Err(missing(key)),
        }
    }

    fn new(auth: &Auth, secret: &SecretString, key: &str) -> Result<Self, Failure> {
        // Users paste secrets with the end of the line.
        let secret = secret.expose_secret().trim();
        let name = match auth {
            Auth::CustomHeader { header_name, .. } => {
                HeaderName::from_bytes(header_name.as_bytes()).ok()
            }
            Auth::Bearer { .. } | Auth::None => Some(AUTHORIZATION),
        };
        let text = match auth {
            Auth::CustomHeader { .. } => secret.to_owned(),
            Auth::Bearer { .. } | Auth::None => format!("Bearer {secret}"),
        };
        let value = HeaderValue::from_str(&text)
            .ok()
            .filter(|_| !secret.is_empty());
        let (Some(name), Some(mut value)) = (name, value) else {
            let message = format!("the secret `{key}` cannot be sent in a header");
            return Err(Failure::never(FailureKind::Secret, message));
        };
        value.set_sensitive(true);
        Ok(Self {
            header: Some((name, value)),
            scrubber: Arc::new(SecretScrubber::new(secret)),
            digest: sha256_hex(text.as_bytes()),
        })
    }
}

/// The connector's secret, `None` where it needs none.
pub(crate) async fn find(
    connector: &Connector,
    organization_id: &OrganizationId,
    secrets: &dyn SecretSource,
) -> Result<Option<SecretString>, Failure> {
    let Some(key) = connector.auth.secret_key() else {
        return Ok(None);
    };
    let found = secrets.resolve(organization_id, key).await;
    let found = found.map_err(|error| Failure::later(FailureKind::Secret, error.to_string()))?;
    found.map(Some).ok_or_else(|| missing(key))
}

fn missing(key: &str) -> Failure {
    let message = format!("there is no secret `{key}`; add it to the organization's secrets");
    Failure::never(FailureKind::Secret, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bearer() -> Auth {
        Auth::Bearer {
            secret_key: "KEY".into(),
        }
    }

    #[test]
    fn a_secret_is_sent_as_the_connector_says_and_never_printed() {
        let custom = Auth::CustomHeader {
            header_name: "X-Api-Key".into(),
            secret_key: "KEY".into(),
        };
        for (auth, name, value) in [
            (bearer(), "authorization", "Bearer topsecret"),
            (custom, "x-api-key", "topsecret"),
        ] {
            let credential = Credential::new(&auth, &" topsecret\n".into(), "KEY").unwrap();
            let (found, sent) = credential.header().unwrap();
            assert_eq!((found.as_str(), sent.to_str().unwrap()), (name, value));
            let printed = format!("{credential:?} {sent:?}");
            assert!(!printed.contains("topsecret"), "{printed}");
        }
    }

    #[test]
    fn a_secret_no_header_can_hold_is_a_failure_without_it() {
        for bad in ["two\nlines", "", "  \n", "nul\0"] {
            let failure = Credential::new(&bearer(), &bad.into(), "KEY").unwrap_err();
            assert_eq!(failure.kind, FailureKind::Secret);
            assert_eq!(
                failure.message(),
                "the secret `KEY` cannot be sent in a header"
            );
        }
    }
}
