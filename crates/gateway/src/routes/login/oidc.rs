//! Logging in with an external account: the redirect to the identity provider, and the callback. Pages show nothing
//! from the request.

use app::identity::oidc::{self, AuthenticationResponse, Oidc, OidcOutcome};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Redirect, Response},
};
use domain::limits::{CONNECT_PARAMETER_LENGTH_MAX, OIDC_ATTEMPT_LIFE};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use super::with_cookie;
use crate::{
    extract::{cookie, own_url::OwnUrl},
    routes::message_page::message_page,
    state::Gateway,
};

/// The cookie that the browser has to send back.
const COOKIE: &str = "proliferate_oidc";
/// The callback path, below the public URL.
const CALLBACK_PATH: &str = "/login/oidc/callback";

#[derive(Deserialize)]
struct BeginQuery {
    next: Option<String>,
}

/// Log in with an external account: redirects to the identity provider of the installation.
#[utoipa::path(get, path = "/login/oidc", operation_id = "login_oidc", tag = "identity", security(()),
    params(("next" = Option<String>, Query, description = "The page of the dashboard to open, such as `/approvals`")),
    responses(
        (status = 303, description = "The service is next"),
        (status = 404, description = "No identity provider is configured", content_type = "text/html"),
        (status = 503, description = "The service does not answer", content_type = "text/html")))]
pub(crate) async fn begin(State(gateway): State<Gateway>, uri: Uri) -> Response {
    let Some(oidc) = gateway.app.oidc.clone() else {
        return not_configured_page();
    };
    let query = axum::extract::Query::<BeginQuery>::try_from_uri(&uri);
    let next = query
        .ok()
        .and_then(|axum::extract::Query(query)| query.next);
    let redirect_uri = redirect_uri(&gateway);
    let going = oidc::begin(&gateway.app, &oidc, &redirect_uri, next.as_deref()).await;
    match going {
        Ok(going) => {
            let mut response = Redirect::to(&going.authorize_url).into_response();
            let cookie = set_cookie(&gateway.own_url, going.kept.expose_secret());
            if let Some(cookie) = cookie::sensitive(&cookie) {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            response
        }
        Err(error) => {
            tracing::warn!(%error, "a login could not be started at the identity provider");
            unavailable_page()
        }
    }
}

/// The query of the callback; unknown parameters are ignored.
#[derive(Deserialize)]
struct CallbackQuery {
    state: Option<String>,
    code: Option<String>,
}

/// The callback of the identity provider.
///
/// It takes no token: the state in the URL and the cookie of the browser that started belong together, for ten minutes.
#[utoipa::path(get, path = "/login/oidc/callback", operation_id = "login_oidc_callback", tag = "identity",
    security(()),
    params(
        ("state" = Option<String>, Query, description = "The state of the authorization request"),
        ("code" = Option<String>, Query, description = "The authorization code; absent if it was denied"),
    ),
    responses(
        (status = 303, description = "Logged in; redirects to the dashboard"),
        (status = 400, description = "It is not valid, was denied, or could not be verified", content_type = "text/html"),
        (status = 403, description = "The user is not a member of an organization", content_type = "text/html"),
        (status = 404, description = "No identity provider is configured", content_type = "text/html"),
        (status = 503, description = "The service does not answer", content_type = "text/html")))]
pub(crate) async fn callback(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let Some(oidc) = gateway.app.oidc.clone() else {
        return not_configured_page();
    };
    let query = axum::extract::Query::<CallbackQuery>::try_from_uri(&uri);
    let query = query.ok().map(|axum::extract::Query(query)| query);
    let kept = cookie::find(&headers, COOKIE);
    let (Some(query), Some(kept)) = (query, kept) else {
        return outcome_page(&OidcOutcome::NotValid);
    };
    let bounded = |text: Option<String>| {
        let text = text.filter(|text| text.len() <= CONNECT_PARAMETER_LENGTH_MAX);
        text.map(SecretString::from)
    };
    let Some(state) = bounded(query.state) else {
        return outcome_page(&OidcOutcome::NotValid);
    };
    let came = AuthenticationResponse {
        kept: SecretString::from(kept),
        state,
        code: bounded(query.code),
        replaced: gateway
            .login_cookie()
            .find(&headers)
            .map(SecretString::from),
    };
    finish(&gateway, &oidc, came).await
}

async fn finish(gateway: &Gateway, oidc: &Oidc, came: AuthenticationResponse) -> Response {
    let finished = oidc::finish(&gateway.app, oidc, &redirect_uri(gateway), came).await;
    match finished {
        Ok(OidcOutcome::LoggedIn(logged_in, next)) => {
            let path = &gateway.own_url.path;
            let onward = Redirect::to(&format!("{path}{next}")).into_response();
            let mut response = with_cookie(gateway, &logged_in, onward);
            // The cookie of the attempt has no use any more.
            let cleared = clear_cookie(&gateway.own_url);
            if let Some(cleared) = cookie::sensitive(&cleared) {
                response.headers_mut().append(header::SET_COOKIE, cleared);
            }
            response
        }
        Ok(finished) => outcome_page(&finished),
        Err(error) => {
            tracing::error!(%error, "a login by the identity provider failed");
            unavailable_page()
        }
    }
}

fn redirect_uri(gateway: &Gateway) -> String {
    let base = gateway.public_url().trim_end_matches('/');
    format!("{base}{CALLBACK_PATH}")
}

/// `Lax`: the callback is a cross-site navigation.
fn set_cookie(own_url: &OwnUrl, value: &str) -> String {
    let seconds = OIDC_ATTEMPT_LIFE.as_secs();
    format!(
        "{COOKIE}={value}; Max-Age={seconds}{}",
        cookie_attributes(own_url)
    )
}

fn clear_cookie(own_url: &OwnUrl) -> String {
    format!("{COOKIE}=; Max-Age=0{}", cookie_attributes(own_url))
}

fn cookie_attributes(own_url: &OwnUrl) -> String {
    let secure = if own_url.is_secure { "; Secure" } else { "" };
    let path = &own_url.path;
    format!("; HttpOnly; SameSite=Lax; Path={path}/login/oidc{secure}")
}

fn outcome_page(finished: &OidcOutcome) -> Response {
    let (status, title, text) = match finished {
        OidcOutcome::NotValid => (
            StatusCode::BAD_REQUEST,
            "Not logged in",
            "The login was started in another browser or more than ten minutes ago. Start again.",
        ),
        OidcOutcome::Denied => (
            StatusCode::BAD_REQUEST,
            "Not logged in",
            "The identity provider denied the login. Nothing was changed.",
        ),
        OidcOutcome::NotAllowed => (
            StatusCode::FORBIDDEN,
            "No place here",
            "Your account is valid, but it is not a member of an organization of this gateway. Ask its operator.",
        ),
        OidcOutcome::NotBelieved => (
            StatusCode::BAD_REQUEST,
            "Not logged in",
            "What the service that you log in with said cannot be believed. Begin again; if it goes on, the operator \
             has to look at the log.",
        ),
        OidcOutcome::Unavailable | OidcOutcome::LoggedIn(..) => return unavailable_page(),
    };
    message_page(status, title, text)
}

fn unavailable_page() -> Response {
    let text = "The identity provider does not respond. Start again in a moment.";
    message_page(StatusCode::SERVICE_UNAVAILABLE, "Not logged in", text)
}

fn not_configured_page() -> Response {
    let text = "The operator of this gateway has configured no identity provider. Use a link, a token or an API key.";
    message_page(StatusCode::NOT_FOUND, "No identity provider", text)
}
