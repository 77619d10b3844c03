//! How long somebody stays who they were: a stream outlives the moment in which its client was let in.

use app::{App, access::Insider, identity};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
};
use domain::{
    caller::Caller,
    capacity::Claimant,
    id::{OrganizationId, SessionId},
};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::time::sleep;
use wire::problem::Code;

use super::{
    auth::{Given, Proof, organization, seen},
    seat::take_seat,
};
use crate::{error::Failure, state::Gateway};

/// The caller of a stream as `T`, and what it was opened with.
pub(crate) struct Staying<T>(pub(crate) T, pub(crate) Standing);

impl<T: Proof> FromRequestParts<Gateway> for Staying<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let given = Given::of(&parts.method, &parts.headers, gateway)?;
        let staying = Self::of(gateway, given, &parts.headers).await?;
        staying.take_seat(gateway, parts)?;
        Ok(staying)
    }
}

impl<T: Proof> Staying<T> {
    pub(crate) async fn of(
        gateway: &Gateway,
        given: Given<'_>,
        headers: &HeaderMap,
    ) -> Result<Self, Failure> {
        let standing = Standing::of(gateway, given, headers).await?;
        let proof = T::of(&gateway.app, standing.caller.clone())?;
        Ok(Self(proof, standing))
    }

    /// The request's permit, until the stream begins.
    pub(crate) fn take_seat(&self, gateway: &Gateway, parts: &Parts) -> Result<(), Failure> {
        let claimant = Claimant::from(&self.1.caller);
        Ok(take_seat(gateway, &parts.extensions, &claimant)?)
    }
}

/// What a stream was opened with, to be shown again while it lasts.
#[derive(Debug)]
pub(crate) struct Standing {
    shown: Shown,
    organization: Option<OrganizationId>,
    /// Whom it was of then.
    caller: Caller,
}

#[derive(Debug)]
enum Shown {
    Bearer(SecretString),
    Login(SecretString),
    /// The address of a preview, which says itself who looks.
    Ticket(SessionId, SecretString),
}

/// Why a stream ends that its client would have go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fallen {
    /// The token, the key, the login or the membership is over.
    Out,
    /// They may do other things than when they came.
    Changed,
}

impl Standing {
    async fn of(gateway: &Gateway, given: Given<'_>, headers: &HeaderMap) -> Result<Self, Failure> {
        let organization = organization(headers)?;
        let shown = match given {
            Given::Bearer(token) => Shown::Bearer(token.into()),
            Given::Login(login) => Shown::Login(login.into()),
        };
        let caller = given.caller(&gateway.app, organization.as_ref()).await?;
        seen(&caller);
        Ok(Self {
            shown,
            organization,
            caller,
        })
    }

    /// Of a preview's ticket, and the port that it opens.
    pub(crate) async fn of_ticket(
        gateway: &Gateway,
        id: SessionId,
        ticket: &str,
    ) -> Result<(Staying<Insider>, u16), Failure> {
        let (insider, port) = identity::authenticate_preview(&gateway.app, id, ticket).await?;
        seen(&insider.caller());
        let standing = Self {
            shown: Shown::Ticket(id, ticket.into()),
            organization: None,
            caller: insider.caller(),
        };
        Ok((Staying(insider, standing), port))
    }

    /// Returns when they are no longer who they were. A database that does not answer decides nothing.
    pub(crate) async fn fallen(self, gateway: Gateway) -> Fallen {
        loop {
            sleep(gateway.options.standing_every).await;
            let caller = self.shown.caller(&gateway.app, self.organization.as_ref());
            match caller.await.map_err(Failure::from) {
                Ok(caller) if caller == self.caller => {}
                Ok(_) => return Fallen::Changed,
                Err(failure) if is_out(failure.code) => return Fallen::Out,
                Err(failure) => tracing::debug!(?failure, "whether a client may stay is not known"),
            }
        }
    }
}

impl Shown {
    /// Whose it is now.
    async fn caller(
        &self,
        app: &App,
        organization: Option<&OrganizationId>,
    ) -> app::Result<Caller> {
        let given = match self {
            Self::Bearer(token) => Given::Bearer(token.expose_secret()),
            Self::Login(login) => Given::Login(login.expose_secret()),
            Self::Ticket(id, ticket) => {
                let ticket = ticket.expose_secret();
                let (insider, _) = identity::authenticate_preview(app, *id, ticket).await?;
                return Ok(insider.caller());
            }
        };
        given.caller(app, organization).await
    }
}

fn is_out(code: Code) -> bool {
    matches!(
        code,
        Code::Unauthenticated | Code::TokenExpired | Code::Forbidden | Code::NotFound
    )
}
