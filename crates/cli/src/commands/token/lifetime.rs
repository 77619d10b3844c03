//! How long a signed token may live.

use std::time::Duration;

use domain::limits::TOKEN_TTL_MAX;

use crate::{exit::Exit, failure::Failure};

/// Refuses a lifetime after which its owner would have forgotten the token.
pub(super) fn bounded(ttl: Duration) -> Result<Duration, Failure> {
    if ttl > TOKEN_TTL_MAX {
        let days = TOKEN_TTL_MAX.as_secs() / (24 * 60 * 60);
        return Err(Failure::new(
            Exit::Usage,
            format!("a token lives for at most {days} days"),
        )
        .hint("give a shorter `--ttl`, or make an API key, which lives until it is revoked"));
    }
    Ok(ttl)
}
