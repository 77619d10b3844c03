//! Sealing: AES-256-GCM under a versioned key, bound to the place the value belongs to.
//!
//! A sealed value reads `v1.{key id}.{nonce}.{ciphertext and tag}`, the last two in hexadecimal. The
//! newest key seals; every key of the ring opens, so that a key can be replaced without a flag day.
//! The associated data names organization, scope and key: a value copied elsewhere does not open.

use std::{collections::BTreeMap, sync::Arc};

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use domain::clock::{Entropy, random_bytes};
use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret, SecretBox, SecretString};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::error::{Error, Result};

const FORMAT: &str = "v1";

/// The keys of the deployment; never printed.
#[derive(Clone)]
pub struct Keyring(Arc<BTreeMap<u32, SecretBox<[u8; 32]>>>);

impl Keyring {
    /// `None` without any key: there would be nothing to seal with.
    pub fn new(keys: BTreeMap<u32, SecretBox<[u8; 32]>>) -> Option<Self> {
        (!keys.is_empty()).then(|| Self(Arc::new(keys)))
    }

    /// Seals `plain` for the place `associated` names.
    pub fn seal(&self, entropy: &dyn Entropy, associated: &str, plain: &str) -> Result<String> {
        let (id, key) = self.newest();
        let nonce = random_bytes::<12>(entropy);
        let mut sealed = plain.as_bytes().to_vec();
        cipher(key)
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(associated.as_bytes()),
                &mut sealed,
            )
            .map_err(|_| Error::Sealed("it is too long"))?;
        Ok(format!(
            "{FORMAT}.{id}.{}.{}",
            hex::encode(nonce),
            hex::encode(sealed)
        ))
    }

    /// Opens what [`Keyring::seal`] made for the same place.
    pub fn open(&self, associated: &str, sealed: &str) -> Result<SecretString> {
        let malformed = || Error::Sealed("it is not in the sealed format");
        let mut parts = sealed.split('.');
        if parts.next() != Some(FORMAT) {
            return Err(malformed());
        }
        let id: u32 = parts
            .next()
            .and_then(|id| id.parse().ok())
            .ok_or_else(malformed)?;
        let nonce = parts
            .next()
            .and_then(|text| hex::decode(text).ok())
            .ok_or_else(malformed)?;
        let nonce = <[u8; 12]>::try_from(nonce).map_err(|_| malformed())?;
        let bytes = parts
            .next()
            .and_then(|text| hex::decode(text).ok())
            .ok_or_else(malformed)?;
        // Opened in place, so it holds the plain text afterwards.
        let mut bytes = Zeroizing::new(bytes);
        let key = self
            .0
            .get(&id)
            .ok_or(Error::Sealed("its key is not in the ring"))?;
        let plain = cipher(key)
            .open_in_place(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(associated.as_bytes()),
                &mut bytes,
            )
            .map_err(|_| Error::Sealed("it was altered or belongs elsewhere"))?;
        let plain = std::str::from_utf8(plain).map_err(|_| malformed())?;
        Ok(SecretString::from(plain))
    }

    /// A digest only this deployment can compute: equal for equal `bytes`, and of no use for guessing
    /// them (a request may hold a password that an attacker could try words against).
    pub fn digest(&self, purpose: &str, bytes: &[u8]) -> String {
        hex::encode(self.mac(purpose, bytes))
    }

    /// A key for one purpose, the same for as long as the oldest key of the ring stays.
    ///
    /// INVARIANT: purposes of keys and of digests are apart: a digest is shown, a key is not.
    pub fn derive(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.mac("derive", purpose.as_bytes()))
    }

    fn mac(&self, purpose: &str, bytes: &[u8]) -> [u8; 32] {
        // The oldest key, so that adding a newer one does not change what is compared.
        let oldest = self
            .0
            .first_key_value()
            .map(|(_, key)| key.expose_secret().as_slice());
        let mut mac = hmac_sha256(oldest.unwrap_or_default());
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(bytes);
        mac.finalize().into_bytes().into()
    }

    fn newest(&self) -> (u32, &SecretBox<[u8; 32]>) {
        let (id, key) = self
            .0
            .last_key_value()
            .expect("a ring has a key by construction");
        (*id, key)
    }
}

impl std::fmt::Debug for Keyring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

fn cipher(key: &SecretBox<[u8; 32]>) -> LessSafeKey {
    let key = UnboundKey::new(&AES_256_GCM, key.expose_secret());
    LessSafeKey::new(key.expect("AES-256 takes keys of 32 bytes"))
}

/// HMAC-SHA256 under any key.
pub(crate) fn hmac_sha256(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of every length")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use testkit::clock::SeededEntropy;

    fn ring(ids: &[u32]) -> Keyring {
        let key = |id: u32| [u8::try_from(id).unwrap(); 32];
        Keyring::new(
            ids.iter()
                .map(|id| (*id, SecretBox::new(Box::new(key(*id)))))
                .collect(),
        )
        .unwrap()
    }

    proptest! {
        #[test]
        fn what_is_sealed_opens_in_its_place_and_nowhere_else(plain in ".{0,80}", seed: u64) {
            let ring = ring(&[1]);
            let sealed = ring.seal(&SeededEntropy::new(seed), "here", &plain).unwrap();
            let opened = ring.open("here", &sealed).unwrap();
            prop_assert_eq!(opened.expose_secret(), &plain);
            prop_assert!(ring.open("there", &sealed).is_err());
        }

        #[test]
        fn any_flipped_bit_is_noticed(at in 0_usize..1000, bit in 0_u8..8) {
            let ring = ring(&[1]);
            let sealed = ring.seal(&SeededEntropy::new(7), "here", "a secret value").unwrap();
            let mut bytes = sealed.into_bytes();
            let at = at % bytes.len();
            bytes[at] ^= 1 << bit;
            if let Ok(text) = String::from_utf8(bytes) {
                let same_hex_digit = text.eq_ignore_ascii_case(
                    &ring.seal(&SeededEntropy::new(7), "here", "a secret value").unwrap(),
                );
                prop_assert!(same_hex_digit || ring.open("here", &text).is_err());
            }
        }

        #[test]
        fn any_text_is_refused_without_panic(text in "(v1\\.)?[0-9a-f.]{0,60}") {
            prop_assert!(ring(&[1]).open("here", &text).is_err());
        }
    }

    #[test]
    fn a_newer_key_seals_and_an_older_one_still_opens() {
        let entropy = SeededEntropy::new(1);
        let sealed_before = ring(&[1]).seal(&entropy, "here", "x").unwrap();
        let both = ring(&[1, 2]);
        assert_eq!(
            both.open("here", &sealed_before).unwrap().expose_secret(),
            "x"
        );
        let sealed_now = both.seal(&entropy, "here", "x").unwrap();
        assert!(sealed_now.starts_with("v1.2."));
        assert!(ring(&[1]).open("here", &sealed_now).is_err());
        assert_eq!(ring(&[1]).digest("p", b"x"), both.digest("p", b"x"));
    }

    /// Computed with another implementation of AES-256-GCM: stored values stay readable whatever library opens them.
    #[test]
    fn the_format_is_plain_aes_256_gcm() {
        let sealed = "v1.1.000102030405060708090a0b.da86e643438c630dde1c86a8550cc9321740e588ad7c3028dff5fda56c59";
        let opened = ring(&[1]).open("here", sealed).unwrap();
        assert_eq!(opened.expose_secret(), "a secret value");
    }

    #[test]
    fn a_derived_key_stays_with_its_purpose_and_the_oldest_key() {
        let (one, both) = (ring(&[1]), ring(&[1, 2]));
        assert_eq!(one.derive("a"), both.derive("a"));
        assert_ne!(one.derive("a"), one.derive("b"));
        assert_ne!(one.derive("a"), ring(&[2]).derive("a"));
        assert_ne!(hex::encode(one.derive("a")), one.digest("a", b""));
    }

    #[test]
    fn keys_are_not_printed() {
        assert_eq!(format!("{:?}", ring(&[1, 2])), "{1, 2}");
    }
}
