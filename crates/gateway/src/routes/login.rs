//! Browser logins. A login is a cookie that pages cannot read.

pub(crate) mod backchannel;
pub(crate) mod device;
pub(crate) mod oidc;

use app::{
    identity::{self, LoggedIn, Oidc, oidc::end_session_url as end_session_url_of},
    setup,
};
use axum::{
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse, Redirect, Response},
};
use domain::{email::EmailAddress, login::LoginText};
use serde::Deserialize;
use wire::{
    login::{LoginMailRequest, LoginOptions, LoginProvider, LoginRequest, LogoutResponse},
    me::Me,
    problem::Code,
};

use super::{Answer, invitations::page_link, me, message_page::message_page};
use crate::{
    error::Failure,
    extract::{ClientDigest, Json, PresentedCredential, csrf, organization},
    openapi::{AskProblems, LoginMailProblems, LogoutProblems, ProbeProblems},
    state::Gateway,
};

/// Log this browser in: sets a cookie that authenticates the caller from then on.
///
/// The cookie is `HttpOnly` and `SameSite=Strict`. Requests that change something with it need the header
/// `X-Proliferate-Csrf: 1` and must come from the gateway's own pages. A login lasts twelve hours without use, a week
/// at most, and no longer than the token or key it was created from.
#[utoipa::path(post, path = "/v1/login", operation_id = "login", tag = "identity", security(()),
    request_body = LoginRequest,
    responses((status = 200, description = "Who is logged in", body = Me), AskProblems))]
pub(crate) async fn login(
    State(gateway): State<Gateway>,
    headers: HeaderMap,
    Json(request): Json<LoginRequest>,
) -> Answer<Response> {
    if !csrf::is_own_page(&headers, &gateway.own_url) {
        let detail = "a page of another origin cannot log a user in";
        return Err(Failure::new(Code::Forbidden, detail));
    }
    let organization = organization(&headers)?;
    let replaced = gateway.login_cookie().find(&headers);
    let token = request.token.expose();
    let logged_in = identity::login(&gateway.app, token, organization.as_ref(), replaced).await?;
    let me = me::describe_caller(&gateway, &logged_in.caller).await?;
    Ok(with_cookie(&gateway, &logged_in, Json(me).into_response()))
}

/// The available ways to log in.
#[utoipa::path(get, path = "/v1/login", operation_id = "login_options", tag = "identity", security(()),
    responses((status = 200, description = "The ways", body = LoginOptions), ProbeProblems))]
pub(crate) async fn options(State(gateway): State<Gateway>) -> Answer<Json<LoginOptions>> {
    Ok(Json(LoginOptions {
        oidc: !gateway.app.oidc.is_empty(),
        providers: gateway.app.oidc.iter().map(provider).collect(),
        mail: gateway.app.mail.is_some(),
        setup: setup::is_needed(&gateway.app).await?,
    }))
}

fn provider(oidc: &Oidc) -> LoginProvider {
    LoginProvider {
        name: oidc.name().to_owned(),
        label: oidc.label().to_owned(),
    }
}

/// Request a sign-in link by mail. The response is the same whether or not a member has the address.
///
/// The link can be used once, for 15 minutes. `GET /v1/login` says whether a mail server is configured.
#[utoipa::path(post, path = "/v1/login/mail", operation_id = "login_mail", tag = "identity", security(()),
    request_body = LoginMailRequest,
    responses((status = 202, description = "A member with this address receives a mail"), LoginMailProblems))]
pub(crate) async fn mail(
    State(gateway): State<Gateway>,
    client: ClientDigest,
    Json(request): Json<LoginMailRequest>,
) -> Answer<StatusCode> {
    let email = EmailAddress::parse(&request.email)?;
    let link = |code: &LoginText| page_link(&gateway, "/login", code);
    identity::send_login_mail(&gateway.app, &email, client.0, link).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Log this browser out. Without a login there is nothing to do.
///
/// After a login by an identity provider that can end its session, the answer says where the browser does that.
#[utoipa::path(post, path = "/v1/logout", operation_id = "logout", tag = "identity", security(()),
    responses(
        (status = 200, description = "Forgotten; the identity provider is next", body = LogoutResponse),
        (status = 204, description = "Forgotten"), LogoutProblems))]
pub(crate) async fn logout(
    State(gateway): State<Gateway>,
    method: Method,
    headers: HeaderMap,
) -> Answer<Response> {
    let mut end_session_url = None;
    if let Some(PresentedCredential::Login(login)) =
        PresentedCredential::login(&method, &headers, &gateway)?
    {
        let ended = identity::logout(&gateway.app, login).await?;
        let return_to = format!("{}/login", gateway.public_url().trim_end_matches('/'));
        end_session_url =
            ended.and_then(|ended| end_session_url_of(&gateway.app, &ended, &return_to));
    }
    let mut response = match end_session_url {
        Some(end_session_url) => Json(LogoutResponse { end_session_url }).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    };
    if let Some(cookie) = gateway.login_cookie().clear() {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

#[derive(Deserialize)]
struct LinkQuery {
    code: Option<String>,
}

/// The target of a one-time link: logs the browser in and redirects to the dashboard.
///
/// `proliferate dev` prints such a link, and `proliferate login-link` creates one.
#[utoipa::path(get, path = "/login/dev", operation_id = "login_link", tag = "identity", security(()),
    params(("code" = Option<String>, Query, description = "The one-time code")),
    responses(
        (status = 303, description = "Logged in; redirects to the dashboard"),
        (status = 400, description = "The link is invalid or expired", content_type = "text/html"),
        (status = 503, description = "Logging in is unavailable", content_type = "text/html")))]
pub(crate) async fn link(State(gateway): State<Gateway>, headers: HeaderMap, uri: Uri) -> Response {
    let query = axum::extract::Query::<LinkQuery>::try_from_uri(&uri);
    let code = query
        .ok()
        .and_then(|axum::extract::Query(query)| query.code);
    // Otherwise another site's page could log a user in under a different account.
    let followed_here = csrf::is_own_page(&headers, &gateway.own_url);
    let Some(code) = code.filter(|_| followed_here) else {
        return invalid_link_page();
    };
    let replaced = gateway.login_cookie().find(&headers);
    match identity::login_by_code(&gateway.app, &code, replaced).await {
        Ok(logged_in) => {
            let onward = Redirect::to(&format!("{}/", gateway.own_url.path)).into_response();
            with_cookie(&gateway, &logged_in, onward)
        }
        Err(app::Error::Unauthenticated(_)) => invalid_link_page(),
        Err(error) => {
            tracing::error!(%error, "a login by link failed");
            let text = "Logging in is unavailable at the moment. Open the link again shortly.";
            message_page(StatusCode::SERVICE_UNAVAILABLE, "Not logged in", text)
        }
    }
}

fn invalid_link_page() -> Response {
    let text = "It was used before, is older than an hour, or was followed from another page. Make a new one with \
                `proliferate login-link`, and open it in this browser.";
    message_page(StatusCode::BAD_REQUEST, "This link is not valid", text)
}

/// The response, with the login cookie.
pub(super) fn with_cookie(
    gateway: &Gateway,
    logged_in: &LoggedIn,
    mut response: Response,
) -> Response {
    let (now, end) = (gateway.app.now(), logged_in.login.expires_at);
    let cookie = gateway.login_cookie();
    if let Some(cookie) = cookie.set(logged_in.text.expose(), now, end) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}
