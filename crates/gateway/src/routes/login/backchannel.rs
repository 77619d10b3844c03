//! The identity provider ends logins (OpenID Connect Back-Channel Logout 1.0). The signed token is the whole proof: the
//! request has no cookie and no other credential.

use app::identity::oidc::{self, BackchannelOutcome};
use axum::{
    Json,
    body::{Body, to_bytes},
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::limits::OIDC_LOGOUT_BODY_BYTES_MAX;
use reqwest::Url;
use wire::login::BackchannelLogoutError;

use super::oidc::not_configured_page;
use crate::state::Gateway;

/// End the logins of a session or user of an identity provider, which the provider asks for.
///
/// The body is a form with `logout_token`, as OpenID Connect Back-Channel Logout 1.0 describes it. A token counts once, for
/// five minutes after it was issued.
#[utoipa::path(post, path = "/login/oidc/backchannel-logout", operation_id = "login_oidc_backchannel_logout",
    tag = "identity", security(()),
    request_body(content = String, content_type = "application/x-www-form-urlencoded",
        description = "`logout_token=TOKEN`"),
    responses(
        (status = 200, description = "The logins have ended, or there were none"),
        (status = 400, description = "The token is not valid, or was used before", body = BackchannelLogoutError),
        (status = 404, description = "No identity provider is configured", content_type = "text/html"),
        (status = 503, description = "The token cannot be verified now; send it again", body = BackchannelLogoutError)))]
pub(crate) async fn logout(State(gateway): State<Gateway>, body: Body) -> Response {
    if gateway.app.oidc.is_empty() {
        return not_configured_page();
    }
    let token = to_bytes(body, OIDC_LOGOUT_BODY_BYTES_MAX).await.ok();
    let token = token.and_then(|form| logout_token(&form));
    let Some(token) = token else {
        return refusal(
            StatusCode::BAD_REQUEST,
            "the body is no form with `logout_token`",
        );
    };
    match oidc::end_logins(&gateway.app, &token).await {
        Ok(BackchannelOutcome::Ended(_)) => not_stored(StatusCode::OK.into_response()),
        Ok(BackchannelOutcome::Refused) => {
            let why = "the logout token is not valid, or was used before";
            refusal(StatusCode::BAD_REQUEST, why)
        }
        Ok(BackchannelOutcome::Unavailable) => unavailable(),
        Err(error) => {
            tracing::error!(%error, "a logout by an identity provider failed");
            unavailable()
        }
    }
}

/// The token of the form; one that is there twice is none.
fn logout_token(form: &[u8]) -> Option<String> {
    let form = std::str::from_utf8(form).ok()?;
    // A query has the encoding of a form.
    let mut url = Url::parse("http://form.invalid").ok()?;
    url.set_query(Some(form));
    let mut tokens = url.query_pairs().filter(|(name, _)| name == "logout_token");
    let (_, token) = tokens.next()?;
    let is_only = tokens.next().is_none();
    is_only.then(|| token.into_owned())
}

fn unavailable() -> Response {
    let why = "the logout token cannot be verified now; send it again";
    refusal(StatusCode::SERVICE_UNAVAILABLE, why)
}

fn refusal(status: StatusCode, why: &str) -> Response {
    let error = match status {
        StatusCode::BAD_REQUEST => "invalid_request",
        _ => "temporarily_unavailable",
    };
    let body = BackchannelLogoutError {
        error: error.to_owned(),
        error_description: why.to_owned(),
    };
    not_stored((status, Json(body)).into_response())
}

/// The specification asks for it.
fn not_stored(mut response: Response) -> Response {
    let value = header::HeaderValue::from_static("no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, value);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_one_token() {
        let table = [
            ("logout_token=a.b.c", Some("a.b.c")),
            ("x=1&logout_token=a%2Eb&y=2", Some("a.b")),
            ("logout_token=a&logout_token=b", None),
            ("token=a", None),
            ("", None),
        ];
        for (form, expected) in table {
            assert_eq!(logout_token(form.as_bytes()).as_deref(), expected, "{form}");
        }
        assert_eq!(logout_token(&[0xff]), None);
    }
}
