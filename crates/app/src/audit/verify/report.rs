//! What a verification is measured by, and what it finds.

use std::io;

use domain::merkle::Hash;

use super::note::{Checkpoint, VerifierKey};

/// What the verification of a good bundle reports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerificationReport {
    pub organization_id: String,
    /// `log`, `case ID` or `session ID`.
    pub scope: String,
    /// Records in the bundle.
    pub records: u64,
    /// Records in the log, as signed.
    pub size: u64,
    pub root: Hash,
    /// Distinct cases and sessions; of a log.
    pub cases: u64,
    pub sessions: u64,
    /// Records that are marked because their time is before that of the record before them: a clock was set
    /// back. Not a fault; the order is the log's, not the clock's.
    pub out_of_time: u64,
    /// Earlier checkpoints that the log agrees with.
    pub checkpoints: u64,
    /// Files of the policies that decided; and how many that the records name are not in the bundle.
    pub policy_files: u64,
    pub policy_files_missing: u64,
    /// Artifacts; how many of them with their bytes; and how many that the records name are not in the bundle.
    pub artifacts: u64,
    pub artifact_contents: u64,
    pub artifacts_missing: u64,
}

/// What is wrong with a bundle, and where first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BundleFault {
    /// From 1; the header is the first.
    pub line: u64,
    /// The record's number, or the number that was expected; `None` where it is about no record.
    pub seq: Option<u64>,
    /// The id of the record's event, where it has one.
    pub event_id: Option<String>,
    pub reason: String,
}

/// Why a verification did not end well.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the bundle cannot be read")]
    Read(#[source] io::Error),
    #[error(transparent)]
    Bad(BundleFault),
}

/// How far a verification is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub records: u64,
    /// As signed.
    pub size: u64,
}

/// What a bundle is verified against.
#[derive(Debug, Clone)]
pub struct TrustAnchor {
    pub key: VerifierKey,
    /// A checkpoint that was kept from before: the log must be its continuation.
    pub from: Option<Checkpoint>,
}

/// Two signed roots for one size.
pub(super) const FORKED: &str = "the log was forked: the checkpoint you keep has the same size and another root, and \
    both are signed";
