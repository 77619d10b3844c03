//! Reads evidence.

use blobs::Content;
use domain::{
    artifact::Artifact,
    clock::Timestamp,
    id::ArtifactId,
    limits::PAGE_SIZE_MAX,
    page::{Page, PageRequest},
};

use super::manifest::{Manifest, ManifestFile, root};
use crate::{
    access::SessionAccess,
    context::App,
    error::{Error, Result},
};

/// A file of evidence that an agent handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceFile {
    /// Its whole name.
    pub key: String,
    /// Below the folder that was handed in.
    pub path: String,
    pub content_type: String,
    pub size: u64,
    pub handed_in_at: Timestamp,
}

impl EvidenceFile {
    fn of(prefix: &str, file: ManifestFile, handed_in_at: Timestamp) -> Self {
        Self {
            key: format!("{prefix}/{}", file.path),
            path: file.path,
            content_type: file.content_type,
            size: file.size,
            handed_in_at,
        }
    }
}

/// The files of a session, newest call first; those whose names begin with `prefix` if one is given. A page is one of
/// calls.
pub async fn list(
    app: &App,
    access: &SessionAccess,
    prefix: Option<&str>,
    page: PageRequest<ArtifactId>,
) -> Result<Page<EvidenceFile, ArtifactId>> {
    let page = manifests(app, access, page).await?;
    let mut items = Vec::new();
    for artifact in page.items {
        let Some(Manifest { prefix: of, files }) = Manifest::load(app, &artifact).await? else {
            continue;
        };
        let files = files.into_iter();
        let files = files.map(|file| EvidenceFile::of(&of, file, artifact.created_at));
        items.extend(files.filter(|file| prefix.is_none_or(|begin| file.key.starts_with(begin))));
    }
    Ok(Page {
        items,
        next: page.next,
    })
}

/// One file and its bytes, which have the digest that the run's record names.
pub async fn content(
    app: &App,
    access: &SessionAccess,
    key: &str,
) -> Result<(EvidenceFile, Content)> {
    let session_id = access.session_id();
    let named = key.strip_prefix(&root(session_id));
    let named = named.and_then(|rest| rest.split_once('/'));
    let (seconds, path) = named.ok_or(Error::NotFound("file"))?;
    let prefix = format!("{}{seconds}", root(session_id));
    let mut before = None;
    loop {
        let limit = PAGE_SIZE_MAX;
        let page = manifests(app, access, PageRequest { before, limit }).await?;
        for artifact in page.items {
            let manifest = Manifest::load(app, &artifact).await?;
            let Some(manifest) = manifest.filter(|list| list.prefix == prefix) else {
                continue;
            };
            let file = manifest.files.into_iter().find(|file| file.path == path);
            let file = file.ok_or(Error::NotFound("file"))?;
            let scope = blobs::Scope::new(&artifact.organization_id, &artifact.scope);
            let content = app.blobs.get(&scope, &file.digest()?, file.size).await?;
            return Ok((
                EvidenceFile::of(&prefix, file, artifact.created_at),
                content,
            ));
        }
        before = Some(page.next.ok_or(Error::NotFound("file"))?);
    }
}

async fn manifests(
    app: &App,
    access: &SessionAccess,
    page: PageRequest<ArtifactId>,
) -> Result<Page<Artifact, ArtifactId>> {
    let mut conn = app.db.read().await?;
    let (organization_id, session_id) = (access.organization_id(), access.session_id());
    Manifest::artifacts(&mut conn, organization_id, session_id, page).await
}
