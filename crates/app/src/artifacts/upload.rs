//! Stores the bytes that a caller uploads.

use blobs::{Scope, Stored};
use bytes::Bytes;
use domain::{
    Invalid,
    artifact::{Artifact, ArtifactScope, is_kind_of_the_gateway},
    audit::{ActionType, ArtifactDigest, Event, Outcome, SafeText},
    id::ArtifactId,
    limits::{ARTIFACT_BYTES_MAX, ARTIFACTS_PER_SCOPE_MAX},
    policy::{ArtifactKind, MediaType},
};
use futures::Stream;
use store::Tx;

use super::check_visible;
use crate::{
    access::{AuditedActor, Participant},
    audit,
    context::App,
    error::{Error, Result},
    organization_limits::{add_stored, check_storage},
};

/// The scope and description of the bytes that a caller uploads.
#[derive(Debug, Clone)]
pub struct ArtifactUpload {
    pub scope: ArtifactScope,
    pub kind: ArtifactKind,
    pub media_type: MediaType,
}

/// The artifact of an upload.
#[derive(Debug, Clone)]
pub struct UploadedArtifact {
    pub artifact: Artifact,
    /// The same bytes were uploaded before, as this artifact.
    pub already_existed: bool,
}

/// Stores the bytes, then says that they are there. A process that dies in between leaves bytes that
/// nothing refers to, which the same upload finds again.
pub async fn upload<E>(
    app: &App,
    who: &Participant,
    upload: ArtifactUpload,
    body: impl Stream<Item = std::result::Result<Bytes, E>> + Send,
) -> Result<UploadedArtifact>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    if is_kind_of_the_gateway(upload.kind.as_str()) {
        let message = "is a kind that only the gateway makes; choose another";
        return Err(Invalid::new("kind", message).into());
    }
    admit(app, who, &upload.scope).await?;
    let place = Scope::new(who.organization_id(), &upload.scope);
    let stored = app.blobs.put(&place, body, ARTIFACT_BYTES_MAX).await?;
    let artifact = artifact(app, who, upload, stored);
    let mut tx = app.db.write().await?;
    // Bytes may take minutes to arrive. A caller who lost access meanwhile leaves nothing behind.
    check_visible(&mut tx, who, &artifact.scope).await?;
    store::artifact_lock_scope(&mut tx, &artifact.organization_id, &artifact.scope).await?;
    if let Some(artifact) = store::artifact_insert_upload(&mut tx, &artifact).await? {
        return Ok(UploadedArtifact {
            artifact,
            already_existed: true,
        });
    }
    let count = store::artifact_count(&mut tx, &artifact.organization_id, &artifact.scope);
    if count.await? > i64::from(ARTIFACTS_PER_SCOPE_MAX) {
        return Err(full());
    }
    add_stored(&mut tx, &artifact.organization_id, artifact.byte_size).await?;
    record(&mut tx, app, who, &artifact).await?;
    tx.commit().await?;
    Ok(UploadedArtifact {
        artifact,
        already_existed: false,
    })
}

/// Refuses before the first byte is read.
async fn admit(app: &App, who: &Participant, scope: &ArtifactScope) -> Result<()> {
    let mut conn = app.db.read().await?;
    check_visible(&mut conn, who, scope).await?;
    let count = store::artifact_count(&mut conn, who.organization_id(), scope).await?;
    // At the limit the same bytes may still come again.
    if count > i64::from(ARTIFACTS_PER_SCOPE_MAX) {
        return Err(full());
    }
    check_storage(&mut conn, who.organization_id()).await
}

fn full() -> Error {
    Error::LimitReached(format!(
        "a case or session has at most {ARTIFACTS_PER_SCOPE_MAX} artifacts"
    ))
}

fn artifact(app: &App, who: &Participant, upload: ArtifactUpload, stored: Stored) -> Artifact {
    let now = app.now();
    Artifact {
        id: ArtifactId::generate(now, &*app.entropy),
        organization_id: who.organization_id().clone(),
        scope: upload.scope,
        kind: upload.kind,
        media_type: upload.media_type,
        sha256: stored.sha256,
        byte_size: stored.byte_size,
        lineage: None,
        created_at: now,
    }
}

/// What came in is part of the case's or session's trail, by its digest.
async fn record(tx: &mut Tx, app: &App, who: &Participant, artifact: &Artifact) -> Result<()> {
    let event = Event {
        case_id: artifact.scope.case_id().cloned(),
        target: Some((
            SafeText::new("target.name", "artifacts")?,
            SafeText::new("target.operation", "artifact_upload")?,
        )),
        outputs: vec![ArtifactDigest {
            id: SafeText::new("artifact_id", artifact.id.to_string())?,
            kind: SafeText::new("artifact_kind", artifact.kind.as_str())?,
            sha256: artifact.sha256.clone(),
        }],
        ..Event::new(
            app.event_id(),
            app.now(),
            ActionType::DbWrite,
            Outcome::Success,
            who.actor()?,
            app.policy_versions(),
        )
    };
    audit::record(
        tx,
        event,
        who.organization_id(),
        artifact.scope.session_id(),
    )
    .await
}
