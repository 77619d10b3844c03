//! Identity providers (OpenID Connect): where a browser is sent, and which user it comes back as. The protocol is the
//! library's: discovery, code flow with proof key, state and nonce, signatures and claims.
//!
//! INVARIANT: a request to the identity provider goes through the egress guard, once and within bounds, and nothing of it
//! is logged. Time is ours, as everywhere.

mod algorithms;
mod ask;
mod backchannel;
mod begin;
mod claims;
mod ended;
mod finish;
mod logout_token;
mod people;
mod providers;
mod refusal;
mod roles;
mod settings;
mod sign_out;

pub use backchannel::{BackchannelOutcome, end_logins};
pub use begin::{OidcRedirect, begin};
pub use finish::{AuthenticationResponse, OidcOutcome, finish};
pub use providers::OidcProviders;
pub use refusal::NotAllowed;
pub use roles::{managed_roles, managing_provider};
pub use settings::{EmailDomain, OidcDomain, OidcSettings};
pub use sign_out::end_session_url;

use std::{fmt, sync::Arc};

use domain::{
    clock::Timestamp,
    limits::{OIDC_KEYS_LIFE, OIDC_KEYS_PAUSE},
};
use futures::future::BoxFuture;
use openidconnect::{
    AdditionalProviderMetadata, ClientId, ClientSecret, EndpointMaybeSet, EndpointNotSet,
    EndpointSet, IssuerUrl, ProviderMetadata, RedirectUrl,
    core::{
        CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClient, CoreClientAuthMethod,
        CoreGrantType, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm,
        CoreJweKeyManagementAlgorithm, CoreResponseMode, CoreResponseType,
        CoreSubjectIdentifierType,
    },
};
use secrecy::ExposeSecret as _;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use tools::egress::EgressGuard;

use self::ask::OidcHttpClient;

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
    metadata: OidcMetadata,
    at: Timestamp,
}

/// What the gateway reads of a provider's metadata besides what every provider has.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct OptionalMetadata {
    /// OpenID Connect RP-Initiated Logout 1.0.
    #[serde(default)]
    end_session_endpoint: Option<String>,
    /// RFC 9207.
    #[serde(default)]
    authorization_response_iss_parameter_supported: Option<bool>,
}

impl AdditionalProviderMetadata for OptionalMetadata {}

type OidcMetadata = ProviderMetadata<
    OptionalMetadata,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

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

    pub fn name(&self) -> &str {
        &self.0.settings.name
    }

    /// What its button says.
    pub fn label(&self) -> &str {
        &self.0.settings.label
    }

    fn settings(&self) -> &OidcSettings {
        &self.0.settings
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
    ) -> Result<OidcMetadata, DiscoveryFailed> {
        let mut known = self.0.known.lock().await;
        if let Some(known) = known.as_ref().filter(|known| now < known.at.plus(life)) {
            return Ok(known.metadata.clone());
        }
        let issuer = self.0.issuer.clone();
        // As a type of its own: what is within it could not be moved between threads, says the compiler.
        let found: BoxFuture<'_, _> = Box::pin(OidcMetadata::discover_async(issuer, &self.0.http));
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
