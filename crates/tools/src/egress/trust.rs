//! Trusted certificates: those of this machine.

use std::sync::{Arc, LazyLock};

use reqwest::ClientBuilder;
use rustls::{ClientConfig, crypto::aws_lc_rs};
use rustls_platform_verifier::BuilderVerifierExt as _;

/// Read once: there are some hundred files, and a client of their own would read them for every service.
static TRUST: LazyLock<Option<ClientConfig>> = LazyLock::new(|| {
    let made = made();
    if let Err(error) = &made {
        tracing::error!(%error, "the certificates of this machine cannot be read at once");
    }
    made.ok()
});

/// A client that trusts them.
pub fn trusting(builder: ClientBuilder) -> ClientBuilder {
    match &*TRUST {
        Some(trust) => builder.tls_backend_preconfigured(trust.clone()),
        // It reads them itself, or reports why it cannot.
        None => builder,
    }
}

fn made() -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions()?;
    Ok(builder.with_platform_verifier()?.with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A configuration of another version of the library would not be understood.
    #[test]
    fn a_client_is_made_with_what_was_read_once() {
        assert!(TRUST.is_some());
        trusting(reqwest::Client::builder()).build().unwrap();
    }
}
