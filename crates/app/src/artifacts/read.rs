//! Looking at what is known about artifacts.

use domain::{
    artifact::{Artifact, ArtifactScope},
    id::ArtifactId,
    page::{Page, PageRequest},
};

use super::check_visible;
use crate::{
    access::{AuditedActor, Participant},
    context::App,
    error::{Error, Result},
};

pub async fn fetch(app: &App, who: &Participant, id: ArtifactId) -> Result<Artifact> {
    let mut conn = app.db.read().await?;
    let artifact = store::artifact_fetch(&mut conn, who.organization_id(), id).await?;
    let artifact = artifact.ok_or(Error::NotFound("artifact"))?;
    match check_visible(&mut conn, who, &artifact.scope).await {
        // Which of the two it was is not told.
        Err(Error::NotFound(_)) => Err(Error::NotFound("artifact")),
        other => other.map(|()| artifact),
    }
}

/// Those of one case or session, newest first.
pub async fn list(
    app: &App,
    who: &Participant,
    scope: &ArtifactScope,
    page: PageRequest<ArtifactId>,
) -> Result<Page<Artifact, ArtifactId>> {
    let mut conn = app.db.read().await?;
    check_visible(&mut conn, who, scope).await?;
    Ok(store::artifact_list(&mut conn, who.organization_id(), scope, page).await?)
}
