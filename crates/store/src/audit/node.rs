//! Hashes of perfect subtrees of the log's Merkle tree, kept so that a proof reads a few hundred hashes and
//! not the log. Of every eighth height; those between are computed.

use domain::{id::OrganizationId, merkle::Subtree};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::{Rows, values},
};

statements! {
    AUDIT_NODE_INSERT = "INSERT INTO audit_nodes (organization_id, height, position, hash)
        SELECT $2, height, position, hash FROM ",
        rows(height: BIGINT, position: BIGINT, hash: TEXT)
        "WHERE TRUE ON CONFLICT (organization_id, height, position) DO NOTHING";
    AUDIT_NODE_LIST = "SELECT organization_id AS id, hash FROM audit_nodes
        WHERE organization_id = $1 AND height = $2 AND position >= $3 ORDER BY position LIMIT $4";
}

/// Hashes of subtrees of one height, in their order.
pub async fn audit_node_list(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    height: u32,
    from: u64,
    limit: u32,
) -> Result<Vec<String>> {
    let from = i64::try_from(from).unwrap_or(i64::MAX);
    let values = values![organization_id, i64::from(height), from, i64::from(limit)];
    let rows = conn
        .fetch_all("audit_nodes", &AUDIT_NODE_LIST, values)
        .await?;
    rows.iter().map(|row: &Row| row.text("hash")).collect()
}

/// Keeps hashes; those that are there stay as they are.
pub async fn audit_node_insert_all(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    nodes: &[(Subtree, String)],
) -> Result<()> {
    if nodes.is_empty() {
        return Ok(());
    }
    let row = |(subtree, hash): &(Subtree, String)| {
        let position = i64::try_from(subtree.index).unwrap_or(i64::MAX);
        values![i64::from(subtree.height), position, hash]
    };
    let rows = Rows(nodes.iter().map(row).collect());
    tx.execute(&AUDIT_NODE_INSERT, values![rows, organization_id])
        .await?;
    Ok(())
}
