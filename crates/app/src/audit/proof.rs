//! Proofs that a record is in the signed log, and that an older signed log is its beginning.
//!
//! A proof is joined from perfect subtrees. Their hashes come from the ledger (leaves) and from what was kept
//! beside the checkpoints (every eighth height), a block of 256 at a time.

use std::collections::HashMap;

use domain::{
    id::OrganizationId,
    limits::AUDIT_PROOF_BLOCKS_MAX,
    merkle::{self, Hash, Join, Subtree},
};
use store::{AuditCheckpoint, AuditRecord, Conn};
use uuid::Uuid;

use super::sequence::{inconsistent, stored_hash, unsigned};
use crate::{
    access::Admin,
    context::App,
    error::{Error, Result},
};

/// Heights between two that are kept, and the hashes of one kept height below the next.
pub(super) const KEPT_EVERY: u32 = 8;
const BLOCK: u32 = 1 << KEPT_EVERY;

/// Hashes of a log's tree, read when they are needed.
#[derive(Debug)]
pub(super) struct TreeNodes {
    organization_id: OrganizationId,
    /// By kept height and number of the block.
    blocks: HashMap<(u32, u64), Vec<Hash>>,
}

impl TreeNodes {
    pub(super) fn new(organization_id: &OrganizationId) -> Self {
        Self {
            organization_id: organization_id.clone(),
            blocks: HashMap::new(),
        }
    }

    /// The proof for a path within a signed log.
    pub(super) async fn proof(&mut self, conn: &mut Conn, path: &[Join]) -> Result<Vec<Hash>> {
        let mut proof = Vec::with_capacity(path.len());
        for subtrees in path {
            let mut hashes = Vec::with_capacity(subtrees.len());
            for subtree in subtrees {
                hashes.push(self.hash(conn, *subtree).await?);
            }
            proof.extend(merkle::join(&hashes));
        }
        Ok(proof)
    }

    async fn hash(&mut self, conn: &mut Conn, subtree: Subtree) -> Result<Hash> {
        let above = subtree.height % KEPT_EVERY;
        let height = subtree.height - above;
        let first = subtree.index << above;
        let (block, at) = (
            first / u64::from(BLOCK),
            usize::try_from(first % u64::from(BLOCK)),
        );
        let at = at.unwrap_or_default();
        let hashes = self.block(conn, height, block).await?;
        let below = hashes.get(at..at + (1 << above));
        below.map(merkle::root).ok_or_else(|| {
            let reason = "a hash of the tree is missing".to_owned();
            inconsistent("audit_nodes", "position", &first, reason)
        })
    }

    async fn block(&mut self, conn: &mut Conn, height: u32, block: u64) -> Result<&[Hash]> {
        let key = (height, block);
        if !self.blocks.contains_key(&key) {
            if self.blocks.len() >= AUDIT_PROOF_BLOCKS_MAX {
                self.blocks.clear();
            }
            let read = self.read(conn, height, block * u64::from(BLOCK)).await?;
            self.blocks.insert(key, read);
        }
        Ok(self.blocks.get(&key).map_or(&[], Vec::as_slice))
    }

    async fn read(&self, conn: &mut Conn, height: u32, from: u64) -> Result<Vec<Hash>> {
        let organization_id = &self.organization_id;
        let texts = if height == 0 {
            let from = i64::try_from(from).unwrap_or(i64::MAX);
            let leaves = store::audit_leaf_list(conn, organization_id, from, BLOCK).await?;
            leaves.into_iter().map(|(_, leaf)| leaf).collect()
        } else {
            store::audit_node_list(conn, organization_id, height, from, BLOCK).await?
        };
        let seq = i64::try_from(from).unwrap_or(i64::MAX);
        let hash = |text: &String| stored_hash("leaf", seq, text);
        texts.iter().map(hash).collect()
    }
}

/// A record with what proves that it is in the signed log.
#[derive(Debug, Clone)]
pub struct InclusionProof {
    pub record: AuditRecord,
    /// Hexadecimal.
    pub proof: Vec<String>,
    pub checkpoint: AuditCheckpoint,
}

/// The proof of an event's record. `Error::NotFound` for an unknown event and for one that has no place in a
/// signed log yet.
pub async fn prove(app: &App, admin: &Admin, event_id: Uuid) -> Result<InclusionProof> {
    let organization_id = admin.organization_id();
    let mut conn = app.db.read().await?;
    let record = store::audit_record_fetch(&mut conn, organization_id, event_id).await?;
    let record = record.ok_or(Error::NotFound("audit event"))?;
    let checkpoint = store::audit_checkpoint_last(&mut conn, organization_id).await?;
    let checkpoint = checkpoint.filter(|checkpoint| checkpoint.size > record.seq);
    let checkpoint = checkpoint.ok_or(Error::NotFound("signed audit event"))?;
    let path = merkle::inclusion_path(unsigned(record.seq), unsigned(checkpoint.size));
    let proof = TreeNodes::new(organization_id)
        .proof(&mut conn, &path.unwrap_or_default())
        .await?;
    Ok(InclusionProof {
        record,
        proof: proof.iter().map(hex::encode).collect(),
        checkpoint,
    })
}

/// The proof that the log of `from` records is the beginning of the log of `to`, both not longer than what is
/// signed; `to` is what is signed when it is not given.
pub async fn consistency(
    app: &App,
    admin: &Admin,
    from: u64,
    to: Option<u64>,
) -> Result<(u64, Vec<String>)> {
    let organization_id = admin.organization_id();
    let mut conn = app.db.read().await?;
    let last = store::audit_checkpoint_last(&mut conn, organization_id).await?;
    let signed = unsigned(last.ok_or(Error::NotFound("audit log"))?.size);
    let to = to.unwrap_or(signed);
    let beyond =
        |field: &str| domain::invalid::Invalid::new(field, format!("must be at most {signed}"));
    if to > signed {
        return Err(beyond("to").into());
    }
    let path = merkle::consistency_path(from, to).ok_or_else(|| beyond("from"))?;
    let proof = TreeNodes::new(organization_id)
        .proof(&mut conn, &path)
        .await?;
    Ok((to, proof.iter().map(hex::encode).collect()))
}
