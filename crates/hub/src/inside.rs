//! Asking what listens in a sandbox.

use std::time::Duration;

use reqwest::{Client, ClientBuilder, redirect::Policy};

/// Nobody is asked on the way, and nothing there has a certificate: those of this machine are not read for it.
pub(crate) fn client(connect_timeout: Duration) -> ClientBuilder {
    Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .connect_timeout(connect_timeout)
        .tls_certs_only([])
}
