//! Requests tokens for installations of a GitHub App, with a proof that the gateway is the app.

use chrono::DateTime;
use domain::clock::Timestamp;
use reqwest::{
    Method,
    header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue},
};
use secrecy::SecretString;
use serde_json::Value;

use super::{
    OAuth,
    token_request::{TokenReply, TokenRequest},
    tokens::{IssuedTokens, TokenError},
};
use crate::http::secret_header;

const ACCEPTED: HeaderValue = HeaderValue::from_static("application/vnd.github+json");
const API_VERSION: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-github-api-version"),
    HeaderValue::from_static("2022-11-28"),
);

impl OAuth {
    /// Requests a token of the installation. `proof` is a JWT that the app has signed.
    pub async fn installation_token(
        &self,
        installation_id: i64,
        proof: &SecretString,
        now: Timestamp,
    ) -> Result<IssuedTokens, TokenError> {
        let path = format!("/app/installations/{installation_id}/access_tokens");
        let reply = self.send_to_github(Method::POST, &path, proof, now).await?;
        match reply.status {
            201 => issued(&reply.body).ok_or_else(|| TokenError::unavailable(None)),
            // Uninstalled.
            404 => Err(TokenError::NoLongerValid),
            _ => Err(refusal(&reply)),
        }
    }

    /// Returns whether the user with this token can see the installation: its number alone proves nothing.
    pub async fn sees_installation(
        &self,
        installation_id: i64,
        user_token: &SecretString,
        now: Timestamp,
    ) -> Result<bool, TokenError> {
        let path = format!("/user/installations/{installation_id}/repositories");
        let reply = self
            .send_to_github(Method::GET, &path, user_token, now)
            .await?;
        match reply.status {
            200 => Ok(true),
            403 | 404 => Ok(false),
            _ => Err(refusal(&reply)),
        }
    }

    async fn send_to_github(
        &self,
        method: Method,
        path: &str,
        bearer: &SecretString,
        now: Timestamp,
    ) -> Result<TokenReply, TokenError> {
        let unusable = |_| TokenError::Refused("unusable_token".to_owned());
        let mut headers: HeaderMap =
            secret_header(AUTHORIZATION, "Bearer ", bearer).map_err(unusable)?;
        headers.extend([(ACCEPT, ACCEPTED), API_VERSION]);
        let base = self.github_api.as_str().trim_end_matches('/');
        let url = format!("{base}{path}");
        let request = TokenRequest {
            method,
            url: &url,
            headers,
            body: None,
        };
        request.send(&self.guard, now).await
    }
}

fn issued(body: &[u8]) -> Option<IssuedTokens> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let end = DateTime::parse_from_rfc3339(body.get("expires_at")?.as_str()?).ok()?;
    Some(IssuedTokens {
        access_token: SecretString::from(body.get("token")?.as_str()?),
        refresh_token: None,
        expires_at: Some(Timestamp::from_datetime(end.to_utc())),
        scopes: Vec::new(),
    })
}

fn refusal(reply: &TokenReply) -> TokenError {
    match (reply.status, reply.after) {
        (status, Some(after)) if status >= 500 || matches!(status, 403 | 429) => {
            TokenError::Unavailable { after }
        }
        (408 | 429 | 500.., None) => TokenError::unavailable(None),
        (status, _) => TokenError::Refused(format!("status_{status}")),
    }
}
