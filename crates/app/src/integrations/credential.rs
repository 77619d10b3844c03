//! What is sealed in an integration's row, and what a call gets of it. Nothing here prints a secret.

use ::integrations::oauth::IssuedTokens;
use domain::{
    action::redact::Fingerprints,
    clock::{Entropy, Timestamp},
    id::{IntegrationId, OrganizationId},
    integration::{Integration, IntegrationProvider, Renewal},
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use store::SealedIntegration;
use zeroize::Zeroizing;

use crate::{
    crypto::Keyring,
    error::{Error, Result},
};

/// What a call to the service is made with, and what must not be seen of its answer.
#[derive(Clone)]
pub struct Credential {
    /// The bearer token.
    pub token: SecretString,
    others: Vec<SecretString>,
    pub(super) organization_id: OrganizationId,
    pub(super) integration_id: IntegrationId,
    /// Which credentials it is of.
    pub(super) sealed: String,
}

impl Credential {
    /// Every secret that was opened for the call, the token first.
    pub fn secrets(&self) -> impl Iterator<Item = &SecretString> {
        std::iter::once(&self.token).chain(&self.others)
    }

    /// The same, to be searched for.
    pub fn fingerprints(&self) -> Fingerprints {
        Fingerprints::of(self.secrets())
    }
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credential")
            .field("integration_id", &self.integration_id)
            .finish_non_exhaustive()
    }
}

/// An integration's credentials, opened.
#[derive(Debug, Clone)]
pub(super) enum StoredCredentials {
    Static(SecretString),
    OAuth2(OAuthTokens),
    GithubApp(Installation),
}

#[derive(Debug, Clone)]
pub(super) struct OAuthTokens {
    pub(super) access: SecretString,
    pub(super) refresh: Option<SecretString>,
    pub(super) expires_at: Option<Timestamp>,
}

#[derive(Debug, Clone)]
pub(super) struct Installation {
    pub(super) id: i64,
    /// The app's id and private key; the operator's app without them.
    pub(super) app: Option<(String, SecretString)>,
    /// The token that was issued last, and its end.
    pub(super) issued: Option<(SecretString, Timestamp)>,
}

impl StoredCredentials {
    /// Every secret in it.
    pub(super) fn secrets(&self) -> Vec<&SecretString> {
        match self {
            Self::Static(token) => vec![token],
            Self::OAuth2(OAuthTokens {
                access, refresh, ..
            }) => std::iter::once(access).chain(refresh).collect(),
            Self::GithubApp(Installation { app, issued, .. }) => {
                let key = app.iter().map(|(_, key)| key);
                key.chain(issued.iter().map(|(token, _)| token)).collect()
            }
        }
    }

    pub(super) fn provider(&self) -> IntegrationProvider {
        match self {
            Self::Static(_) => IntegrationProvider::Static,
            Self::OAuth2(_) => IntegrationProvider::OAuth2,
            Self::GithubApp(_) => IntegrationProvider::GithubApp,
        }
    }

    pub(super) fn open(keyring: &Keyring, sealed: &SealedIntegration) -> Result<Self> {
        let integration = &sealed.integration;
        let text = keyring.open(&associated_data(integration), &sealed.sealed_credentials)?;
        let read = match integration.provider {
            IntegrationProvider::Static => return Ok(Self::Static(text)),
            IntegrationProvider::OAuth2 => OAuthTokens::read(&text).map(Self::OAuth2),
            IntegrationProvider::GithubApp => Installation::read(&text).map(Self::GithubApp),
        };
        read.ok_or(Error::Sealed("it does not hold what its provider needs"))
    }

    /// For the row of this integration and no other.
    pub(super) fn seal(
        &self,
        keyring: &Keyring,
        entropy: &dyn Entropy,
        integration: &Integration,
    ) -> Result<String> {
        let text = Zeroizing::new(match self {
            Self::Static(token) => token.expose_secret().to_owned(),
            Self::OAuth2(tokens) => tokens.write().to_string(),
            Self::GithubApp(installation) => installation.write().to_string(),
        });
        keyring.seal(entropy, &associated_data(integration), &text)
    }

    pub(super) fn renewal(&self, now: Timestamp) -> Renewal {
        match self {
            Self::Static(_) => Renewal::None,
            Self::OAuth2(tokens) => Renewal::of(tokens.expires_at, now),
            Self::GithubApp(installation) => match &installation.issued {
                Some((_, end)) => Renewal::of(Some(*end), now),
                None => Renewal::Now,
            },
        }
    }

    pub(super) fn is_renewable(&self) -> bool {
        match self {
            Self::Static(_) => false,
            Self::OAuth2(tokens) => tokens.refresh.is_some(),
            Self::GithubApp(_) => true,
        }
    }

    /// What a call gets, while there is a token that has not ended.
    pub(super) fn credential(
        &self,
        sealed: &SealedIntegration,
        now: Timestamp,
    ) -> Option<Credential> {
        let live = |end: Option<Timestamp>| end.is_none_or(|end| end > now);
        let (token, others) = match self {
            Self::Static(token) => (token, Vec::new()),
            Self::OAuth2(tokens) if live(tokens.expires_at) => {
                (&tokens.access, tokens.refresh.iter().cloned().collect())
            }
            Self::GithubApp(Installation {
                issued: Some((token, end)),
                app,
                ..
            }) if live(Some(*end)) => (token, app.iter().map(|(_, key)| key.clone()).collect()),
            Self::OAuth2(_) | Self::GithubApp(_) => return None,
        };
        Some(Credential {
            token: token.clone(),
            others,
            organization_id: sealed.integration.organization_id.clone(),
            integration_id: sealed.integration.id,
            sealed: sealed.sealed_credentials.clone(),
        })
    }

    /// With what was granted; a refresh token that was not replaced stays.
    pub(super) fn renewed(&self, grant: IssuedTokens) -> Self {
        match self {
            Self::GithubApp(installation) => Self::GithubApp(Installation {
                issued: grant.expires_at.map(|end| (grant.access_token, end)),
                ..installation.clone()
            }),
            Self::OAuth2(old) => Self::OAuth2(OAuthTokens {
                refresh: grant.refresh_token.or_else(|| old.refresh.clone()),
                ..OAuthTokens::of(grant.access_token, grant.expires_at)
            }),
            Self::Static(_) => Self::OAuth2(OAuthTokens {
                refresh: grant.refresh_token,
                ..OAuthTokens::of(grant.access_token, grant.expires_at)
            }),
        }
    }
}

impl OAuthTokens {
    fn of(access: SecretString, expires_at: Option<Timestamp>) -> Self {
        Self {
            access,
            refresh: None,
            expires_at,
        }
    }

    fn write(&self) -> Value {
        json!({
            "access_token": self.access.expose_secret(),
            "refresh_token": self.refresh.as_ref().map(ExposeSecret::expose_secret),
            "expires_at_us": self.expires_at.map(Timestamp::micros),
        })
    }

    fn read(text: &SecretString) -> Option<Self> {
        let value: Value = serde_json::from_str(text.expose_secret()).ok()?;
        Some(Self {
            access: secret(&value["access_token"])?,
            refresh: secret(&value["refresh_token"]),
            expires_at: time(&value["expires_at_us"]),
        })
    }
}

impl From<IssuedTokens> for OAuthTokens {
    fn from(grant: IssuedTokens) -> Self {
        Self {
            access: grant.access_token,
            refresh: grant.refresh_token,
            expires_at: grant.expires_at,
        }
    }
}

impl Installation {
    fn write(&self) -> Value {
        let app = self.app.as_ref();
        let issued = self.issued.as_ref();
        json!({
            "installation_id": self.id,
            "app_id": app.map(|(id, _)| id),
            "private_key": app.map(|(_, key)| key.expose_secret()),
            "token": issued.map(|(token, _)| token.expose_secret()),
            "expires_at_us": issued.map(|(_, end)| end.micros()),
        })
    }

    fn read(text: &SecretString) -> Option<Self> {
        let value: Value = serde_json::from_str(text.expose_secret()).ok()?;
        let app_id = value["app_id"].as_str().map(str::to_owned);
        Some(Self {
            id: value["installation_id"].as_i64()?,
            app: app_id.zip(secret(&value["private_key"])),
            issued: secret(&value["token"]).zip(time(&value["expires_at_us"])),
        })
    }
}

fn secret(value: &Value) -> Option<SecretString> {
    value.as_str().map(SecretString::from)
}

fn time(value: &Value) -> Option<Timestamp> {
    Timestamp::from_micros(value.as_i64()?)
}

fn associated_data(integration: &Integration) -> String {
    format!(
        "integration:{}:{}",
        integration.organization_id, integration.id
    )
}
