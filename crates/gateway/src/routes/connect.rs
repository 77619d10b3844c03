//! Connecting a service through its authorization page: the redirect to it, and the callback page. The page
//! shows nothing from the request.

use app::{
    access::Admin,
    integrations::{self, AuthorizationResponse, ConnectOutcome, ConnectRequest},
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use domain::id::IntegrationId;
use secrecy::SecretString;
use serde::Deserialize;
use wire::integration::{ConnectIntegrationRequest, ConnectIntegrationResponse};

use super::{Answer, connect_cookie, message_page::message_page};
use crate::{
    extract::{Auth, Json, cookie},
    openapi::WriteProblems,
    state::Gateway,
};

/// Start connecting a service through its authorization page. For admins.
///
/// The response has the URL to open, and sets a cookie that the callback requires.
#[utoipa::path(post, path = "/v1/integrations/connect", operation_id = "integration_connect",
    tag = "integrations", request_body = ConnectIntegrationRequest,
    responses((status = 200, description = "The authorization URL", body = ConnectIntegrationResponse), WriteProblems))]
pub(crate) async fn begin(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    headers: HeaderMap,
    Json(request): Json<ConnectIntegrationRequest>,
) -> Answer<Response> {
    let wanted = ConnectRequest {
        service: request.integration_id,
        reconnect: request.reconnect.map(IntegrationId::from_uuid),
        installation_id: request.installation_id,
        browser: connect_cookie::find_cookie(&headers),
    };
    let way = integrations::connect(&gateway.app, &admin, wanted).await?;
    let mut response = Json(ConnectIntegrationResponse {
        authorize_url: way.authorize_url,
    })
    .into_response();
    let cookie = connect_cookie::set_cookie(&gateway.app.instance.advertised_url, &way.browser);
    if let Some(value) = cookie::sensitive(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}

/// The query of the callback; unknown parameters are ignored.
#[derive(Deserialize)]
struct CallbackQuery {
    state: Option<String>,
    code: Option<String>,
}

/// The callback page of a service's authorization.
///
/// It takes no token: the state in the URL and the cookie of the browser that started belong
/// together, once and for ten minutes.
#[utoipa::path(get, path = "/v1/integrations/callback", operation_id = "integration_callback",
    tag = "integrations", security(()),
    params(
        ("state" = Option<String>, Query, description = "The state of the authorization request"),
        ("code" = Option<String>, Query, description = "The authorization code; absent if the user declined"),
    ),
    responses(
        (status = 200, description = "Connected", content_type = "text/html"),
        (status = 400, description = "Not an attempt of this browser's, used before, too old, or the service \
            said no", content_type = "text/html"),
        (status = 403, description = "Not permitted", content_type = "text/html"),
        (status = 503, description = "The service or the gateway cannot do it now", content_type = "text/html"),
    ))]
pub(crate) async fn callback(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let query = axum::extract::Query::<CallbackQuery>::try_from_uri(&uri);
    let query = query.ok().map(|axum::extract::Query(query)| query);
    let state = query.as_ref().and_then(|query| query.state.clone());
    let (Some(state), Some(browser)) = (state, connect_cookie::find_cookie(&headers)) else {
        return page(ConnectOutcome::NotValid);
    };
    let came = AuthorizationResponse {
        state: state.into(),
        browser,
        code: query.and_then(|query| query.code).map(SecretString::from),
    };
    match integrations::finish(&gateway.app, came).await {
        Ok(finished) => page(finished),
        Err(error) => {
            tracing::error!(%error, "a connection could not be finished");
            page(ConnectOutcome::Unavailable("this gateway"))
        }
    }
}

/// Returns the page of an outcome. Every text is the gateway's own.
fn page(finished: ConnectOutcome) -> Response {
    let (status, title, text) = match finished {
        ConnectOutcome::Connected(name) => (
            StatusCode::OK,
            "Connected",
            format!("{name} is connected. You can close this page."),
        ),
        ConnectOutcome::NotValid => (
            StatusCode::BAD_REQUEST,
            "This connects nothing",
            "The attempt was used before, is older than ten minutes, or was started in another browser. Start again."
                .to_owned(),
        ),
        ConnectOutcome::Denied(name) => (
            StatusCode::BAD_REQUEST,
            "Not connected",
            format!("{name} did not authorize this gateway. Nothing was changed."),
        ),
        ConnectOutcome::NotAllowed(name) => (
            StatusCode::FORBIDDEN,
            "Not allowed",
            format!("You are not permitted to connect {name}. Nothing was changed."),
        ),
        ConnectOutcome::Refused(name) => (
            StatusCode::BAD_REQUEST,
            "Not connected",
            format!(
                "{name} rejected its own authorization code. Start again; if it fails again, the operator \
                 has to check the settings."
            ),
        ),
        ConnectOutcome::Unavailable(name) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "Not connected",
            format!("{name} does not respond. Start again in a moment."),
        ),
    };
    message_page(status, title, &text)
}
