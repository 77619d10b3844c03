//! Exports of a case: `export.bundle.create` writes it into one file with its proofs, and `export.bundle.download`
//! records who downloads it. The route of artifacts sends the bytes, and only to a caller for whom a download was
//! recorded before.

use domain::{
    artifact::EXPORT_BUNDLE,
    audit::Trail,
    limits::EXPORT_BUNDLE_BYTES_MAX,
    policy::{ArtifactKind, MediaType},
};
use tokio::{
    fs::File,
    io::{AsyncWriteExt as _, BufWriter},
};
use tools::{Failure, Output, OutputContent, PermittedCall, Produced};

use super::{
    dictation::scratch,
    parameters::{self, case, database, invalid, no_input, one_input},
};
use crate::{
    audit::{
        self,
        bundle::{ArtifactInclusion, Bundle, BundleScope},
    },
    context::App,
    error::Error,
    mediation::files,
};

const MEDIA_TYPE: &str = "application/x-ndjson";

pub(super) async fn create(app: &App, call: &PermittedCall) -> Result<Produced, Failure> {
    no_input(call)?;
    parameters::only(&call.parameters, &[])?;
    let trail = BundleScope::Trail(Trail::Case(case(call)?.clone()));
    let organization_id = &call.scope.organization_id;
    // The decision to export is a part of what is exported.
    audit::sign_pending(app, organization_id)
        .await
        .map_err(failed)?;
    let bundle = Bundle::open(app, organization_id, trail, ArtifactInclusion::Include).await;
    let mut bundle = bundle.map_err(failed)?;
    let path = call.scratch.join("bundle");
    let file = File::create_new(&path).await;
    let mut file = BufWriter::new(file.map_err(|error| scratch(&error))?);
    let mut size = 0;
    while let Some(page) = bundle.next_page().await.map_err(failed)? {
        size += page.len() as u64;
        if size > EXPORT_BUNDLE_BYTES_MAX {
            return Err(files::broken("the case is too large for one bundle"));
        }
        let written = file.write_all(&page).await;
        written.map_err(|error| scratch(&error))?;
    }
    file.flush().await.map_err(|error| scratch(&error))?;
    let (Ok(kind), Ok(media_type)) = (ArtifactKind::new(EXPORT_BUNDLE), MediaType::new(MEDIA_TYPE))
    else {
        return Err(files::broken("a bundle is of no known type"));
    };
    let output = Output {
        kind,
        media_type,
        content: OutputContent::File(path),
    };
    Ok(Produced {
        outputs: vec![output],
        ..Produced::default()
    })
}

pub(super) async fn download(app: &App, call: &PermittedCall) -> Result<Produced, Failure> {
    parameters::only(&call.parameters, &[])?;
    let (case_id, input) = (case(call)?, one_input(call)?);
    if input.kind.as_str() != EXPORT_BUNDLE {
        return Err(invalid(
            "the input is not a bundle that was made for export",
        ));
    }
    let mut tx = app.db.write().await.map_err(database)?;
    let delivered = (call.scope.run_id, input.artifact_id);
    let inserted = store::delivery_insert(
        &mut tx,
        &call.scope.organization_id,
        case_id,
        delivered,
        app.now(),
    );
    inserted.await.map_err(database)?;
    tx.commit().await.map_err(database)?;
    Ok(Produced::default())
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
fn failed(error: Error) -> Failure {
    tracing::warn!(%error, "a bundle could not be made");
    match error {
        Error::Store(_) | Error::Storage(_) | Error::Coordination(_) => Failure::Unavailable {
            hint: "the database or the object store does not answer; try again later".to_owned(),
        },
        _ => files::broken("the bundle could not be made"),
    }
}
