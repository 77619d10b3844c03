//! Reading the bytes of an artifact.

use blobs::{Content, Scope};
use domain::{
    artifact::{Artifact, EXPORT_BUNDLE},
    caller::Caller,
    id::ArtifactId,
};

use super::fetch;
use crate::{
    access::Participant,
    context::App,
    error::{Error, Result},
    mediation::principal,
};

/// The artifact and its bytes, which have the digest they were stored with.
pub async fn content(app: &App, caller: &Caller, id: ArtifactId) -> Result<(Artifact, Content)> {
    let artifact = fetch(app, &Participant::of(caller)?, id).await?;
    if artifact.kind.as_str() == EXPORT_BUNDLE {
        check_delivery(app, caller, &artifact).await?;
    }
    let scope = Scope::new(&artifact.organization_id, &artifact.scope);
    let content = app
        .blobs
        .get(&scope, &artifact.sha256, artifact.byte_size)
        .await?;
    Ok((artifact, content))
}

/// INVARIANT: no bundle leaves without a delivery on record, allowed by an export lane for this caller.
async fn check_delivery(app: &App, caller: &Caller, artifact: &Artifact) -> Result<()> {
    let principal = principal(caller)?;
    let mut conn = app.db.read().await?;
    let actor = (principal.class, principal.actor_id.as_str());
    let recorded = conn.delivery_exists(&artifact.organization_id, artifact.id, actor);
    if recorded.await? {
        return Ok(());
    }
    Err(Error::Forbidden(
        "a bundle is given out after a call of export.bundle.download for it, by the same caller",
    ))
}
