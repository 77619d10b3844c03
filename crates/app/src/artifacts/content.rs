//! Reading the bytes of an artifact.

use blobs::{Content, Scope};
use domain::{
    artifact::{Artifact, EXPORT_BUNDLE, is_whole_of_an_action},
    caller::Caller,
    id::ArtifactId,
};

use super::fetch;
use crate::{
    access::{Admin, Insider, Participant},
    audit,
    context::App,
    error::{Error, Result},
    mediation::identify::principal,
};

/// The artifact and its bytes, which have the digest they were stored with.
pub async fn content(app: &App, caller: &Caller, id: ArtifactId) -> Result<(Artifact, Content)> {
    let artifact = fetch(app, &Participant::of(caller)?, id).await?;
    if artifact.kind.as_str() == EXPORT_BUNDLE {
        check_delivery(app, caller, &artifact).await?;
    }
    if is_whole_of_an_action(artifact.kind.as_str()) {
        open_whole(app, caller, &artifact).await?;
    }
    let scope = Scope::new(&artifact.organization_id, &artifact.scope);
    let content = app
        .blobs
        .get(&scope, &artifact.sha256, artifact.byte_size)
        .await?;
    Ok((artifact, content))
}

/// INVARIANT: what came back from an action is given out whole to the agent of its session and to admins, who leave an
/// event; all others have the record, which is redacted.
async fn open_whole(app: &App, caller: &Caller, artifact: &Artifact) -> Result<()> {
    if let Caller::Sandbox { session_id, .. } = caller {
        // An agent also sees the artifacts of its session's cases.
        if artifact.scope.session_id() == Some(*session_id) {
            return Ok(());
        }
        return Err(Error::Forbidden(
            "what came back from an action is whole for the agent of the session that has it",
        ));
    }
    let admin = Insider::of(caller)?.admin().map_err(|_| {
        Error::Forbidden(
            "what came back from an action is whole for the session's agent and for admins; the action's record shows \
             it with secrets left out",
        )
    })?;
    record_opening(app, &admin, artifact.id).await
}

/// Records that an admin opens the whole of what came back from an action, before the bytes are given out.
pub(crate) async fn record_opening(app: &App, admin: &Admin, id: ArtifactId) -> Result<()> {
    let mut tx = app.db.write().await?;
    audit::record_operation(&mut tx, app, admin, "artifact_open", Some(id.uuid())).await?;
    tx.commit().await?;
    Ok(())
}

/// INVARIANT: no bundle leaves without a delivery on record, allowed by an export lane for this caller.
async fn check_delivery(app: &App, caller: &Caller, artifact: &Artifact) -> Result<()> {
    let principal = principal(caller)?;
    let mut conn = app.db.read().await?;
    let actor = (principal.class, principal.actor_id.as_str());
    let recorded = store::delivery_exists(&mut conn, &artifact.organization_id, artifact.id, actor);
    if recorded.await? {
        return Ok(());
    }
    Err(Error::Forbidden(
        "a bundle is given out after a call of export.bundle.download for it, by the same caller",
    ))
}
