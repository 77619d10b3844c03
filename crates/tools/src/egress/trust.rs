//! Trusted certificates: those of this machine.

use std::sync::{Arc, LazyLock, OnceLock};

use reqwest::ClientBuilder;
use rustls::{
    ClientConfig, DigitallySignedStruct, Error, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, aws_lc_rs},
    pki_types::{CertificateDer, ServerName, UnixTime},
};
use rustls_platform_verifier::Verifier;

/// One for all clients, so that the certificates are read once.
static TRUST: LazyLock<Option<ClientConfig>> = LazyLock::new(|| {
    let config = config();
    if let Err(error) = &config {
        tracing::error!(%error, "TLS cannot be set up for all clients at once");
    }
    config.ok()
});

/// A client that trusts them.
pub fn trusting(builder: ClientBuilder) -> ClientBuilder {
    match &*TRUST {
        Some(trust) => builder.tls_backend_preconfigured(trust.clone()),
        // It reads them itself, or reports why it cannot.
        None => builder,
    }
}

fn config() -> Result<ClientConfig, Error> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let verifier = MachineVerifier {
        provider: Arc::clone(&provider),
        verifier: OnceLock::new(),
    };
    let builder = ClientConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions()?;
    // Not less careful: the verifier of the platform, made later.
    let builder = builder.dangerous();
    let builder = builder.with_custom_certificate_verifier(Arc::new(verifier));
    Ok(builder.with_no_client_auth())
}

/// The platform's verifier, which reads some hundred files when it is made. That is with the first certificate to verify:
/// most commands and most tests never see one.
#[derive(Debug)]
struct MachineVerifier {
    provider: Arc<CryptoProvider>,
    verifier: OnceLock<Result<Verifier, Error>>,
}

impl MachineVerifier {
    fn verifier(&self) -> Result<&Verifier, Error> {
        let made = self
            .verifier
            .get_or_init(|| Verifier::new(Arc::clone(&self.provider)));
        made.as_ref().map_err(Clone::clone)
    }
}

impl ServerCertVerifier for MachineVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verifier = self.verifier()?;
        verifier.verify_server_cert(certificate, intermediates, name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let verifier = self.verifier()?;
        verifier.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let verifier = self.verifier()?;
        verifier.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let algorithms = self.provider.signature_verification_algorithms;
        algorithms.supported_schemes()
    }
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

    /// Encodes no certificate at all: the verifier of the platform is reached, and rejects it.
    #[test]
    fn a_certificate_that_is_none_is_rejected() {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let verifier = MachineVerifier {
            provider,
            verifier: OnceLock::new(),
        };
        let name = ServerName::try_from("example.com").unwrap();
        let certificate = CertificateDer::from(vec![0; 8]);
        let verified = verifier.verify_server_cert(&certificate, &[], &name, &[], UnixTime::now());
        assert!(
            matches!(verified, Err(Error::InvalidCertificate(_))),
            "{verified:?}"
        );
        assert!(matches!(verifier.verifier.get(), Some(Ok(_))));
    }
}
