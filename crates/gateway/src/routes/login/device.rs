//! Logins of terminals: the terminal's two requests, which need no credential, and the member's two in the browser.

use std::sync::Arc;

use app::{
    access::BrowserLogin,
    identity::{self, DeviceLoginAnswer},
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
};
use domain::limits::{DEVICE_LOGIN_LIFE, DEVICE_POLL_INTERVAL};
use wire::{
    device_login::{
        DecideDeviceLoginRequest, DeviceLoginDecision, DeviceLoginQuery, DeviceLoginStarted,
        DeviceLoginView, DeviceTokenRequest, DeviceTokenResponse, DeviceTokenStatus,
        StartDeviceLoginRequest,
    },
    secret_text::SecretText,
};

use crate::{
    connections::{ClientConnection, client_of},
    extract::{Auth, Json, Query},
    openapi::{DeviceLoginProblems, ReadProblems, WriteProblems},
    routes::Answer,
    state::Gateway,
};

/// Start the login of a terminal.
///
/// The terminal shows the code and the address. A member opens the address in a browser that is signed in, compares the
/// code and decides. Meanwhile the terminal asks at `/v1/login/device/token`. The codes are good for ten minutes.
#[utoipa::path(post, path = "/v1/login/device", operation_id = "device_login_create", tag = "identity", security(()),
    request_body = StartDeviceLoginRequest,
    responses((status = 201, description = "The codes", body = DeviceLoginStarted), DeviceLoginProblems))]
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    connection: Option<axum::Extension<Arc<ClientConnection>>>,
    headers: HeaderMap,
    Json(request): Json<StartDeviceLoginRequest>,
) -> Answer<(StatusCode, Json<DeviceLoginStarted>)> {
    let loopback = gateway.options.people.loopback;
    // Tests without a socket have no connection.
    let client = connection.map_or_else(
        || "unknown".to_owned(),
        |connection| client_of(&connection, &headers, loopback).to_string(),
    );
    let started = identity::device_login_create(&gateway.app, &request.machine, &client).await?;
    let user_code = started.user_code.shown();
    let page = gateway.public_url().trim_end_matches('/');
    let answer = DeviceLoginStarted {
        device_code: SecretText::new(started.device_code.expose()),
        verification_url: format!("{page}/device?code={user_code}"),
        user_code,
        expires_in_seconds: DEVICE_LOGIN_LIFE.as_secs(),
        interval_seconds: DEVICE_POLL_INTERVAL.as_secs(),
    };
    Ok((StatusCode::CREATED, Json(answer)))
}

/// The login of a terminal that waits under a code. For members with a browser login.
#[utoipa::path(get, path = "/v1/login/device", operation_id = "device_login_show", tag = "identity",
    params(DeviceLoginQuery),
    responses((status = 200, description = "The login", body = DeviceLoginView), ReadProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(browser): Auth<BrowserLogin>,
    Query(query): Query<DeviceLoginQuery>,
) -> Answer<Json<DeviceLoginView>> {
    let login = identity::device_login_show(&gateway.app, &browser, query.code.expose()).await?;
    Ok(Json(login.into()))
}

/// Approve or deny the login of a terminal, once. For members with a browser login.
///
/// Approved, the terminal gets an API key of the member, named after its machine and good for 90 days.
#[utoipa::path(post, path = "/v1/login/device/decision", operation_id = "device_login_decide", tag = "identity",
    request_body = DecideDeviceLoginRequest,
    responses((status = 200, description = "The login", body = DeviceLoginView), WriteProblems))]
pub(crate) async fn decide(
    State(gateway): State<Gateway>,
    Auth(browser): Auth<BrowserLogin>,
    Json(request): Json<DecideDeviceLoginRequest>,
) -> Answer<Json<DeviceLoginView>> {
    let approve = request.decision == DeviceLoginDecision::Approve;
    let login =
        identity::device_login_decide(&gateway.app, &browser, request.code.expose(), approve)
            .await?;
    Ok(Json(login.into()))
}

/// Ask whether a terminal was approved, and get its key once it was. One answer has the key.
#[utoipa::path(post, path = "/v1/login/device/token", operation_id = "device_login_redeem", tag = "identity",
    security(()), request_body = DeviceTokenRequest,
    responses((status = 200, description = "How it stands", body = DeviceTokenResponse), DeviceLoginProblems))]
pub(crate) async fn token(
    State(gateway): State<Gateway>,
    Json(request): Json<DeviceTokenRequest>,
) -> Answer<Json<DeviceTokenResponse>> {
    let device_code = request.device_code.expose();
    let answer = match identity::device_login_redeem(&gateway.app, device_code).await? {
        DeviceLoginAnswer::Pending => DeviceTokenResponse::without_key(DeviceTokenStatus::Pending),
        DeviceLoginAnswer::SlowDown => {
            DeviceTokenResponse::without_key(DeviceTokenStatus::SlowDown)
        }
        DeviceLoginAnswer::Denied => DeviceTokenResponse::without_key(DeviceTokenStatus::Denied),
        DeviceLoginAnswer::Expired => DeviceTokenResponse::without_key(DeviceTokenStatus::Expired),
        DeviceLoginAnswer::Approved(key, text) => DeviceTokenResponse {
            status: DeviceTokenStatus::Approved,
            api_key: Some(key.into()),
            key: Some(SecretText::new(text.expose())),
        },
    };
    Ok(Json(answer))
}
