//! Creating, revoking and backtesting grants.

use app::{access::Admin, grants};
use axum::{extract::State, http::StatusCode};
use domain::id::GrantId;
use wire::grant::{BacktestEntry, BacktestResponse, CreateGrantRequest, GrantView};

use super::grant_view;
use crate::{
    extract::{Auth, Json, PathId},
    openapi::{ReadProblems, WriteProblems},
    routes::Answer,
    state::Gateway,
};

/// Create a grant: writes that it covers run without an approval request. For admins and owners.
#[utoipa::path(post, path = "/v1/grants", operation_id = "grant_create", tag = "grants",
    request_body = CreateGrantRequest,
    responses((status = 201, description = "The grant", body = GrantView), WriteProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<CreateGrantRequest>,
) -> Answer<(StatusCode, Json<GrantView>)> {
    let made = grants::create(&gateway.app, &admin, request.draft()?).await?;
    Ok((StatusCode::CREATED, Json(grant_view(&made))))
}

/// Which calls of the last 30 days a grant would have allowed. Nothing is saved. For admins and owners.
#[utoipa::path(post, path = "/v1/grants/backtest", operation_id = "grant_backtest", tag = "grants",
    request_body = CreateGrantRequest,
    responses((status = 200, description = "Past calls, judged", body = BacktestResponse), WriteProblems))]
pub(crate) async fn backtest(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    Json(request): Json<CreateGrantRequest>,
) -> Answer<Json<BacktestResponse>> {
    let tested = grants::backtest(&gateway.app, &admin, request.draft()?).await?;
    let entries = tested.calls.iter().map(|(record, judgement)| {
        let invocation = &record.invocation;
        let names = (invocation.integration.as_str(), invocation.action.as_str());
        BacktestEntry::new(invocation.id, invocation.created_at, names, judgement)
    });
    let calls: Vec<BacktestEntry> = entries.collect();
    Ok(Json(BacktestResponse {
        allowed: calls.iter().filter(|call| call.allowed).count(),
        truncated: tested.cut,
        calls,
    }))
}

/// Revoke a grant. No call starts under it from now on. For admins and owners.
#[utoipa::path(delete, path = "/v1/grants/{id}", operation_id = "grant_revoke", tag = "grants",
    params(("id" = uuid::Uuid, Path, description = "The grant")),
    responses((status = 200, description = "The grant as it is now", body = GrantView), ReadProblems))]
pub(crate) async fn revoke(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    PathId(id): PathId<GrantId>,
) -> Answer<Json<GrantView>> {
    let revoked = grants::revoke(&gateway.app, &admin, id).await?;
    Ok(Json(grant_view(&revoked)))
}
