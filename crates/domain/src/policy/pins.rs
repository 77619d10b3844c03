//! Which policy decided. A run is pinned to the exact bytes of the files it started under; a call whose
//! pins are missing, malformed or of another policy is denied.

use crate::canonical::sha256_hex;

/// What pins one file: its git blob id and the SHA-256 of its bytes, and the commit, where known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FilePin {
    /// `None` for a policy that was not loaded from a git work tree, such as the built-in one.
    pub commit: Option<String>,
    pub blob: String,
    pub sha256: String,
}

/// The pins of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PolicyVersions {
    pub lanes: FilePin,
    pub roles: FilePin,
    pub tools: FilePin,
}

/// A policy by the digests of its files: what a run is pinned to, in 64 characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolicyId(String);

impl PolicyId {
    /// Parses a stored id; `None` for an invalid text.
    pub fn parse(text: &str) -> Option<Self> {
        is_hex(text, &[64]).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An invalid pin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: not a pin: {reason}")]
pub struct InvalidPin {
    pub file: &'static str,
    pub reason: &'static str,
}

impl FilePin {
    /// The pin of these bytes. `commit` is the one that last changed the file.
    pub fn of(bytes: &[u8], commit: Option<String>) -> Self {
        Self {
            commit,
            blob: git_blob_id(bytes),
            sha256: sha256_hex(bytes),
        }
    }

    /// Parses a stored pin: hexadecimal of the right length, or an error.
    pub fn parse(
        file: &'static str,
        commit: Option<&str>,
        blob: &str,
        sha256: &str,
    ) -> Result<Self, InvalidPin> {
        if !is_hex(blob, &[40, 64]) {
            return Err(InvalidPin {
                file,
                reason: "the blob id is not a git object id",
            });
        }
        if !is_hex(sha256, &[64]) {
            return Err(InvalidPin {
                file,
                reason: "the digest is not a SHA-256",
            });
        }
        if commit.is_some_and(|commit| !is_hex(commit, &[40, 64])) {
            return Err(InvalidPin {
                file,
                reason: "the commit is not a git object id",
            });
        }
        let (commit, blob) = (commit.map(str::to_owned), blob.to_owned());
        Ok(Self {
            commit,
            blob,
            sha256: sha256.to_owned(),
        })
    }
}

impl PolicyVersions {
    /// The same for the same bytes, whatever the commits.
    pub fn id(&self) -> PolicyId {
        let digests = [&self.lanes.sha256, &self.roles.sha256, &self.tools.sha256];
        PolicyId(sha256_hex(
            digests.map(String::as_str).join("\n").as_bytes(),
        ))
    }

    /// Whether both name the same bytes. The commit may differ: a revert brings old bytes back under
    /// a new commit.
    pub fn same_policy(&self, other: &Self) -> bool {
        let digests = |v: &Self| {
            [
                v.lanes.sha256.clone(),
                v.roles.sha256.clone(),
                v.tools.sha256.clone(),
            ]
        };
        digests(self) == digests(other)
    }
}

fn is_hex(text: &str, lengths: &[usize]) -> bool {
    let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    lengths.contains(&text.len()) && text.bytes().all(digit)
}

/// The id git gives these bytes as a blob.
fn git_blob_id(bytes: &[u8]) -> String {
    use sha1::{Digest, Sha1};
    let mut hasher = Sha1::new();
    hasher.update(format!("blob {}\0", bytes.len()));
    hasher.update(bytes);
    hex::encode(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blob_id_is_gits() {
        // `printf 'what is up, doc?' | git hash-object --stdin`, from the Git book.
        let pin = FilePin::of(b"what is up, doc?", None);
        assert_eq!(pin.blob, "bd9dbf5aae1a3862dd1526723246b20206e5fc37");
    }

    #[test]
    fn what_is_no_pin() {
        let good = FilePin::of(b"x", None);
        assert_eq!(
            FilePin::parse("lanes", None, &good.blob, &good.sha256),
            Ok(good.clone())
        );
        let bad = [
            ("v1", &good.sha256[..]),
            (&good.blob[..39], &good.sha256),
            (&good.blob, "v1"),
        ];
        for (blob, sha256) in bad {
            assert!(
                FilePin::parse("lanes", None, blob, sha256).is_err(),
                "{blob} {sha256}"
            );
        }
        assert!(FilePin::parse("lanes", Some("HEAD"), &good.blob, &good.sha256).is_err());
        assert!(FilePin::parse("lanes", None, &good.blob.to_uppercase(), &good.sha256).is_err());
    }
}
