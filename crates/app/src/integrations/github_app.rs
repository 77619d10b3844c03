//! A GitHub App: its private key, and the proofs it signs (RFC 7519, RS256). GitHub takes a proof for a token.

use std::sync::Arc;

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{RSA_PKCS1_SHA256, RsaKeyPair},
};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use domain::{
    clock::Timestamp,
    limits::{GITHUB_APP_PROOF_BACKDATE, GITHUB_APP_PROOF_LIFE},
};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;
use zeroize::Zeroizing;

/// An app that can prove to be itself.
#[derive(Clone)]
pub struct GithubApp {
    id: String,
    key: Arc<RsaKeyPair>,
}

/// A private key that cannot be used. Says nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the private key is not an RSA key of at least 2048 bits in PEM")]
pub struct InvalidAppKey;

impl GithubApp {
    /// `private_key` is PEM, as GitHub hands it out (PKCS #1) or in PKCS #8. Line ends may be written `\n`,
    /// as they are in a variable of one line.
    pub fn new(id: impl Into<String>, private_key: &SecretString) -> Result<Self, InvalidAppKey> {
        let (label, der) = pem(private_key).ok_or(InvalidAppKey)?;
        let key = match label {
            Label::Pkcs1 => RsaKeyPair::from_der(&der),
            Label::Pkcs8 => RsaKeyPair::from_pkcs8(&der),
        };
        Ok(Self {
            id: id.into(),
            key: Arc::new(key.map_err(|_| InvalidAppKey)?),
        })
    }

    /// Good for minutes. `None` if the key does not sign.
    pub(super) fn proof(&self, now: Timestamp) -> Option<SecretString> {
        let header = json!({"alg": "RS256", "typ": "JWT"});
        let claims = json!({
            "iss": self.id,
            "iat": now.minus(GITHUB_APP_PROOF_BACKDATE).unix_seconds(),
            "exp": now.plus(GITHUB_APP_PROOF_LIFE).unix_seconds(),
        });
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let (header, claims) = (header.to_string(), claims.to_string());
        let signed = format!(
            "{}.{}",
            encode(header.as_bytes()),
            encode(claims.as_bytes())
        );
        let mut signature = vec![0; self.key.public_modulus_len()];
        // This padding is not random; the library wants a source of randomness all the same.
        let random = SystemRandom::new();
        let sign = self.key.sign(
            &RSA_PKCS1_SHA256,
            &random,
            signed.as_bytes(),
            &mut signature,
        );
        sign.ok()?;
        Some(SecretString::from(format!(
            "{signed}.{}",
            encode(&signature)
        )))
    }
}

impl std::fmt::Debug for GithubApp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GithubApp")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

enum Label {
    Pkcs1,
    Pkcs8,
}

fn pem(text: &SecretString) -> Option<(Label, Zeroizing<Vec<u8>>)> {
    let text = Zeroizing::new(text.expose_secret().replace("\\n", "\n"));
    let behind = text.split_once("-----BEGIN ")?.1;
    let (label, behind) = behind.split_once("-----")?;
    let label = match label {
        "RSA PRIVATE KEY" => Label::Pkcs1,
        "PRIVATE KEY" => Label::Pkcs8,
        _ => return None,
    };
    let body = behind.split_once("-----END ")?.0;
    let mut digits = Zeroizing::new(String::with_capacity(body.len()));
    digits.extend(body.chars().filter(|c| !c.is_whitespace()));
    let der = STANDARD.decode(&*digits).ok()?;
    Some((label, Zeroizing::new(der)))
}
