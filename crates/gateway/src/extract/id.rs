//! Ids in a path. An invalid id is treated like an unknown one.

use std::str::FromStr;

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use wire::problem::Code;

use crate::{error::Failure, state::Gateway};

#[derive(Debug)]
pub(crate) struct PathId<Id>(pub(crate) Id);

impl<Id: FromStr + Send> FromRequestParts<Gateway> for PathId<Id> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let path = Path::<String>::from_request_parts(parts, gateway).await;
        let id = path.ok().and_then(|Path(text)| text.parse().ok());
        id.map(Self)
            .ok_or_else(|| Failure::new(Code::NotFound, "there is nothing with this id"))
    }
}

/// Two of them, the outer first.
#[derive(Debug)]
pub(crate) struct PathIds<Outer, Inner>(pub(crate) Outer, pub(crate) Inner);

impl<Outer, Inner> FromRequestParts<Gateway> for PathIds<Outer, Inner>
where
    Outer: FromStr + Send,
    Inner: FromStr + Send,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Failure> {
        let path = Path::<(String, String)>::from_request_parts(parts, gateway).await;
        let ids = path.ok().and_then(|Path((outer, inner))| {
            let (outer, inner) = (outer.parse().ok()?, inner.parse().ok()?);
            Some(Self(outer, inner))
        });
        ids.ok_or_else(|| Failure::new(Code::NotFound, "there is nothing with this id"))
    }
}
