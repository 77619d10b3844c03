//! The HTTP client that forwards requests to other instances.

use domain::limits::{FORWARD_CONNECT_TIMEOUT, FORWARD_IDLE_CONNECTIONS_MAX};

/// Returns the client that forwards requests to other instances.
pub(crate) fn forward_client() -> reqwest::Client {
    let builder = reqwest::Client::builder()
        .connect_timeout(FORWARD_CONNECT_TIMEOUT)
        .pool_max_idle_per_host(FORWARD_IDLE_CONNECTIONS_MAX)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        // Upgrades exist in HTTP/1 only.
        .http1_only();
    // Fails only with a broken TLS library, and instances may connect without TLS.
    builder.build().unwrap_or_default()
}
