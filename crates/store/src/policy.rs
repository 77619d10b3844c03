//! Policies that were in force. Inserted before one comes into force; never changed.

use domain::{clock::Timestamp, policy::PolicyId};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

statements! {
    POLICY_INSERT = "INSERT INTO policies (id, lanes_sha256, lanes_commit, roles_sha256, roles_commit,
        tools_sha256, tools_commit, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (id) DO NOTHING";
    POLICY_FILE_INSERT = "INSERT INTO policy_files (sha256, content, created_at) VALUES ($1, $2, $3)
        ON CONFLICT (sha256) DO NOTHING";
    POLICY_LIST = "SELECT id, lanes_sha256, roles_sha256, tools_sha256, created_at FROM policies
        ORDER BY id = $1 DESC, created_at DESC, id LIMIT $2";
    POLICY_FETCH = "SELECT p.id, p.lanes_commit, lanes.content AS lanes, p.roles_commit,
        roles.content AS roles, p.tools_commit, tools.content AS tools FROM policies p
        JOIN policy_files lanes ON lanes.sha256 = p.lanes_sha256
        JOIN policy_files roles ON roles.sha256 = p.roles_sha256
        JOIN policy_files tools ON tools.sha256 = p.tools_sha256 WHERE p.id = $1";
}

/// A file of a policy as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPolicyFile {
    pub sha256: String,
    pub commit: Option<String>,
    pub content: String,
}

/// A policy that was in force, without its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPolicy {
    pub id: String,
    /// Of lanes, roles and tools.
    pub sha256: [String; 3],
    pub created_at: Timestamp,
}

/// A policy: lanes, roles, tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPolicy {
    pub id: PolicyId,
    pub files: [StoredPolicyFile; 3],
}

/// Returns the given policy first, then the others, newest first.
pub async fn policy_list(
    conn: &mut Conn,
    first: &PolicyId,
    limit: u32,
) -> Result<Vec<ListedPolicy>> {
    let values = values![first.as_str(), i64::from(limit)];
    let rows = conn.fetch_all("policies", &POLICY_LIST, values).await?;
    let listed = |row: &Row| {
        Ok(ListedPolicy {
            id: row.text("id")?,
            sha256: [
                row.text("lanes_sha256")?,
                row.text("roles_sha256")?,
                row.text("tools_sha256")?,
            ],
            created_at: row.time("created_at")?,
        })
    };
    rows.iter().map(listed).collect()
}

/// The files of a policy with their commits: lanes, roles, tools. The reader checks their digests.
pub async fn policy_fetch(
    conn: &mut Conn,
    id: &str,
) -> Result<Option<[(String, Option<String>); 3]>> {
    let row = conn
        .fetch_optional("policies", &POLICY_FETCH, values![id])
        .await?;
    row.map(|row| {
        Ok([
            (row.text("lanes")?, row.text_opt("lanes_commit")?),
            (row.text("roles")?, row.text_opt("roles_commit")?),
            (row.text("tools")?, row.text_opt("tools_commit")?),
        ])
    })
    .transpose()
}

/// Does nothing if it is there.
pub async fn policy_insert(tx: &mut Tx, policy: &StoredPolicy, now: Timestamp) -> Result<()> {
    for file in &policy.files {
        let values = values![&file.sha256, &file.content, now];
        tx.execute(&POLICY_FILE_INSERT, values).await?;
    }
    let [lanes, roles, tools] = &policy.files;
    let values = values![
        policy.id.as_str(),
        &lanes.sha256,
        lanes.commit.as_ref(),
        &roles.sha256,
        roles.commit.as_ref(),
        &tools.sha256,
        tools.commit.as_ref(),
        now,
    ];
    tx.execute(&POLICY_INSERT, values).await?;
    Ok(())
}
