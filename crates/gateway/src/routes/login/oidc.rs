//! Logging in with an account elsewhere: the way out, and where people come back to. Pages hold nothing that came with
//! the request.

use app::identity::oidc::{self, CameBack, Finished, Oidc};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Redirect, Response},
};
use domain::limits::{CONNECT_PARAMETER_LENGTH_MAX, OIDC_ATTEMPT_LIFE};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use super::{page, path_of, with_cookie};
use crate::{extract::cookie, state::Gateway};

/// What the browser that began has to bring back.
const COOKIE: &str = "proliferate_oidc";
/// Where people come back to, below the public address.
const CALLBACK_PATH: &str = "/login/oidc/callback";

#[derive(Deserialize)]
struct BeginQuery {
    next: Option<String>,
}

/// Log in with an account elsewhere: goes on to the service that the operator has set up.
#[utoipa::path(get, path = "/login/oidc", operation_id = "login_oidc", tag = "identity", security(()),
    params(("next" = Option<String>, Query, description = "The page of the dashboard to go on to, such as `/approvals`")),
    responses(
        (status = 303, description = "The service is next"),
        (status = 404, description = "No service is set up", content_type = "text/html"),
        (status = 503, description = "The service does not answer", content_type = "text/html")))]
pub(crate) async fn begin(State(gateway): State<Gateway>, uri: Uri) -> Response {
    let Some(oidc) = gateway.app.oidc.clone() else {
        return not_set_up();
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
            let cookie = set_cookie(gateway.public_url(), going.kept.expose_secret());
            if let Some(cookie) = cookie::sensitive(&cookie) {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            response
        }
        Err(error) => {
            tracing::warn!(%error, "nobody can be sent to the service that vouches for people");
            unavailable()
        }
    }
}

/// What the service sends people back with; whatever else it adds is left alone.
#[derive(Deserialize)]
struct CallbackQuery {
    state: Option<String>,
    code: Option<String>,
}

/// Where people come back to from the service that vouches for them.
///
/// It takes no token: the state in the address and the cookie of the browser that began belong together, for ten minutes.
#[utoipa::path(get, path = "/login/oidc/callback", operation_id = "login_oidc_callback", tag = "identity",
    security(()),
    params(
        ("state" = Option<String>, Query, description = "What the service was sent"),
        ("code" = Option<String>, Query, description = "What the service gives out; absent if it said no"),
    ),
    responses(
        (status = 303, description = "Let in; the dashboard is next"),
        (status = 400, description = "It is not valid, was denied, or is not believed", content_type = "text/html"),
        (status = 403, description = "Whoever it is has no place here", content_type = "text/html"),
        (status = 404, description = "No service is set up", content_type = "text/html"),
        (status = 503, description = "The service does not answer", content_type = "text/html")))]
pub(crate) async fn callback(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let Some(oidc) = gateway.app.oidc.clone() else {
        return not_set_up();
    };
    let query = axum::extract::Query::<CallbackQuery>::try_from_uri(&uri);
    let query = query.ok().map(|axum::extract::Query(query)| query);
    let kept = cookie::find(&headers, COOKIE);
    let (Some(query), Some(kept)) = (query, kept) else {
        return ended(&Finished::NotValid);
    };
    let bounded = |text: Option<String>| {
        let text = text.filter(|text| text.len() <= CONNECT_PARAMETER_LENGTH_MAX);
        text.map(SecretString::from)
    };
    let Some(state) = bounded(query.state) else {
        return ended(&Finished::NotValid);
    };
    let came = CameBack {
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

async fn finish(gateway: &Gateway, oidc: &Oidc, came: CameBack) -> Response {
    let finished = oidc::finish(&gateway.app, oidc, &redirect_uri(gateway), came).await;
    match finished {
        Ok(Finished::LoggedIn(logged_in, next)) => {
            let path = path_of(gateway.public_url());
            let onward = Redirect::to(&format!("{path}{next}")).into_response();
            let mut response = with_cookie(gateway, &logged_in, onward);
            // What served to come back is worth nothing any more.
            let cleared = cleared(gateway.public_url());
            if let Some(cleared) = cookie::sensitive(&cleared) {
                response.headers_mut().append(header::SET_COOKIE, cleared);
            }
            response
        }
        Ok(finished) => ended(&finished),
        Err(error) => {
            tracing::error!(%error, "nobody could be let in by the service that vouches for people");
            unavailable()
        }
    }
}

fn redirect_uri(gateway: &Gateway) -> String {
    let base = gateway.public_url().trim_end_matches('/');
    format!("{base}{CALLBACK_PATH}")
}

/// `Lax`: people come back by following a link.
fn set_cookie(public_url: &str, value: &str) -> String {
    let seconds = OIDC_ATTEMPT_LIFE.as_secs();
    format!(
        "{COOKIE}={value}; Max-Age={seconds}{}",
        attributes(public_url)
    )
}

fn cleared(public_url: &str) -> String {
    format!("{COOKIE}=; Max-Age=0{}", attributes(public_url))
}

fn attributes(public_url: &str) -> String {
    let is_secure = public_url.starts_with("https://");
    let secure = if is_secure { "; Secure" } else { "" };
    let path = path_of(public_url);
    format!("; HttpOnly; SameSite=Lax; Path={path}/login/oidc{secure}")
}

fn ended(finished: &Finished) -> Response {
    let (status, title, text) = match finished {
        Finished::NotValid => (
            StatusCode::BAD_REQUEST,
            "Not logged in",
            "It was begun in another browser or more than ten minutes ago. Begin again.",
        ),
        Finished::Denied => (
            StatusCode::BAD_REQUEST,
            "Not logged in",
            "The service that you log in with did not let you through. Nothing was changed.",
        ),
        Finished::NotAllowed => (
            StatusCode::FORBIDDEN,
            "No place here",
            "Your account is good, and this gateway has no place for it, or not any more. Ask whoever runs it.",
        ),
        Finished::NotBelieved => (
            StatusCode::BAD_REQUEST,
            "Not logged in",
            "What the service that you log in with said cannot be believed. Begin again; if it goes on, the operator \
             has to look at the log.",
        ),
        Finished::Unavailable | Finished::LoggedIn(..) => return unavailable(),
    };
    page(status, title, text)
}

fn unavailable() -> Response {
    let text = "There is no answer from the service that you log in with. Begin again in a moment.";
    page(StatusCode::SERVICE_UNAVAILABLE, "Not logged in", text)
}

fn not_set_up() -> Response {
    let text = "The operator of this gateway has set up no service to log in with. Use a link, a token or an API key.";
    page(StatusCode::NOT_FOUND, "Nothing to log in with", text)
}
