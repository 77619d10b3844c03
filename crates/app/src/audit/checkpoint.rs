//! Signs how long a log is and what its root is. An auditor who keeps a checkpoint can tell later that what it
//! covers was neither changed nor cut.
//!
//! INVARIANT: a checkpoint continues the last one: its tree is grown from the stored edge of that tree,
//! never computed anew, so that a log that was rewritten below it cannot be signed again.

use domain::{
    id::OrganizationId,
    limits::AUDIT_LEAVES_PAGE_MAX,
    merkle::{Frontier, Hash},
};
use store::AuditCheckpoint;

use super::{
    key::SigningKey,
    proof::KEPT_EVERY,
    sequence::{inconsistent, stored_hash, unsigned},
};
use crate::{context::App, error::Result};

/// Signs everything that has its place, if at least `least` records are not signed yet. `None` if there
/// are fewer.
pub async fn checkpoint(
    app: &App,
    organization_id: &OrganizationId,
    least: u64,
) -> Result<Option<AuditCheckpoint>> {
    let mut conn = app.db.read().await?;
    let end = store::audit_end(&mut conn, organization_id).await?;
    let size = end.map_or(0, |end| end.seq + 1);
    let last = store::audit_checkpoint_last(&mut conn, organization_id).await?;
    let mut tree = last.as_ref().map_or(Ok(Frontier::default()), edge)?;
    if unsigned(size).saturating_sub(tree.size()) < least.max(1) {
        return Ok(None);
    }
    let mut nodes = Vec::new();
    // Ends: every page grows the tree, and no further than the size seen above.
    while tree.size() < unsigned(size) {
        let from = i64::try_from(tree.size()).unwrap_or(i64::MAX);
        let page =
            store::audit_leaf_list(&mut conn, organization_id, from, AUDIT_LEAVES_PAGE_MAX).await?;
        if page.is_empty() {
            return Err(missing(from));
        }
        for (seq, leaf) in page.iter().take_while(|(seq, _)| *seq < size) {
            if unsigned(*seq) != tree.size() {
                return Err(missing(from));
            }
            tree.push_seen(stored_hash("leaf", *seq, leaf)?, |subtree, hash| {
                if subtree.height > 0 && subtree.height % KEPT_EVERY == 0 {
                    nodes.push((subtree, hex::encode(hash)));
                }
            });
        }
    }
    drop(conn);
    let root = tree.root();
    let key = SigningKey::of(&app.keyring, organization_id)?;
    let checkpoint = AuditCheckpoint {
        size,
        root: hex::encode(root),
        frontier: hex::encode(tree.parts().1.concat()),
        note: key.sign_checkpoint(tree.size(), &root),
        created_at: app.now(),
    };
    let mut tx = app.db.write().await?;
    store::audit_node_insert_all(&mut tx, organization_id, &nodes).await?;
    store::audit_checkpoint_insert(&mut tx, organization_id, &checkpoint).await?;
    tx.commit().await?;
    metrics::counter!("proliferate_audit_checkpoints_total").increment(1);
    Ok(Some(checkpoint))
}

/// The right edge of the tree that was signed, checked against its root.
fn edge(checkpoint: &AuditCheckpoint) -> Result<Frontier> {
    let broken = |reason: &str| {
        let table = "audit_checkpoints";
        inconsistent(table, "frontier", &checkpoint.size, reason.to_owned())
    };
    let bytes = hex::decode(&checkpoint.frontier).map_err(|_| broken("not hexadecimal"))?;
    let (hashes, rest) = bytes.as_chunks::<32>();
    let subtrees: Vec<Hash> = hashes.to_vec();
    let tree = Frontier::from_parts(unsigned(checkpoint.size), subtrees)
        .filter(|_| rest.is_empty())
        .ok_or_else(|| broken("not the edge of a tree of this size"))?;
    if hex::encode(tree.root()) != checkpoint.root {
        return Err(broken("not the edge of the tree with this root"));
    }
    Ok(tree)
}

fn missing(seq: i64) -> crate::Error {
    inconsistent(
        "audit_ledger",
        "seq",
        &seq,
        "a record is missing".to_owned(),
    )
}
