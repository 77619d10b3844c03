//! Authentication: the token of this sandbox, compared in constant time.

use hyper::header;
use subtle::ConstantTimeEq as _;
use wire::problem::Code;

use super::message::DaemonRequest;
use crate::{daemon::refusal::Refusal, env::TokenSource};

pub(super) fn check(token: &TokenSource, request: &DaemonRequest) -> Result<(), Refusal> {
    let refused = || {
        Refusal::new(
            Code::Unauthenticated,
            "The token of this sandbox is needed.",
        )
    };
    let given = request
        .headers()
        .get(header::AUTHORIZATION)
        .ok_or_else(refused)?;
    let given = given.as_bytes();
    let scheme = given.get(..7).ok_or_else(refused)?;
    if !scheme.eq_ignore_ascii_case(b"bearer ") {
        return Err(refused());
    }
    // Without a token to compare with, every request is refused.
    let known = token.read().map_err(|_| refused())?;
    let is_same: bool = known
        .expose()
        .as_bytes()
        .ct_eq(given[7..].trim_ascii())
        .into();
    if is_same { Ok(()) } else { Err(refused()) }
}
