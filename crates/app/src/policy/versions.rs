//! The policies that were in force, for people who compare them.

use std::sync::Arc;

use domain::{clock::Timestamp, limits::POLICY_VERSIONS_SHOWN_MAX, policy::PolicyId};

use store::ListedPolicy;

use super::{load::Policy, stored};
use crate::{
    context::App,
    error::{Error, Result},
};

/// A policy that is in force or was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyVersion {
    pub id: String,
    /// When it first came into force.
    pub first_used_at: Timestamp,
    pub current: bool,
    pub lanes_sha256: String,
    pub roles_sha256: String,
    pub tools_sha256: String,
}

/// The one in force, then the others, newest first.
pub async fn versions(app: &App) -> Result<Vec<PolicyVersion>> {
    let current = app.policy.current();
    let mut conn = app.db.read().await?;
    let stored = store::policy_list(&mut conn, current.id(), POLICY_VERSIONS_SHOWN_MAX);
    let version = |listed: ListedPolicy| {
        let [lanes_sha256, roles_sha256, tools_sha256] = listed.sha256;
        PolicyVersion {
            current: listed.id == current.id().as_str(),
            id: listed.id,
            first_used_at: listed.created_at,
            lanes_sha256,
            roles_sha256,
            tools_sha256,
        }
    };
    Ok(stored.await?.into_iter().map(version).collect())
}

/// The policy of this id, in force or kept.
pub async fn version(app: &App, id: &str) -> Result<Arc<Policy>> {
    let id = PolicyId::parse(id).ok_or(Error::NotFound("policy"))?;
    if let Some(policy) = app.policy.pinned(&id) {
        return Ok(policy);
    }
    // Not kept in memory: that is for runs under way.
    let mut conn = app.db.read().await?;
    let found = stored::load(&mut conn, &id).await?;
    found.map(Arc::new).ok_or(Error::NotFound("policy"))
}
