//! Proofs: that an event is in the signed log, and that the signed log continues an older one.

use app::{access::Admin, audit};
use axum::extract::State;
use wire::audit::{AuditConsistencyQuery, AuditConsistencyView, AuditProofQuery, AuditProofView};

use super::view;
use crate::{
    extract::{Auth, Json, Query},
    openapi::ReadProblems,
    routes::Answer,
    state::Gateway,
};

/// The proof that an event is in the signed log. 404 until it is signed, at most a minute after it happened.
#[utoipa::path(get, path = "/v1/audit/proof", operation_id = "audit_proof_show", tag = "audit",
    params(AuditProofQuery),
    responses((status = 200, description = "The proof", body = AuditProofView), ReadProblems))]
pub(crate) async fn proof(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Query(query): Query<AuditProofQuery>,
) -> Answer<Json<AuditProofView>> {
    let proven = audit::prove(&gateway.app, &admin, query.event_id()?).await?;
    Ok(Json(AuditProofView {
        record: view(admin.organization_id(), &proven.record),
        proof: proven.proof,
        checkpoint: proven.checkpoint.note,
    }))
}

/// The proof that the log of one size is a prefix of the log of another.
#[utoipa::path(get, path = "/v1/audit/consistency", operation_id = "audit_consistency_show", tag = "audit",
    params(AuditConsistencyQuery),
    responses((status = 200, description = "The proof", body = AuditConsistencyView), ReadProblems))]
pub(crate) async fn consistency(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Query(query): Query<AuditConsistencyQuery>,
) -> Answer<Json<AuditConsistencyView>> {
    let AuditConsistencyQuery { from, to } = query;
    let (to, proof) = audit::consistency(&gateway.app, &admin, from, to).await?;
    Ok(Json(AuditConsistencyView { from, to, proof }))
}
