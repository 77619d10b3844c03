//! Reading the bytes of an artifact.

use blobs::{Content, Scope};
use domain::{artifact::Artifact, id::ArtifactId};

use super::fetch;
use crate::{access::Participant, context::App, error::Result};

/// The artifact and its bytes, which have the digest they were stored with.
pub async fn content(app: &App, who: &Participant, id: ArtifactId) -> Result<(Artifact, Content)> {
    let artifact = fetch(app, who, id).await?;
    let scope = Scope::new(&artifact.organization_id, &artifact.scope);
    let content = app
        .blobs
        .get(&scope, &artifact.sha256, artifact.byte_size)
        .await?;
    Ok((artifact, content))
}
