//! Where a browser ends its session at the identity provider after a logout (OpenID Connect RP-Initiated Logout 1.0).

use domain::{id::LoginId, identity_provider::OidcLogin};
use openidconnect::{
    ClientId, EndSessionUrl, LogoutRequest, PostLogoutRedirectUrl, core::CoreIdToken,
};
use secrecy::{ExposeSecret as _, SecretString};

use crate::{context::App, error::Result};

/// What the ID token of a login is sealed for.
fn place(login_id: LoginId) -> String {
    format!("oidc-id-token:{login_id}")
}

/// Seals an ID token for as long as the login lasts.
pub(super) fn seal(app: &App, login_id: LoginId, id_token: &SecretString) -> Result<String> {
    app.keyring
        .seal(&*app.entropy, &place(login_id), id_token.expose_secret())
}

/// The URL that ends the provider's session and comes back to `return_to`. `None` if the provider has none, or is not
/// configured any more.
pub fn end_session_url(app: &App, ended: &OidcLogin, return_to: &str) -> Option<String> {
    let oidc = app.oidc.find(Some(&ended.provider))?;
    let end_session = EndSessionUrl::new(ended.end_session_url.clone()?).ok()?;
    let return_to = PostLogoutRedirectUrl::new(return_to.to_owned()).ok()?;
    let mut request = LogoutRequest::from(end_session)
        .set_client_id(ClientId::new(oidc.settings().client_id.clone()))
        .set_post_logout_redirect_uri(return_to);
    // One that cannot be opened was sealed with a key that is gone; the provider asks the user instead.
    let sealed = ended.sealed_id_token.as_deref();
    let opened = sealed.and_then(|sealed| app.keyring.open(&place(ended.login_id), sealed).ok());
    let id_token = opened.and_then(|text| text.expose_secret().parse::<CoreIdToken>().ok());
    if let Some(id_token) = id_token {
        request = request.set_id_token_hint(&id_token);
    }
    Some(request.http_get_url().into())
}
