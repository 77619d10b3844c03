//! Query strings, with errors by field.

use axum::{extract::FromRequestParts, http::request::Parts};
use serde::de::DeserializeOwned;

use super::decode_error::invalid_member;
use crate::{error::Failure, state::Gateway};

#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Gateway> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Gateway) -> Result<Self, Failure> {
        axum::extract::Query::<T>::try_from_uri(&parts.uri)
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|rejection| {
                let text = rejection.body_text();
                let reason = text
                    .rsplit_once("query string: ")
                    .map_or(text.as_str(), |(_, r)| r);
                // `limit: invalid digit`: the decoder's position, then its message.
                match reason.split_once(": ") {
                    Some((path, message)) if !path.contains(' ') => {
                        invalid_member(path, message).into()
                    }
                    _ => invalid_member(".", reason).into(),
                }
            })
    }
}
