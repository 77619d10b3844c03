//! How long somebody stays who they were: a stream outlives the moment in which its client was let in.

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
};
use domain::{caller::Caller, id::OrganizationId};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::time::sleep;
use wire::problem::Code;

use super::auth::{Given, Proof, organization, seen};
use crate::{error::Failure, state::Gateway};

/// The caller of a stream as `T`, and what it was opened with.
pub(crate) struct Staying<T>(pub(crate) T, pub(crate) Standing);

impl<T: Proof> FromRequestParts<Gateway> for Staying<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let given = Given::of(&parts.method, &parts.headers, gateway)?;
        Self::of(gateway, given, &parts.headers).await
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

    /// Returns when they are no longer who they were. A database that does not answer decides nothing.
    pub(crate) async fn fallen(self, gateway: Gateway) -> Fallen {
        loop {
            sleep(gateway.options.standing_every).await;
            let given = self.shown.given();
            let caller = given.caller(&gateway.app, self.organization.as_ref());
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
    fn given(&self) -> Given<'_> {
        match self {
            Self::Bearer(token) => Given::Bearer(token.expose_secret()),
            Self::Login(login) => Given::Login(login.expose_secret()),
        }
    }
}

fn is_out(code: Code) -> bool {
    matches!(
        code,
        Code::Unauthenticated | Code::TokenExpired | Code::Forbidden | Code::NotFound
    )
}
