//! Signed checkpoints as an auditor reads them (C2SP signed-note and tlog-checkpoint): the key, the
//! signature, the size and the root; and what two checkpoints of one log say about each other.

use std::{fmt, str::FromStr};

use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::merkle::Hash;
use sha2::{Digest, Sha256};

/// The algorithm byte of Ed25519.
const ALGORITHM: u8 = 1;

/// A public key: `NAME+HASH+BASE64`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    hash: [u8; 4],
    public: [u8; 32],
}

/// A text that is no verifier key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a verifier key: {0}")]
pub struct InvalidVerifierKey(&'static str);

/// A note that proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidNote(&'static str);

/// The size and the root of a log, as its signer stated them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    pub origin: String,
    pub size: u64,
    pub root: Hash,
}

/// What two checkpoints of one log say about each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Same,
    /// The same size and different roots, both signed: the log was forked or rewritten.
    Forked,
    /// The first is of a shorter log. Whether it is the beginning of the other needs the records.
    Older,
    Newer,
}

impl VerifierKey {
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl FromStr for VerifierKey {
    type Err = InvalidVerifierKey;

    fn from_str(text: &str) -> Result<Self, InvalidVerifierKey> {
        // The key itself may have a `+`, the name may not.
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(hash), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(InvalidVerifierKey("it has three parts, NAME+HASH+KEY"));
        };
        if name.is_empty() || name.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(InvalidVerifierKey("its name is not one word"));
        }
        let key = STANDARD.decode(key);
        let Some((&ALGORITHM, public)) = key.as_deref().ok().and_then(<[u8]>::split_first) else {
            return Err(InvalidVerifierKey("it is no Ed25519 key in base64"));
        };
        let public =
            <[u8; 32]>::try_from(public).map_err(|_| InvalidVerifierKey("it is no Ed25519 key"))?;
        let expected = key_hash(name, &public);
        if hash != hex::encode(expected) {
            return Err(InvalidVerifierKey(
                "its hash is not that of its name and key",
            ));
        }
        Ok(Self {
            name: name.to_owned(),
            hash: expected,
            public,
        })
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = STANDARD.encode([&[ALGORITHM], &self.public[..]].concat());
        write!(f, "{}+{}+{key}", self.name, hex::encode(self.hash))
    }
}

fn key_hash(name: &str, public: &[u8; 32]) -> [u8; 4] {
    let digest = Sha256::digest([name.as_bytes(), b"\n", &[ALGORITHM], public].concat());
    [digest[0], digest[1], digest[2], digest[3]]
}

/// Checks the signature and reads the checkpoint. Signatures of others are passed over.
pub fn open(note: &str, key: &VerifierKey) -> Result<Checkpoint, InvalidNote> {
    let text = signed_text(note, key)?;
    let mut lines = text.lines();
    let (Some(origin), Some(size), Some(root)) = (lines.next(), lines.next(), lines.next()) else {
        return Err(InvalidNote("the checkpoint is not three lines"));
    };
    if origin != key.name {
        return Err(InvalidNote("the checkpoint is of another log"));
    }
    let number: u64 = size
        .parse()
        .map_err(|_| InvalidNote("the checkpoint's size is no number"))?;
    if number.to_string() != size {
        return Err(InvalidNote("the checkpoint's size is not written plainly"));
    }
    let root = STANDARD.decode(root).ok();
    let root = root.and_then(|root| Hash::try_from(root).ok());
    Ok(Checkpoint {
        origin: origin.to_owned(),
        size: number,
        root: root.ok_or(InvalidNote("the checkpoint's root is no hash"))?,
    })
}

/// The text above the signatures, if `key` signed it.
pub(super) fn signed_text<'a>(note: &'a str, key: &VerifierKey) -> Result<&'a str, InvalidNote> {
    let split = note
        .rfind("\n\n")
        .ok_or(InvalidNote("the checkpoint has no signatures"))?;
    let (text, signatures) = (&note[..=split], &note[split + 2..]);
    if !signatures.ends_with('\n') || text.chars().any(|c| c.is_control() && c != '\n') {
        return Err(InvalidNote("the checkpoint is no signed note"));
    }
    for line in signatures.lines() {
        let words = line
            .strip_prefix("\u{2014} ")
            .and_then(|rest| rest.split_once(' '));
        let Some((name, encoded)) = words else {
            return Err(InvalidNote("a signature is not in the note format"));
        };
        let Ok(bytes) = STANDARD.decode(encoded) else {
            return Err(InvalidNote("a signature is not base64"));
        };
        if name == key.name
            && let Some(signature) = bytes.strip_prefix(&key.hash)
        {
            return UnparsedPublicKey::new(&ED25519, key.public)
                .verify(text.as_bytes(), signature)
                .map(|()| text)
                .map_err(|_| InvalidNote("the signature is not valid"));
        }
    }
    Err(InvalidNote("the checkpoint is not signed by the given key"))
}

/// Checks both notes and returns how they relate. Two that fork are proof against their signer.
pub fn compare(one: &str, other: &str, key: &VerifierKey) -> Result<Comparison, InvalidNote> {
    let (one, other) = (open(one, key)?, open(other, key)?);
    Ok(match one.size.cmp(&other.size) {
        std::cmp::Ordering::Less => Comparison::Older,
        std::cmp::Ordering::Greater => Comparison::Newer,
        std::cmp::Ordering::Equal if one.root == other.root => Comparison::Same,
        std::cmp::Ordering::Equal => Comparison::Forked,
    })
}
