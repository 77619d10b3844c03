//! Health, readiness and metrics of this instance.

use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use wire::{
    health::{Health, HealthStatus, Ready, ReadyCheck, ReadyStatus},
    problem::Code,
};

use crate::{error::Failure, extract::Json, openapi::MeasurementProblems, state::Gateway};

/// Is the process alive? Checks no dependency.
#[utoipa::path(get, path = "/health", operation_id = "health", tag = "operations", security(()),
    responses((status = 200, description = "It is", body = Health)))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health {
        status: HealthStatus::Ok,
    })
}

/// Can it serve: do the database, the coordination service and storage respond? A draining instance cannot.
#[utoipa::path(get, path = "/ready", operation_id = "ready", tag = "operations", security(()),
    responses(
        (status = 200, description = "It can", body = Ready),
        (status = 503, description = "It cannot; the checks say why", body = Ready)))]
pub(crate) async fn ready(State(gateway): State<Gateway>) -> (StatusCode, Json<Ready>) {
    let app = &gateway.app;
    let now = || app.clock.monotonic();
    let check = async || app::readiness::check(app).await;
    let checks = gateway.readiness.checks(now, check).await;
    let checks = checks
        .into_iter()
        .map(|check| ReadyCheck {
            name: check.name.to_owned(),
            ok: check.ok,
            detail: check.detail,
            duration_ms: u64::try_from(check.took.as_millis()).unwrap_or(u64::MAX),
        })
        .collect();
    let mut checks: Vec<ReadyCheck> = checks;
    if gateway
        .hub
        .as_ref()
        .is_some_and(|hub| hub.fleet.drain_progress().is_some())
    {
        checks.push(ReadyCheck {
            name: "drain".to_owned(),
            ok: false,
            detail: Some("this instance is draining".to_owned()),
            duration_ms: 0,
        });
    }
    let ready = Ready::from_checks(checks);
    let status = match ready.status {
        ReadyStatus::Ready => StatusCode::OK,
        ReadyStatus::NotReady => StatusCode::SERVICE_UNAVAILABLE,
    };
    (status, Json(ready))
}

/// Metrics in Prometheus' text format; 404 if they are on a listener of their own.
#[utoipa::path(get, path = "/metrics", operation_id = "metrics", tag = "operations", security(()),
    responses(
        (status = 200, description = "The measurements", body = String, content_type = "text/plain"),
        MeasurementProblems))]
pub(crate) async fn metrics(gateway: State<Gateway>) -> Response {
    if gateway.metrics_apart {
        return Failure::new(Code::NotFound, "metrics are on a listener of their own")
            .with_hint("`server.metrics_listen` of this instance has its address.")
            .into_response();
    }
    measurements(gateway).await.into_response()
}

/// The same on the metrics listener.
pub(crate) async fn measurements(State(gateway): State<Gateway>) -> impl IntoResponse {
    let content_type = [(
        header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    )];
    (content_type, gateway.metrics.render())
}
