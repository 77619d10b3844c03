//! Getting into a service for somebody: where a person is sent to say yes, what their yes is exchanged for,
//! and how that is renewed. Stores nothing; who may connect what is not decided here.
//!
//! INVARIANT: a request is sent at most once, through the egress guard. A grant, a code or a client's secret
//! is in no error, log line or `Debug`.

mod ask;
mod github_app;
mod reply;

use domain::{clock::Timestamp, source::SourceDeclaration};
use reqwest::{
    Method, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use secrecy::{ExposeSecret as _, SecretString};
use tools::egress::EgressGuard;

use self::ask::Ask;
pub use self::reply::GrantError;
use crate::{InvalidBaseUrl, registry::declaration};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const FORM: HeaderValue = HeaderValue::from_static("application/x-www-form-urlencoded");

/// What the operator has set up at one service.
#[derive(Debug, Clone)]
pub struct OAuthSettings {
    pub client_id: String,
    pub client_secret: SecretString,
    /// Where people say yes.
    pub authorize_url: String,
    /// Where we get what it is worth.
    pub token_url: String,
    pub scopes: Vec<String>,
    /// Whether the service takes proof keys (RFC 7636).
    pub pkce: bool,
}

/// What a yes, or an earlier grant, is worth.
#[derive(Debug, Clone)]
pub struct Grant {
    pub access_token: SecretString,
    /// Absent: it is not renewed, or the one before it still counts.
    pub refresh_token: Option<SecretString>,
    /// Absent: it does not say.
    pub expires_at: Option<Timestamp>,
    pub scopes: Vec<String>,
}

/// Every service that was set up.
#[derive(Debug, Clone)]
pub struct OAuth {
    guard: EgressGuard,
    services: Vec<OAuthService>,
    github_api: Url,
}

/// One service that people can be sent to.
#[derive(Debug, Clone)]
pub struct OAuthService {
    source: &'static SourceDeclaration,
    settings: OAuthSettings,
    authorize_url: Url,
    guard: EgressGuard,
}

impl OAuth {
    /// `github_api` is where installations of GitHub Apps are asked for.
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

    /// Where somebody is sent. `challenge` is the digest of the verifier that [`Self::exchange`] gets.
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

    /// Exchanges the code somebody came back with.
    pub async fn exchange(
        &self,
        code: &SecretString,
        verifier: &SecretString,
        redirect_uri: &str,
        now: Timestamp,
    ) -> Result<Grant, GrantError> {
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", code.expose_secret()),
            ("redirect_uri", redirect_uri),
        ];
        if self.settings.pkce {
            fields.push(("code_verifier", verifier.expose_secret()));
        }
        self.ask(fields, now).await
    }

    /// Renews. Whatever the answer, the refresh token may be used up.
    pub async fn refresh(
        &self,
        refresh_token: &SecretString,
        now: Timestamp,
    ) -> Result<Grant, GrantError> {
        let fields = vec![
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token.expose_secret()),
        ];
        self.ask(fields, now).await
    }

    /// `now` is before the request: a life that is counted from it ends too early rather than too late.
    async fn ask(
        &self,
        mut fields: Vec<(&str, &str)>,
        now: Timestamp,
    ) -> Result<Grant, GrantError> {
        let settings = &self.settings;
        fields.push(("client_id", &settings.client_id));
        fields.push(("client_secret", settings.client_secret.expose_secret()));
        let ask = Ask {
            method: Method::POST,
            url: &settings.token_url,
            headers: HeaderMap::from_iter([(ACCEPT, JSON), (CONTENT_TYPE, FORM)]),
            body: Some(ask::form(&fields)),
        };
        let reply = ask.send(&self.guard, now).await?;
        reply::grant(&reply, &self.source.oauth, now)
    }
}
