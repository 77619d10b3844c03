//! Logging in with an external account: the redirect to the identity provider, and the callback. Pages show nothing
//! from the request.

use app::identity::oidc::{self, AuthenticationResponse, NotAllowed, OidcOutcome};
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
    provider: Option<String>,
    next: Option<String>,
}

/// Log in with an external account: redirects to an identity provider of the installation.
///
/// `GET /v1/login` lists the providers. Without a name it is the one of the settings `login.oidc_*`, or the only one.
#[utoipa::path(get, path = "/login/oidc", operation_id = "login_oidc", tag = "identity", security(()),
    params(
        ("provider" = Option<String>, Query, description = "The name of the identity provider"),
        ("next" = Option<String>, Query, description = "The page of the dashboard to open, such as `/approvals`")),
    responses(
        (status = 303, description = "The service is next"),
        (status = 404, description = "There is no such identity provider", content_type = "text/html"),
        (status = 503, description = "The service does not answer", content_type = "text/html")))]
pub(crate) async fn begin(State(gateway): State<Gateway>, uri: Uri) -> Response {
    if gateway.app.oidc.is_empty() {
        return not_configured_page();
    }
    let query = axum::extract::Query::<BeginQuery>::try_from_uri(&uri);
    let (provider, next) = match query {
        Ok(axum::extract::Query(query)) => (query.provider, query.next),
        Err(_) => (None, None),
    };
    let Some(oidc) = gateway.app.oidc.find(provider.as_deref()) else {
        return unknown_provider_page();
    };
    let redirect_uri = redirect_uri(&gateway);
    let going = oidc::begin(&gateway.app, oidc, &redirect_uri, next.as_deref()).await;
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
    iss: Option<String>,
}

/// The callback of the identity provider.
///
/// It takes no token: the state in the URL and the cookie of the browser that started belong together, for ten minutes.
#[utoipa::path(get, path = "/login/oidc/callback", operation_id = "login_oidc_callback", tag = "identity",
    security(()),
    params(
        ("state" = Option<String>, Query, description = "The state of the authorization request"),
        ("code" = Option<String>, Query, description = "The authorization code; absent if it was denied"),
        ("iss" = Option<String>, Query, description = "Who answers (RFC 9207), if the provider says so"),
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
    if gateway.app.oidc.is_empty() {
        return not_configured_page();
    }
    let query = axum::extract::Query::<CallbackQuery>::try_from_uri(&uri);
    let query = query.ok().map(|axum::extract::Query(query)| query);
    let kept = cookie::find(&headers, COOKIE);
    let Some(query) = query else {
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
        // Without one it is no attempt of ours, and put on record as such.
        kept: SecretString::from(kept.unwrap_or_default()),
        state,
        code: bounded(query.code),
        issuer: query
            .iss
            .filter(|issuer| issuer.len() <= CONNECT_PARAMETER_LENGTH_MAX),
        replaced: gateway
            .login_cookie()
            .find(&headers)
            .map(SecretString::from),
    };
    finish(&gateway, came).await
}

async fn finish(gateway: &Gateway, came: AuthenticationResponse) -> Response {
    let finished = oidc::finish(&gateway.app, &redirect_uri(gateway), came).await;
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
            "The login was started in another browser or more than ten minutes ago, or it was finished before. Start \
             again.",
        ),
        OidcOutcome::Denied => (
            StatusCode::BAD_REQUEST,
            "Not logged in",
            "The identity provider denied the login. Nothing was changed.",
        ),
        OidcOutcome::NotAllowed(why) => {
            let (title, text) = not_allowed(*why);
            (StatusCode::FORBIDDEN, title, text)
        }
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

/// Why a user is not let in, and what they can do about it.
fn not_allowed(why: NotAllowed) -> (&'static str, &'static str) {
    match why {
        NotAllowed::AddressNotVerified => (
            "Your address is not verified",
            "The identity provider has not verified your e-mail address. Verify it there, and log in again.",
        ),
        NotAllowed::DomainNotListed => (
            "No organization for your address",
            "Your account is valid, but no organization of this gateway lists the domain of your e-mail address. Log in \
             with the account of your organization, or ask one of its admins for an invitation.",
        ),
        NotAllowed::SignUpClosed => (
            "You are not a member",
            "Your account is valid, but new users cannot join with it. Ask an admin of the organization for an \
             invitation.",
        ),
        NotAllowed::NotAMember => (
            "You are not a member",
            "Your account is valid, but it is not a member of an organization of this gateway. Ask an admin of the \
             organization for an invitation.",
        ),
        NotAllowed::NoGroup => (
            "You are in none of its groups",
            "Your account is valid, but it is in none of the groups that may use this gateway. Ask the administrator of \
             the identity provider to add you to one, and log in again.",
        ),
    }
}

fn unknown_provider_page() -> Response {
    let text = "Open the login page and choose one of the ways that it shows.";
    message_page(StatusCode::NOT_FOUND, "No such identity provider", text)
}

fn unavailable_page() -> Response {
    let text = "The identity provider does not respond. Start again in a moment.";
    message_page(StatusCode::SERVICE_UNAVAILABLE, "Not logged in", text)
}

pub(super) fn not_configured_page() -> Response {
    let text = "The operator of this gateway has configured no identity provider. Use a link, a token or an API key.";
    message_page(StatusCode::NOT_FOUND, "No identity provider", text)
}
