//! Snapshots: the saved home directory of a sandbox. Processes are not part of it.

use std::{fmt, str::FromStr};

use domain::audit::Sha256Hex;
use serde::{Deserialize, Serialize};

use crate::{Error, ExecRequest, ExecResult, Result};

/// Names a snapshot on its provider; for the local one the digest of its manifest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SnapshotId(String);

impl SnapshotId {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn from_digest(sha256: &Sha256Hex) -> Self {
        Self(sha256.as_str().to_owned())
    }
}

impl fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SnapshotId {
    type Err = Error;

    /// Letters, digits, `-` and `_`: an image's id, a digest, an id of a provider's service.
    fn from_str(text: &str) -> Result<Self> {
        let safe = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        if (1..=128).contains(&text.len()) && text.bytes().all(safe) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Error::invalid("not a snapshot id"))
        }
    }
}

impl TryFrom<String> for SnapshotId {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<SnapshotId> for String {
    fn from(id: SnapshotId) -> Self {
        id.0
    }
}

/// A snapshot that is whole, as it is stored on a session or a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotRef {
    pub provider: String,
    pub id: SnapshotId,
    /// The snapshot its sandbox was made from.
    pub parent: Option<SnapshotId>,
    /// Bytes of what changed since the parent.
    pub size: u64,
    /// How many layers a sandbox made from it stands on.
    pub depth: u32,
}

/// What is done around a snapshot. Both commands run in the sandbox.
#[derive(Debug, Clone, Default)]
pub struct SnapshotRequest {
    /// Takes secrets off the disk. There is no snapshot if it fails.
    pub before: Option<ExecRequest>,
    /// Puts them back; runs also when there is no snapshot, and when the other command failed half-way.
    pub after: Option<ExecRequest>,
}

impl SnapshotRequest {
    /// Checks the result of the command before a snapshot.
    #[expect(clippy::needless_pass_by_value, reason = "it is given to `and_then`")]
    pub(crate) fn check_before(before: ExecResult) -> Result<()> {
        if before.is_success() {
            return Ok(());
        }
        Err(Error::failed("before the snapshot", "the command failed"))
    }
}

/// What was removed because nothing refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Collected {
    pub snapshots: usize,
    pub layers: usize,
    pub bytes: u64,
}
