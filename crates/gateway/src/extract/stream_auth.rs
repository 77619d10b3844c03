//! Re-authentication of long-lived streams: a stream outlives the request in which its client was
//! authenticated. It happens as soon as an instance says that the client's permissions changed, and at intervals.

use std::time::Duration;

use app::{
    App,
    access::{Insider, SessionAccess, Steering},
    identity::{self, AccessWatch, Intent},
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
};
use domain::{
    caller::Caller,
    capacity::Claimant,
    clock::random_bytes,
    id::{OrganizationId, SessionId},
    limits::{ACCESS_RECHECK_RETRY_DELAY, ACCESS_RECHECK_SPREAD},
};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::time::{sleep, timeout};
use wire::problem::Code;

use super::{
    auth::{PresentedCredential, Proof, intent_of, organization, record_caller},
    request_permit::acquire_request_permit,
};
use crate::{error::Failure, state::Gateway};

/// The caller of a stream as `T`, and the credential it was opened with.
pub(crate) struct StreamAuth<T>(pub(crate) T, pub(crate) StreamCredential);

impl<T: Proof> FromRequestParts<Gateway> for StreamAuth<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let given = PresentedCredential::of(&parts.method, &parts.headers, gateway)?;
        let intent = intent_of(&parts.method, &parts.headers);
        let stream_auth = Self::of(gateway, given, &parts.headers, intent).await?;
        stream_auth.acquire_request_permit(gateway, parts)?;
        Ok(stream_auth)
    }
}

impl<T: Proof> StreamAuth<T> {
    pub(crate) async fn of(
        gateway: &Gateway,
        given: PresentedCredential<'_>,
        headers: &HeaderMap,
        intent: Intent,
    ) -> Result<Self, Failure> {
        let credential = StreamCredential::of(gateway, given, headers, intent).await?;
        let proof = T::of(&gateway.app, credential.caller.clone()).await?;
        Ok(Self(proof, credential))
    }

    /// Acquires the request's permit, until the stream starts.
    pub(crate) fn acquire_request_permit(
        &self,
        gateway: &Gateway,
        parts: &Parts,
    ) -> Result<(), Failure> {
        let claimant = Claimant::from(&self.1.caller);
        Ok(acquire_request_permit(
            gateway,
            &parts.extensions,
            &claimant,
        )?)
    }
}

/// The credential a stream was opened with, to be checked again while it lasts.
#[derive(Debug)]
pub(crate) struct StreamCredential {
    stored: StoredCredential,
    organization: Option<OrganizationId>,
    /// What the stream does, and so whether it ends with a suspension.
    intent: Intent,
    /// The caller at that time.
    caller: Caller,
    /// Since before that time.
    changes: AccessWatch,
}

#[derive(Debug)]
enum StoredCredential {
    Bearer(SecretString),
    Login(SecretString),
    /// The ticket of a preview, which names the viewer itself.
    Ticket(SessionId, SecretString),
}

/// What a stream shows, and which right it needs: checked again with its client.
#[derive(Debug, Clone)]
pub(crate) enum StreamScope {
    /// What the organization's members may see.
    Organization,
    /// A session that the client sees.
    Watched(SessionAccess),
    /// A session that the client steers.
    Steered(Steering),
}

/// Why a stream is ended by the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccessLost {
    /// The token, the key, the login or the membership has ended.
    Revoked,
    /// Their permissions have changed since.
    Changed,
    /// The organization was suspended, or is being deleted.
    Suspended,
}

impl StreamCredential {
    async fn of(
        gateway: &Gateway,
        given: PresentedCredential<'_>,
        headers: &HeaderMap,
        intent: Intent,
    ) -> Result<Self, Failure> {
        let changes = gateway.app.access_changes().watch();
        let organization = organization(headers)?;
        let stored = match given {
            PresentedCredential::Bearer(token) => StoredCredential::Bearer(token.into()),
            PresentedCredential::Login(login) => StoredCredential::Login(login.into()),
        };
        let identified = given.identify(&gateway.app, organization.as_ref()).await?;
        record_caller(identified.caller());
        let caller = identified.admit(intent)?;
        Ok(Self {
            stored,
            organization,
            intent,
            caller,
            changes,
        })
    }

    /// For a preview's ticket, and the port that it opens.
    pub(crate) async fn of_ticket(
        gateway: &Gateway,
        id: SessionId,
        ticket: &str,
    ) -> Result<(StreamAuth<Insider>, u16), Failure> {
        let changes = gateway.app.access_changes().watch();
        let (insider, port) = identity::authenticate_preview(&gateway.app, id, ticket).await?;
        record_caller(&insider.caller());
        let credential = Self {
            stored: StoredCredential::Ticket(id, ticket.into()),
            organization: None,
            intent: Intent::Change,
            caller: insider.caller(),
            changes,
        };
        Ok((StreamAuth(insider, credential), port))
    }

    /// Returns when the caller is no longer the same, or no longer has the right that the stream needs. An unavailable
    /// database changes nothing.
    pub(crate) async fn access_lost(mut self, gateway: Gateway, scope: StreamScope) -> AccessLost {
        let mut wait = gateway.options.standing_every;
        loop {
            let changed = match timeout(wait, self.changes.next_for(&self.caller)).await {
                Ok(change) => {
                    if change.concerns_many() {
                        sleep(part_of_the_spread(&gateway.app)).await;
                    }
                    true
                }
                Err(_) => wait < gateway.options.standing_every,
            };
            wait = gateway.options.standing_every;
            match self.recheck(&gateway.app, &scope).await {
                Ok(true) => {}
                Ok(false) => return AccessLost::Changed,
                Err(failure) if failure.code == Code::OrganizationSuspended => {
                    return AccessLost::Suspended;
                }
                Err(failure) if is_access_lost(failure.code) => return AccessLost::Revoked,
                Err(failure) => {
                    if changed {
                        wait = wait.min(ACCESS_RECHECK_RETRY_DELAY);
                    }
                    tracing::debug!(
                        ?failure,
                        "the client of a stream could not be re-authenticated"
                    );
                }
            }
        }
    }
}

/// A random part: streams that one change concerns do not all read the database at once.
fn part_of_the_spread(app: &App) -> Duration {
    let [byte] = random_bytes::<1>(&*app.entropy);
    ACCESS_RECHECK_SPREAD * u32::from(byte) / 256
}

impl StreamCredential {
    /// Whether the caller is the same; an error if there is none, or it has lost the right to the stream.
    async fn recheck(&self, app: &App, scope: &StreamScope) -> Result<bool, Failure> {
        let organization = self.organization.as_ref();
        let caller = self.stored.caller(app, organization, self.intent).await?;
        if caller != self.caller {
            return Ok(false);
        }
        scope.check(app, &caller).await?;
        Ok(true)
    }
}

impl StreamScope {
    async fn check(&self, app: &App, caller: &Caller) -> app::Result<()> {
        match self {
            Self::Organization => Ok(()),
            Self::Watched(access) => {
                let insider = Insider::of(caller)?;
                SessionAccess::of(app, &insider, access.session_id())
                    .await
                    .map(drop)
            }
            Self::Steered(steering) => {
                let insider = Insider::of(caller)?;
                let id = steering.access().session_id();
                match Steering::of(app, &insider, id).await {
                    // A session that has ended ends its streams by itself.
                    Ok(_) | Err(app::Error::Conflict(_)) => Ok(()),
                    Err(error) => Err(error),
                }
            }
        }
    }
}

impl StoredCredential {
    /// The current caller of the credential.
    async fn caller(
        &self,
        app: &App,
        organization: Option<&OrganizationId>,
        intent: Intent,
    ) -> app::Result<Caller> {
        let given = match self {
            Self::Bearer(token) => PresentedCredential::Bearer(token.expose_secret()),
            Self::Login(login) => PresentedCredential::Login(login.expose_secret()),
            Self::Ticket(id, ticket) => {
                let ticket = ticket.expose_secret();
                let (insider, _) = identity::authenticate_preview(app, *id, ticket).await?;
                return Ok(insider.caller());
            }
        };
        given.identify(app, organization).await?.admit(intent)
    }
}

fn is_access_lost(code: Code) -> bool {
    matches!(
        code,
        Code::Unauthenticated | Code::TokenExpired | Code::Forbidden | Code::NotFound
    )
}
