//! Identity providers (OpenID Connect): where a browser is sent, and which user it comes back as. The protocol is the
//! library's: discovery, code flow with proof key, state and nonce, signatures and claims.
//!
//! INVARIANT: a request to the identity provider goes through the egress guard, once and within bounds, and nothing of it
//! is logged. Time is ours, as everywhere.

mod ask;
mod begin;
mod finish;
mod people;

pub use begin::{OidcRedirect, begin};
pub use finish::{AuthenticationResponse, OidcOutcome, finish};

use std::{fmt, sync::Arc};

use domain::{
    clock::Timestamp,
    id::OrganizationId,
    limits::{OIDC_KEYS_LIFE, OIDC_KEYS_PAUSE},
    role::Role,
};
use futures::future::BoxFuture;
use openidconnect::{
    ClientId, ClientSecret, EndpointMaybeSet, EndpointNotSet, EndpointSet, IssuerUrl, RedirectUrl,
    core::{CoreClient, CoreProviderMetadata},
};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::Mutex;
use tools::egress::EgressGuard;

use self::ask::OidcHttpClient;

/// The identity provider that the operator has configured.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    pub issuer: String,
    pub client_id: String,
    /// Absent for a client that has none; the proof key stands in for it.
    pub client_secret: Option<SecretString>,
    pub scopes: Vec<String>,
    /// The email domains whose new users may log in.
    pub allowed_domains: AllowedDomains,
    /// The organization that new users join, with the role that they get.
    pub organization_id: OrganizationId,
    pub role: Role,
}

/// The email domains whose new users may log in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowedDomains {
    /// Every user of the identity provider.
    All,
    /// In lower case.
    Only(Vec<String>),
}

impl AllowedDomains {
    /// Whether a user with this address may log in; `None` if the identity provider has not verified one.
    fn allow(&self, email: Option<&str>) -> bool {
        match self {
            Self::All => true,
            Self::Only(domains) => email
                .and_then(|email| email.rsplit_once('@'))
                .is_some_and(|(_, domain)| domains.contains(&domain.to_lowercase())),
        }
    }
}

/// The settings are not usable.
#[derive(Debug, thiserror::Error)]
#[error("the issuer is no address")]
pub struct InvalidIssuer;

/// An identity provider.
#[derive(Clone)]
pub struct Oidc(Arc<Inner>);

struct Inner {
    issuer: IssuerUrl,
    settings: OidcSettings,
    http: OidcHttpClient,
    /// The provider's metadata. The first request that needs it fetches it for all. Not `moka`: it is one value, and how old
    /// it may be depends on the caller.
    known: Mutex<Option<CachedMetadata>>,
}

#[derive(Clone)]
struct CachedMetadata {
    metadata: CoreProviderMetadata,
    at: Timestamp,
}

/// The identity provider's metadata could not be fetched or read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DiscoveryFailed;

/// The library's client, with what discovery finds.
type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

impl Oidc {
    pub fn new(guard: &EgressGuard, settings: OidcSettings) -> Result<Self, InvalidIssuer> {
        let issuer = IssuerUrl::new(settings.issuer.clone()).map_err(|_| InvalidIssuer)?;
        Ok(Self(Arc::new(Inner {
            issuer,
            settings,
            http: OidcHttpClient(guard.clone()),
            known: Mutex::new(None),
        })))
    }

    /// A client that browsers come back to at this address.
    async fn client(&self, redirect_uri: &str, now: Timestamp) -> Result<Client, DiscoveryFailed> {
        self.client_within(redirect_uri, now, OIDC_KEYS_LIFE).await
    }

    /// The same with the newest keys. Refetched at a bounded rate, however many tokens name keys that do not exist.
    async fn client_with_new_keys(
        &self,
        redirect_uri: &str,
        now: Timestamp,
    ) -> Result<Client, DiscoveryFailed> {
        self.client_within(redirect_uri, now, OIDC_KEYS_PAUSE).await
    }

    async fn client_within(
        &self,
        redirect_uri: &str,
        now: Timestamp,
        life: std::time::Duration,
    ) -> Result<Client, DiscoveryFailed> {
        let redirect = RedirectUrl::new(redirect_uri.to_owned()).map_err(|_| DiscoveryFailed)?;
        let metadata = self.metadata(now, life).await?;
        let settings = &self.0.settings;
        let secret = settings.client_secret.as_ref();
        let secret = secret.map(|secret| ClientSecret::new(secret.expose_secret().to_owned()));
        let id = ClientId::new(settings.client_id.clone());
        let client = CoreClient::from_provider_metadata(metadata, id, secret);
        Ok(client.set_redirect_uri(redirect))
    }

    async fn metadata(
        &self,
        now: Timestamp,
        life: std::time::Duration,
    ) -> Result<CoreProviderMetadata, DiscoveryFailed> {
        let mut known = self.0.known.lock().await;
        if let Some(known) = known.as_ref().filter(|known| now < known.at.plus(life)) {
            return Ok(known.metadata.clone());
        }
        let issuer = self.0.issuer.clone();
        // As a type of its own: what is within it could not be moved between threads, says the compiler.
        let found: BoxFuture<'_, _> =
            Box::pin(CoreProviderMetadata::discover_async(issuer, &self.0.http));
        let metadata = found.await.map_err(|error| {
            tracing::warn!(%error, "the identity provider has no readable metadata");
            DiscoveryFailed
        })?;
        *known = Some(CachedMetadata {
            metadata: metadata.clone(),
            at: now,
        });
        Ok(metadata)
    }
}

impl fmt::Debug for Oidc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Oidc")
            .field("settings", &self.0.settings)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_the_whole_of_it() {
        let only = AllowedDomains::Only(vec!["acme.example".to_owned()]);
        let table = [
            (Some("ada@acme.example"), true),
            (Some("ada@ACME.example"), true),
            (Some("ada@evil.example@acme.example"), true),
            (Some("ada@acme.example@evil.example"), false),
            (Some("ada@sub.acme.example"), false),
            (Some("ada@notacme.example"), false),
            (Some("acme.example"), false),
            (None, false),
        ];
        for (email, allowed) in table {
            assert_eq!(only.allow(email), allowed, "{email:?}");
            assert!(AllowedDomains::All.allow(email), "{email:?}");
        }
    }
}
