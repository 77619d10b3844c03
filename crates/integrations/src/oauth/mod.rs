//! OAuth2: the URL at which a user authorizes the gateway, the exchange of the code that the browser brings back, and the
//! renewal of tokens. Stores nothing; the caller decides which user may connect what.
//!
//! The requests are ours and not the `oauth2` crate's: it takes an error only with an error status (GitHub and Slack send
//! 200), tokens only at the top level (Slack nests them) and drops `Retry-After`, so that every reply would have to be
//! rewritten before it could be read.
//!
//! INVARIANT: a request is sent at most once, through the egress guard. No error, log line or `Debug` holds a token, a code
//! or a client's secret.

mod github_app;
mod reply;
mod token_request;
mod tokens;

use domain::{clock::Timestamp, source::SourceDeclaration};
use reqwest::{
    Method, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use secrecy::{ExposeSecret as _, SecretString};
use tools::egress::EgressGuard;

use self::token_request::TokenRequest;
pub use self::tokens::{IssuedTokens, TokenError};
use crate::{InvalidBaseUrl, registry::declaration};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const FORM: HeaderValue = HeaderValue::from_static("application/x-www-form-urlencoded");

/// The operator's client at one service.
#[derive(Debug, Clone)]
pub struct OAuthSettings {
    pub client_id: String,
    pub client_secret: SecretString,
    /// The page on which a user authorizes the gateway.
    pub authorize_url: String,
    /// Where codes are exchanged and tokens renewed.
    pub token_url: String,
    pub scopes: Vec<String>,
    /// Whether the service takes proof keys (RFC 7636).
    pub pkce: bool,
}

/// Every service at which the operator has a client.
#[derive(Debug, Clone)]
pub struct OAuth {
    guard: EgressGuard,
    services: Vec<OAuthService>,
    github_api: Url,
}

/// One service with the operator's client at it.
#[derive(Debug, Clone)]
pub struct OAuthService {
    source: &'static SourceDeclaration,
    settings: OAuthSettings,
    authorize_url: Url,
    guard: EgressGuard,
}

impl OAuth {
    /// `github_api` is the base URL for requests about installations of GitHub Apps.
    pub fn new(
        guard: &EgressGuard,
        github_api: &str,
        settings: impl IntoIterator<Item = (&'static str, OAuthSettings)>,
    ) -> Result<Self, InvalidBaseUrl> {
        let wrong = |source_name| InvalidBaseUrl { source_name };
        let service = |(name, settings): (&'static str, OAuthSettings)| {
            let source = declaration(name).ok_or(wrong(name))?;
            let url = |text: &str| Url::parse(text).ok().filter(Url::has_host);
            url(&settings.token_url).ok_or(wrong(name))?;
            let authorize_url = url(&settings.authorize_url).ok_or(wrong(name))?;
            Ok(OAuthService {
                source,
                settings,
                authorize_url,
                guard: guard.clone(),
            })
        };
        Ok(Self {
            guard: guard.clone(),
            services: settings
                .into_iter()
                .map(service)
                .collect::<Result<_, _>>()?,
            github_api: Url::parse(github_api).map_err(|_| wrong("github"))?,
        })
    }

    pub fn service(&self, name: &str) -> Option<&OAuthService> {
        self.services
            .iter()
            .find(|service| service.source.name == name)
    }
}

impl OAuthService {
    pub fn display_name(&self) -> &'static str {
        self.source.display_name
    }

    /// Returns the URL that the user's browser is sent to. `challenge` is the digest of the verifier that
    /// [`Self::exchange`] takes.
    pub fn authorize_url(&self, redirect_uri: &str, state: &str, challenge: &str) -> String {
        let scopes = self.settings.scopes.join(self.source.oauth.scope_separator);
        let mut url = self.authorize_url.clone();
        let mut query = url.query_pairs_mut();
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("scope", &scopes)
            .append_pair("state", state)
            .extend_pairs(self.source.oauth.authorize_params);
        if self.settings.pkce {
            query
                .append_pair("code_challenge", challenge)
                .append_pair("code_challenge_method", "S256");
        }
        drop(query);
        url.into()
    }

    /// Exchanges the code that the browser brought back.
    pub async fn exchange(
        &self,
        code: &SecretString,
        verifier: &SecretString,
        redirect_uri: &str,
        now: Timestamp,
    ) -> Result<IssuedTokens, TokenError> {
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", code.expose_secret()),
            ("redirect_uri", redirect_uri),
        ];
        if self.settings.pkce {
            fields.push(("code_verifier", verifier.expose_secret()));
        }
        self.request_tokens(fields, now).await
    }

    /// Exchanges a refresh token. It may be used up, also when this fails.
    pub async fn refresh(
        &self,
        refresh_token: &SecretString,
        now: Timestamp,
    ) -> Result<IssuedTokens, TokenError> {
        let fields = vec![
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token.expose_secret()),
        ];
        self.request_tokens(fields, now).await
    }

    /// `now` is before the request: a life that is counted from it ends too early rather than too late.
    async fn request_tokens(
        &self,
        mut fields: Vec<(&str, &str)>,
        now: Timestamp,
    ) -> Result<IssuedTokens, TokenError> {
        let settings = &self.settings;
        fields.push(("client_id", &settings.client_id));
        fields.push(("client_secret", settings.client_secret.expose_secret()));
        let request = TokenRequest {
            method: Method::POST,
            url: &settings.token_url,
            headers: HeaderMap::from_iter([(ACCEPT, JSON), (CONTENT_TYPE, FORM)]),
            body: Some(token_request::form(&fields)),
        };
        let reply = request.send(&self.guard, now).await?;
        reply::issued_tokens(&reply, &self.source.oauth, now)
    }
}
