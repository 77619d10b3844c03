//! The policies that calls were decided by, for people who compare them.

use std::sync::Arc;

use domain::{clock::Timestamp, limits::POLICY_VERSIONS_SHOWN_MAX, policy::PolicyId};

use super::{load::Policy, stored};
use crate::{
    context::App,
    error::{Error, Result},
};

/// A policy that is in force or was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    pub id: String,
    /// `None` for the one in force if nothing was decided by it yet.
    pub first_used_at: Option<Timestamp>,
    pub current: bool,
    pub lanes_sha256: String,
    pub roles_sha256: String,
    pub tools_sha256: String,
}

/// Newest first; the one in force is among them, and first if nothing was decided by it yet.
pub async fn versions(app: &App) -> Result<Vec<Version>> {
    let current = app.policy.current();
    let mut conn = app.db.read().await?;
    let stored = conn.policy_list(POLICY_VERSIONS_SHOWN_MAX).await?;
    let mut versions: Vec<Version> = stored
        .into_iter()
        .map(|listed| {
            let [lanes_sha256, roles_sha256, tools_sha256] = listed.sha256;
            Version {
                current: listed.id == current.id().as_str(),
                id: listed.id,
                first_used_at: Some(listed.created_at),
                lanes_sha256,
                roles_sha256,
                tools_sha256,
            }
        })
        .collect();
    if !versions.iter().any(|version| version.current) {
        let pins = current.versions();
        let unused = Version {
            id: current.id().as_str().to_owned(),
            first_used_at: None,
            current: true,
            lanes_sha256: pins.lanes.sha256.clone(),
            roles_sha256: pins.roles.sha256.clone(),
            tools_sha256: pins.tools.sha256.clone(),
        };
        versions.insert(0, unused);
    }
    Ok(versions)
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
