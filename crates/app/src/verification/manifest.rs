//! The list of the files that one call handed in.

use agent::tool::Tool;
use bytes::Bytes;
use domain::{
    artifact::{Artifact, ArtifactScope, VERIFICATION},
    audit::Sha256Hex,
    clock::Timestamp,
    id::{ArtifactId, OrganizationId, SessionId},
    limits::{VERIFY_FILE_BYTES_MAX, VERIFY_LIST_BYTES_MAX},
    page::{Page, PageRequest},
    policy::{ArtifactKind, Operation},
};
use serde::{Deserialize, Serialize};
use store::Conn;

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
    /// The lists that calls of `verify` made in a session, newest first. An artifact of the same kind with any other
    /// origin is not trusted: the digests in it would open every blob of the session.
    pub(super) async fn artifacts(
        conn: &mut Conn,
        organization_id: &OrganizationId,
        session_id: SessionId,
        page: PageRequest<ArtifactId>,
    ) -> Result<Page<Artifact, ArtifactId>> {
        let kind: ArtifactKind = VERIFICATION.parse().map_err(|_| Error::NotFound("file"))?;
        let verify = Operation::new(Tool::Verify.as_str()).map_err(|_| Error::NotFound("file"))?;
        let made = (&kind, &verify);
        let found =
            store::artifact_list_made_in_session(conn, organization_id, session_id, made, page);
        Ok(found.await?)
    }

    /// The list, or `None` if it cannot be read: the other lists of the session are shown without it.
    pub(super) async fn load(app: &App, artifact: &Artifact) -> Result<Option<Self>> {
        let unreadable = |error: &dyn std::fmt::Display| {
            tracing::error!(%error, artifact_id = %artifact.id, "a list of evidence cannot be read");
            Ok(None)
        };
        if artifact.byte_size > VERIFY_LIST_BYTES_MAX {
            return unreadable(&"it has more bytes than a list may have");
        }
        let scope = blobs::Scope::new(&artifact.organization_id, &artifact.scope);
        let content = app.blobs.get(&scope, &artifact.sha256, artifact.byte_size);
        let bytes = match content.await {
            Ok(content) => content.into_bytes().await?,
            Err(error @ (blobs::Error::NotFound | blobs::Error::Altered { .. })) => {
                return unreadable(&error);
            }
            Err(error) => return Err(error.into()),
        };
        serde_json::from_slice(&bytes)
            .map_or_else(|error| unreadable(&error), |list| Ok(Some(list)))
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
    let last = Manifest::artifacts(&mut conn, organization_id, session_id, newest).await?;
    drop(conn);
    let mut seconds = seconds_of(app.now());
    if let Some(artifact) = last.items.first() {
        let list = Manifest::load(app, artifact).await?;
        let prefix = list
            .as_ref()
            .and_then(|list| list.prefix.strip_prefix(&root));
        let last = prefix.and_then(|text| text.parse::<i64>().ok());
        // A list that cannot be read was named at the latest when it was written.
        let last = last.unwrap_or_else(|| seconds_of(artifact.created_at));
        seconds = seconds.max(last + 1);
    }
    Ok(format!("{root}{seconds}"))
}

fn seconds_of(at: Timestamp) -> i64 {
    at.micros() / 1_000_000
}
