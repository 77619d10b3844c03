//! Inputs of a call as files, and its outputs as artifacts.

use std::path::Path;

use domain::{
    artifact::{Artifact, ArtifactScope, EXPORT_BUNDLE, Lineage},
    audit::{ArtifactDigest, SafeText, Sha256Hex},
    id::ArtifactId,
    limits::{EXPORT_BUNDLE_BYTES_MAX, TOOL_OUTPUT_BYTES_MAX},
    run::Run,
};
use store::InputFact;
use tools::{Failure, Input, Output, OutputContent};

use crate::{
    context::App,
    error::{Error, Result},
};

type FileResult<T> = std::result::Result<T, Failure>;

/// Fetches the inputs into files of this call's own, checked against their digests on the way.
pub(super) async fn fetch(
    app: &App,
    run: &Run,
    facts: &[InputFact],
    scratch: &Path,
) -> FileResult<Vec<Input>> {
    let mut inputs = Vec::with_capacity(facts.len());
    for (number, (fact, digest)) in facts.iter().zip(&run.inputs).enumerate() {
        let path = scratch.join(format!("input-{number}"));
        let wrong = || broken("a stored input is not what it was");
        let sha256 = Sha256Hex::new("sha256", fact.sha256.clone()).map_err(|_| wrong())?;
        let byte_size = u64::try_from(fact.byte_size).map_err(|_| wrong())?;
        let scope = scope_of(run).ok_or_else(wrong)?;
        let scope = blobs::Scope::new(&run.organization_id, &scope);
        let fetched = app.blobs.fetch_to_file(&scope, &sha256, byte_size, &path);
        fetched.await.map_err(|error| storage(&error))?;
        inputs.push(Input {
            artifact_id: digest.id.as_str().parse().map_err(|_| wrong())?,
            kind: fact.kind.parse().map_err(|_| wrong())?,
            media_type: fact.media_type.parse().map_err(|_| wrong())?,
            path,
        });
    }
    Ok(inputs)
}

/// Stores the bytes of an output. The artifact's row is written with the end of the run, so that a call that did not
/// succeed publishes nothing.
pub(super) async fn store(app: &App, run: &Run, output: Output) -> FileResult<Artifact> {
    let Some(scope) = scope_of(run) else {
        return Err(broken(
            "a call of no case and no session can leave nothing behind",
        ));
    };
    let blob_scope = blobs::Scope::new(&run.organization_id, &scope);
    let max = match output.kind.as_str() {
        EXPORT_BUNDLE => EXPORT_BUNDLE_BYTES_MAX,
        _ => TOOL_OUTPUT_BYTES_MAX,
    };
    let mut named = None;
    let stored = match output.content {
        OutputContent::Stored(id) => return stored(app, run, id).await,
        OutputContent::Bytes(bytes) => app.blobs.put_bytes(&blob_scope, bytes, max).await,
        OutputContent::Named(id, bytes) => {
            named = Some(id);
            app.blobs.put_bytes(&blob_scope, bytes, max).await
        }
        OutputContent::File(path) => app.blobs.put_file(&blob_scope, &path, max).await,
    };
    let stored = stored.map_err(|error| storage(&error))?;
    let derived = run.inputs.iter().map(|input| input.id.as_str().parse());
    let transformation = run.target.as_ref().map(|target| target.operation.clone());
    let lineage = Lineage {
        run_id: run.id,
        derived_from: derived.filter_map(std::result::Result::ok).collect(),
        transformation: transformation.ok_or_else(|| broken("only a call leaves something"))?,
    };
    Ok(Artifact {
        id: named.unwrap_or_else(|| ArtifactId::generate(app.now(), &*app.entropy)),
        organization_id: run.organization_id.clone(),
        scope,
        kind: output.kind,
        media_type: output.media_type,
        sha256: stored.sha256,
        byte_size: stored.byte_size,
        lineage: Some(lineage),
        created_at: app.now(),
    })
}

/// Returns an artifact that exists already, of the same case or session.
async fn stored(app: &App, run: &Run, id: ArtifactId) -> FileResult<Artifact> {
    let found = async {
        let mut conn = app.db.read().await?;
        store::artifact_fetch_many(&mut conn, &run.organization_id, &[id]).await
    };
    let found = found.await.map_err(|_| Failure::Unavailable {
        hint: "the database does not answer; try again later".to_owned(),
    })?;
    let own = |artifact: &Artifact| Some(&artifact.scope) == scope_of(run).as_ref();
    let artifact = found.into_iter().find(own);
    artifact.ok_or_else(|| broken("the tool named something that is not of this case"))
}

/// The outputs of a run, in their order.
pub(crate) async fn outputs_of(app: &App, run: &Run) -> Result<Vec<Artifact>> {
    if run.outputs.is_empty() {
        return Ok(Vec::new());
    }
    let ids = run.outputs.iter().map(|output| output.id.as_str().parse());
    let ids: Vec<ArtifactId> = ids.filter_map(std::result::Result::ok).collect();
    let mut conn = app.db.read().await?;
    let mut found = store::artifact_fetch_many(&mut conn, &run.organization_id, &ids).await?;
    found.sort_by_key(|artifact| ids.iter().position(|id| *id == artifact.id));
    Ok(found)
}

/// The scope of a call's artifacts.
fn scope_of(run: &Run) -> Option<ArtifactScope> {
    let of_case = run.case_id.clone().map(ArtifactScope::Case);
    of_case.or(run.session_id.map(ArtifactScope::Session))
}

pub(super) fn digest(artifact: &Artifact) -> Result<ArtifactDigest> {
    Ok(ArtifactDigest {
        id: SafeText::new("artifact_id", artifact.id.to_string()).map_err(Error::from)?,
        kind: SafeText::new("artifact_kind", artifact.kind.as_str())?,
        sha256: artifact.sha256.clone(),
    })
}

pub(crate) fn broken(reason: &'static str) -> Failure {
    Failure::Tool {
        reason,
        retryable: false,
    }
}

pub(crate) fn storage(error: &blobs::Error) -> Failure {
    tracing::warn!(%error, "an input or output of a call could not be read or stored");
    match error {
        blobs::Error::TooLarge { .. } => broken("the tool left more than is allowed"),
        blobs::Error::NotFound => broken("a stored input is not there any more"),
        blobs::Error::Altered { .. } => broken("a stored input is not what it was"),
        _ => Failure::Unavailable {
            hint: "the object store does not answer; try again later".to_owned(),
        },
    }
}
