//! The trail of a case or session as one file.

use app::audit::{self, bundle::ArtifactInclusion};
use axum::{
    body::Bytes,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use domain::{Invalid, audit::Trail, caller::Caller, capacity::Claimant};
use futures::stream;
use wire::audit::AuditBundleQuery;

use super::reader;
use crate::{
    extract::{Auth, Query},
    openapi::ReadProblems,
    routes::{Answer, stream_body},
    state::Gateway,
};

/// The trail of a case or session: its records with their proofs, the policy files that decided and the
/// artifacts by digest, in one file that `proliferate audit verify` checks offline.
#[utoipa::path(get, path = "/v1/audit/bundle", operation_id = "audit_bundle_show", tag = "audit",
    params(AuditBundleQuery),
    responses((status = 200, description = "JSON lines; the last one is `end`", body = String,
        content_type = "application/jsonl"), ReadProblems))]
pub(crate) async fn bundle(
    State(gateway): State<Gateway>,
    Auth(caller): Auth<Caller>,
    Query(query): Query<AuditBundleQuery>,
) -> Answer<Response> {
    let case = query.case()?;
    let reader = reader(&gateway, &caller, case.as_ref()).await?;
    let trail = match (case, query.session()?) {
        (Some(id), None) => Trail::Case(id),
        (None, Some(id)) => Trail::Session(id),
        _ => return Err(Invalid::new("case", "or `session` must be given, and not both").into()),
    };
    let downloads = &gateway.capacities.downloads;
    let permit = downloads.try_acquire(&Claimant::from(&caller), 1)?;
    // The bytes of a case are delivered in the export lane alone.
    let bundle =
        audit::bundle_open(&gateway.app, &reader, trail, ArtifactInclusion::Digests).await?;
    // Ends in the middle if a page cannot be read: a bundle without its last line is invalid.
    let pages = stream::try_unfold(bundle, |mut bundle| async {
        let page = bundle.next_page().await.inspect_err(|error| {
            tracing::error!(%error, "sending a bundle failed");
        })?;
        Ok::<_, app::Error>(page.map(|page| (Bytes::from(page), bundle)))
    });
    let headers = [
        (header::CONTENT_TYPE, "application/jsonl"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"audit.jsonl\"",
        ),
    ];
    Ok((
        headers,
        stream_body(pages, permit, gateway.options.send_stall_max),
    )
        .into_response())
}
