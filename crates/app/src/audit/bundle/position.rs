//! How far a bundle is written.

use std::{
    collections::{BTreeSet, VecDeque},
    fmt,
    sync::Mutex,
};

use domain::{
    audit::{GENESIS, Trail},
    id::OrganizationId,
};
use futures::stream::BoxStream;
use sha2::{Digest as _, Sha256};
use store::AuditCheckpoint;
use uuid::Uuid;

use crate::audit::proof::TreeNodes;

/// How far a log is written.
#[derive(Debug, Default)]
pub(super) struct LogPosition {
    /// The first record that was not given out.
    pub(super) next: i64,
    /// Checkpoints that come next; read ahead.
    pub(super) checkpoints: VecDeque<AuditCheckpoint>,
    /// The size of the last that was read.
    pub(super) read: i64,
    pub(super) given: u64,
}

/// How far a trail is written.
#[derive(Debug)]
pub(super) struct TrailPosition {
    pub(super) trail: Trail,
    pub(super) nodes: TreeNodes,
    pub(super) part: TrailPart,
    /// The leaf of the last record.
    pub(super) last: String,
    /// The earlier checkpoint that covers the last record, until it is given out.
    pub(super) checkpoint: Option<AuditCheckpoint>,
    pub(super) given: WrittenCounts,
    /// The artifact whose bytes are given out, and how many bytes were.
    pub(super) content: Option<ArtifactStream>,
    pub(super) content_bytes: u64,
    /// Over the lines that are given out with the records.
    pub(super) evidence: Sha256,
    /// The blob ids of the policy files that the records name.
    pub(super) policies: BTreeSet<String>,
}

/// How much was given out.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct WrittenCounts {
    pub(super) checkpoints: u64,
    pub(super) policy_files: u64,
    pub(super) artifacts: u64,
}

/// What of a trail comes next.
#[derive(Debug)]
pub(super) enum TrailPart {
    /// The first record of the trail that was not given out.
    Records(i64),
    /// The last policy file.
    PolicyFiles(String),
    /// The last artifact.
    Artifacts(Uuid),
    End,
}

impl TrailPosition {
    pub(super) fn new(trail: &Trail, organization_id: &OrganizationId) -> Self {
        Self {
            trail: trail.clone(),
            nodes: TreeNodes::new(organization_id),
            part: TrailPart::Records(0),
            last: hex::encode(GENESIS),
            checkpoint: None,
            given: WrittenCounts::default(),
            content: None,
            content_bytes: 0,
            evidence: Sha256::new(),
            policies: BTreeSet::new(),
        }
    }
}

/// The bytes of an artifact on their way out. Never locked: the mutex lets a bundle be shared between
/// threads, which the stream alone cannot be.
pub(super) struct ArtifactStream(
    pub(super) Mutex<BoxStream<'static, std::io::Result<bytes::Bytes>>>,
);

impl fmt::Debug for ArtifactStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Content")
    }
}
