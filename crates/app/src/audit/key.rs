//! The key that signs an organization's checkpoints, and the note it signs (C2SP signed-note, Ed25519).
//!
//! The key is derived from the deployment's oldest encryption key and the organization, so that there is
//! no further secret to keep, and one organization's log cannot pass for another's.

use std::fmt;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{audit::Trail, id::OrganizationId, merkle::Hash};
use sha2::{Digest, Sha256};

use crate::{crypto::Keyring, error::Result};

/// The algorithm byte of Ed25519 in the note format.
const ED25519: u8 = 1;

/// Signs notes under a name.
pub struct SigningKey {
    name: String,
    pair: Ed25519KeyPair,
}

/// Where a trail ends in a log of `size` records.
#[derive(Debug, Clone, Copy)]
pub struct TrailEnd<'a> {
    pub trail: &'a Trail,
    pub size: u64,
    pub records: u64,
    /// The leaf of its last record, hexadecimal; zeros for no record.
    pub last: &'a str,
    /// SHA-256 of the lines that are given out with the records, hexadecimal.
    pub evidence: &'a str,
}

impl SigningKey {
    /// The key of the organization's log; its name is the log's origin, as C2SP verifiers expect.
    pub fn of(keyring: &Keyring, organization_id: &OrganizationId) -> Result<Self> {
        let name = format!("proliferate/audit/{organization_id}");
        let seed = keyring.derive(&format!("audit-checkpoint/{organization_id}"));
        Self::from_seed(name, &seed)
    }

    fn from_seed(name: String, seed: &[u8; 32]) -> Result<Self> {
        let pair = Ed25519KeyPair::from_seed_unchecked(seed)
            .map_err(|_| crate::Error::Sealed("the signing key cannot be made"))?;
        Ok(Self { name, pair })
    }

    /// The log's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The key itself, 32 bytes in base64.
    pub fn public_key(&self) -> String {
        STANDARD.encode(self.pair.public_key().as_ref())
    }

    /// What a verifier needs: `NAME+HASH+KEY`, where KEY is base64.
    pub fn verifier_key(&self) -> String {
        let key = STANDARD.encode(self.public());
        format!("{}+{}+{key}", self.name, hex::encode(self.hash()))
    }

    /// The checkpoint of a log of this size and root, signed.
    pub fn sign_checkpoint(&self, size: u64, root: &Hash) -> String {
        let root = STANDARD.encode(root);
        self.sign(&format!("{}\n{size}\n{root}\n", self.name))
    }

    /// How a trail ends, signed: nothing of it was left out at its end. No verifier takes it for a
    /// checkpoint, which begins with another line.
    pub fn sign_trail(&self, end: &TrailEnd<'_>) -> String {
        let trail = match end.trail {
            Trail::Case(id) => format!("case {id}"),
            Trail::Session(id) => format!("session {id}"),
        };
        let TrailEnd {
            size,
            records,
            last,
            evidence,
            ..
        } = end;
        self.sign(&format!(
            "{}/trail\n{trail}\n{size}\n{records}\n{last}\n{evidence}\n",
            self.name
        ))
    }

    /// `text`, which ends in a line break, with a signature line.
    fn sign(&self, text: &str) -> String {
        let mut signature = self.hash().to_vec();
        signature.extend_from_slice(self.pair.sign(text.as_bytes()).as_ref());
        format!(
            "{text}\n\u{2014} {} {}\n",
            self.name,
            STANDARD.encode(signature)
        )
    }

    fn public(&self) -> Vec<u8> {
        let mut bytes = vec![ED25519];
        bytes.extend_from_slice(self.pair.public_key().as_ref());
        bytes
    }

    /// Tells keys of one name apart.
    fn hash(&self) -> [u8; 4] {
        let digest = Sha256::new_with_prefix(self.name.as_bytes())
            .chain_update(b"\n")
            .chain_update(self.public())
            .finalize();
        let mut hash = [0; 4];
        hash.copy_from_slice(&digest[..4]);
        hash
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SigningKey").field(&self.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the Go package that the format comes from (golang.org/x/mod/sumdb/note).
    #[test]
    fn the_published_note() {
        let secret = STANDARD
            .decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")
            .unwrap();
        let seed = secret[1..].try_into().unwrap();
        let key = SigningKey::from_seed("PeterNeumann".to_owned(), &seed).unwrap();
        assert_eq!(
            key.verifier_key(),
            "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
        );
        let text = "If you think cryptography is the answer to your problem,\n\
            then you don't know what your problem is.\n";
        let signature = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngot\
            pRZb6KE6RyyBwJnAM=";
        let note = format!("{text}\n\u{2014} PeterNeumann {signature}\n");
        assert_eq!(key.sign(text), note);
    }
}
