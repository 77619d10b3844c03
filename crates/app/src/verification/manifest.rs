//! The list of what one call handed in.

use bytes::Bytes;
use domain::{
    artifact::{Artifact, ArtifactScope, VERIFICATION},
    audit::Sha256Hex,
    id::{OrganizationId, SessionId},
    limits::VERIFY_FILE_BYTES_MAX,
    page::PageRequest,
    policy::ArtifactKind,
};
use serde::{Deserialize, Serialize};

use super::media::media_type;
use crate::{
    context::App,
    error::{Error, Result},
};

/// As it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// What the names of all files begin with; no slash at its end.
    pub prefix: String,
    pub files: Vec<ManifestFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Below the folder that was handed in.
    pub path: String,
    pub content_type: String,
    pub size: u64,
    pub sha256: String,
}

impl Manifest {
    pub fn kind() -> Result<ArtifactKind> {
        VERIFICATION.parse().map_err(|_| Error::NotFound("file"))
    }

    pub(super) async fn load(app: &App, artifact: &Artifact) -> Result<Self> {
        let scope = blobs::Scope::new(&artifact.organization_id, &artifact.scope);
        let content = app.blobs.get(&scope, &artifact.sha256, artifact.byte_size);
        let bytes = content.await?.into_bytes().await?;
        serde_json::from_slice(&bytes).map_err(|error| {
            tracing::error!(%error, artifact_id = %artifact.id, "a list of evidence cannot be read");
            Error::NotFound("file")
        })
    }
}

impl ManifestFile {
    pub(super) fn digest(&self) -> Result<Sha256Hex> {
        let digest = Sha256Hex::new("sha256", self.sha256.clone());
        digest.map_err(|_| Error::NotFound("file"))
    }
}

/// Stores a file under its digest. `None` if it has more bytes than one may.
pub async fn keep_file(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
    path: String,
    bytes: Bytes,
) -> Result<Option<ManifestFile>> {
    let scope = blobs::Scope::new(organization_id, &ArtifactScope::Session(session_id));
    let stored = app.blobs.put_bytes(&scope, bytes, VERIFY_FILE_BYTES_MAX);
    let stored = match stored.await {
        Err(blobs::Error::TooLarge { .. }) => return Ok(None),
        other => other?,
    };
    Ok(Some(ManifestFile {
        content_type: media_type(&path).to_owned(),
        path,
        size: stored.byte_size,
        sha256: stored.sha256.as_str().to_owned(),
    }))
}

pub(super) fn root(session_id: SessionId) -> String {
    format!("sessions/{session_id}/verification/")
}

/// What the names of a call's files begin with: the second it is, or the one after the last call's.
pub async fn next_prefix(
    app: &App,
    organization_id: &OrganizationId,
    session_id: SessionId,
) -> Result<String> {
    let root = root(session_id);
    let newest = PageRequest {
        before: None,
        limit: 1,
    };
    let mut conn = app.db.read().await?;
    let kind = Manifest::kind()?;
    let last = conn.artifact_list_of_session(organization_id, session_id, &kind, newest);
    let last = last.await?.items.pop();
    drop(conn);
    let mut seconds = app.now().micros() / 1_000_000;
    if let Some(last) = last {
        let last = Manifest::load(app, &last).await?;
        let last = last.prefix.strip_prefix(&root).map(str::parse::<i64>);
        if let Some(Ok(last)) = last {
            seconds = seconds.max(last + 1);
        }
    }
    Ok(format!("{root}{seconds}"))
}
