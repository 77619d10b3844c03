//! Request headers with a meaning.

use axum::{extract::FromRequestParts, http::request::Parts};
use domain::Invalid;

use crate::{error::Failure, state::Gateway};

/// `Idempotency-Key`, if given: a retried request under the same key has its effect once.
#[derive(Debug)]
pub(crate) struct IdempotencyKey(pub(crate) Option<String>);

impl FromRequestParts<Gateway> for IdempotencyKey {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Gateway) -> Result<Self, Failure> {
        let mut values = parts.headers.get_all("idempotency-key").iter();
        let (first, second) = (values.next(), values.next());
        if second.is_some() {
            return Err(Invalid::new("Idempotency-Key", "must be given once").into());
        }
        let text = first
            .map(|value| value.to_str().map(str::to_owned))
            .transpose();
        let text = text.map_err(|_| Invalid::new("Idempotency-Key", "must be visible ASCII"))?;
        Ok(Self(text))
    }
}
