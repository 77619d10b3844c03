//! Policies in the database: for calls that were begun under them elsewhere or before a restart, and for auditors who
//! check what was decided by them.

use domain::{clock::Timestamp, policy::PolicyId};
use store::{Conn, Db, StoredPolicy, StoredPolicyFile};

use super::{
    files::{FileBytes, PolicyFiles},
    load::{self, Policy},
};
use crate::error::Result;

/// Keeps the policy; nothing happens if it is there.
pub(super) async fn keep(db: &Db, policy: &Policy, now: Timestamp) -> store::Result<()> {
    let versions = policy.versions();
    let files = policy.files();
    let file = |bytes: &FileBytes, sha256: &str| StoredPolicyFile {
        sha256: sha256.to_owned(),
        commit: bytes.commit.clone(),
        // Only text loads.
        content: String::from_utf8_lossy(&bytes.bytes).into_owned(),
    };
    let stored = StoredPolicy {
        id: policy.id().clone(),
        files: [
            file(&files.lanes, &versions.lanes.sha256),
            file(&files.roles, &versions.roles.sha256),
            file(&files.tools, &versions.tools.sha256),
        ],
    };
    let mut tx = db.write().await?;
    store::policy_insert(&mut tx, &stored, now).await?;
    tx.commit().await
}

/// The policy with this id. `None` if it is not there, or not any more what it was: its digests decide.
pub(super) async fn load(conn: &mut Conn, id: &PolicyId) -> Result<Option<Policy>> {
    let Some([lanes, roles, tools]) = store::policy_fetch(conn, id.as_str()).await? else {
        return Ok(None);
    };
    let file = |(content, commit): (String, Option<String>)| FileBytes {
        bytes: content.into_bytes(),
        commit,
    };
    let files = PolicyFiles {
        lanes: file(lanes),
        roles: file(roles),
        tools: file(tools),
    };
    match load::load(files) {
        Ok(policy) if policy.id() == id => Ok(Some(policy)),
        Ok(_) => {
            tracing::error!(id = id.as_str(), "a stored policy is not what it was");
            Ok(None)
        }
        Err(problems) => {
            tracing::error!(id = id.as_str(), %problems, "a stored policy does not load");
            Ok(None)
        }
    }
}
