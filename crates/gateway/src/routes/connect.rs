//! Connecting a service by going there: the way out, and the page people come back to. The page holds nothing
//! that came with the request.

use app::{
    access::Admin,
    integrations::{self, CameBack, Connect, Finished},
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{Html, IntoResponse, Response},
};
use domain::id::IntegrationId;
use secrecy::SecretString;
use serde::Deserialize;
use wire::integration::{ConnectIntegrationRequest, ConnectIntegrationResponse};

use super::{Answer, connect_kept as kept};
use crate::{
    extract::{Auth, Json, cookie},
    openapi::WriteProblems,
    state::Gateway,
};

/// Begin to connect a service by going there. For admins.
///
/// The answer says where to go, and the browser is given a cookie to come back with.
#[utoipa::path(post, path = "/v1/integrations/connect", operation_id = "integration_connect",
    tag = "integrations", request_body = ConnectIntegrationRequest,
    responses((status = 200, description = "Where to go on", body = ConnectIntegrationResponse), WriteProblems))]
pub(crate) async fn begin(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
    headers: HeaderMap,
    Json(request): Json<ConnectIntegrationRequest>,
) -> Answer<Response> {
    let wanted = Connect {
        service: request.integration_id,
        reconnect: request.reconnect.map(IntegrationId::from_uuid),
        installation_id: request.installation_id,
        browser: kept::cookie(&headers),
    };
    let way = integrations::connect(&gateway.app, &admin, wanted).await?;
    let mut response = Json(ConnectIntegrationResponse {
        authorize_url: way.authorize_url,
    })
    .into_response();
    let cookie = kept::set_cookie(&gateway.app.instance.advertised_url, &way.browser);
    if let Some(value) = cookie::sensitive(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}

/// What a service sends people back with; whatever else it adds is left alone.
#[derive(Deserialize)]
struct CallbackQuery {
    state: Option<String>,
    code: Option<String>,
}

/// The page people come back to from a service.
///
/// It takes no token: the state in the address and the cookie of the
/// browser that began belong together, once and for ten minutes.
#[utoipa::path(get, path = "/v1/integrations/callback", operation_id = "integration_callback",
    tag = "integrations", security(()),
    params(
        ("state" = Option<String>, Query, description = "What the service was sent"),
        ("code" = Option<String>, Query, description = "What the service gives out; absent if somebody said no"),
    ),
    responses(
        (status = 200, description = "Connected", content_type = "text/html"),
        (status = 400, description = "Not an attempt of this browser's, used before, too old, or the service \
            said no", content_type = "text/html"),
        (status = 403, description = "Not allowed, or not any more", content_type = "text/html"),
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
    let (Some(state), Some(browser)) = (state, kept::cookie(&headers)) else {
        return page(Finished::NotValid);
    };
    let came = CameBack {
        state: state.into(),
        browser,
        code: query.and_then(|query| query.code).map(SecretString::from),
    };
    match integrations::finish(&gateway.app, came).await {
        Ok(finished) => page(finished),
        Err(error) => {
            tracing::error!(%error, "a connection could not be finished");
            page(Finished::Unavailable("this gateway"))
        }
    }
}

/// Every text is ours.
fn page(finished: Finished) -> Response {
    let (status, title, text) = match finished {
        Finished::Connected(name) => (
            StatusCode::OK,
            "Connected",
            format!("{name} is connected. You can close this page."),
        ),
        Finished::NotValid => (
            StatusCode::BAD_REQUEST,
            "This does not connect anything",
            "It was used before, is older than ten minutes, or was begun in another browser. Begin again."
                .to_owned(),
        ),
        Finished::Denied(name) => (
            StatusCode::BAD_REQUEST,
            "Not connected",
            format!("{name} did not let this gateway in. Nothing was changed."),
        ),
        Finished::NotAllowed(name) => (
            StatusCode::FORBIDDEN,
            "Not allowed",
            format!("You may not connect this at {name}, or not any more. Nothing was changed."),
        ),
        Finished::Refused(name) => (
            StatusCode::BAD_REQUEST,
            "Not connected",
            format!(
                "{name} did not take what it gave out. Begin again; if it goes on, the operator has to look \
                 at the settings."
            ),
        ),
        Finished::Unavailable(name) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "Not connected",
            format!("There is no answer from {name}. Begin again in a moment."),
        ),
    };
    let page = include_str!("../assets/connect.html");
    let page = page.replace("{title}", title).replace("{text}", &text);
    (status, Html(page)).into_response()
}
