//! `[integrations]`: where the services of action sources are, and the clients with which organizations
//! connect them.

mod file;
mod keys;

use secrecy::SecretString;

pub(crate) use self::file::IntegrationsFile;
use self::file::ServiceFile;
pub use self::keys::{
    GITHUB, GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY, LINEAR, SENTRY, SLACK, SLACK_PKCE, ServiceKeys,
};
use crate::{
    error::{Complaint, Refusal, echo},
    resolve::{NOT_SET, Resolver},
    setting::{SecretSetting, Setting},
    url::{EndpointUrl, HttpUrl},
    value::Value,
};

/// One service: its API, and the client that the operator has there.
#[derive(Debug, Clone)]
pub struct ServiceSettings {
    /// Below which its requests go.
    pub url: HttpUrl,
    /// Both or neither.
    pub client_id: Option<String>,
    pub client_secret: Option<SecretString>,
    pub authorize_url: EndpointUrl,
    pub token_url: EndpointUrl,
    pub scopes: Vec<String>,
}

/// The services.
#[derive(Debug, Clone)]
pub struct IntegrationSettings {
    pub linear: ServiceSettings,
    pub sentry: ServiceSettings,
    pub slack: ServiceSettings,
    pub github: ServiceSettings,
    /// Whether the client at Slack is set up for PKCE.
    pub slack_pkce: bool,
    /// Both or neither.
    pub github_app_id: Option<String>,
    pub github_app_private_key: Option<SecretString>,
}

/// The public services. Scopes are what the built-in actions need.
impl Default for IntegrationSettings {
    fn default() -> Self {
        Self {
            linear: ServiceSettings::of(
                "https://api.linear.app/graphql",
                "https://linear.app/oauth/authorize",
                "https://api.linear.app/oauth/token",
                &["read", "write"],
            ),
            sentry: ServiceSettings::of(
                "https://sentry.io/api/0",
                "https://sentry.io/oauth/authorize/",
                "https://sentry.io/oauth/token/",
                &["org:read", "project:read", "event:read", "event:write"],
            ),
            slack: ServiceSettings::of(
                "https://slack.com/api",
                "https://slack.com/oauth/v2/authorize",
                "https://slack.com/api/oauth.v2.access",
                &["channels:read", "groups:read", "chat:write"],
            ),
            github: ServiceSettings::of(
                "https://api.github.com",
                "https://github.com/login/oauth/authorize",
                "https://github.com/login/oauth/access_token",
                &["repo"],
            ),
            slack_pkce: false,
            github_app_id: None,
            github_app_private_key: None,
        }
    }
}

impl IntegrationSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: IntegrationsFile) -> Self {
        let default = Self::default();
        Self {
            linear: default.linear.resolve(
                resolver,
                &LINEAR,
                ServiceFile {
                    url: file.linear_url,
                    client_id: file.linear_client_id,
                    client_secret_file: file.linear_client_secret_file,
                    authorize_url: file.linear_authorize_url,
                    token_url: file.linear_token_url,
                    scopes: file.linear_scopes,
                },
            ),
            sentry: default.sentry.resolve(
                resolver,
                &SENTRY,
                ServiceFile {
                    url: file.sentry_url,
                    client_id: file.sentry_client_id,
                    client_secret_file: file.sentry_client_secret_file,
                    authorize_url: file.sentry_authorize_url,
                    token_url: file.sentry_token_url,
                    scopes: file.sentry_scopes,
                },
            ),
            slack: default.slack.resolve(
                resolver,
                &SLACK,
                ServiceFile {
                    url: file.slack_url,
                    client_id: file.slack_client_id,
                    client_secret_file: file.slack_client_secret_file,
                    authorize_url: file.slack_authorize_url,
                    token_url: file.slack_token_url,
                    scopes: file.slack_scopes,
                },
            ),
            github: default.github.resolve(
                resolver,
                &GITHUB,
                ServiceFile {
                    url: file.github_url,
                    client_id: file.github_client_id,
                    client_secret_file: file.github_client_secret_file,
                    authorize_url: file.github_authorize_url,
                    token_url: file.github_token_url,
                    scopes: file.github_scopes,
                },
            ),
            slack_pkce: resolver
                .value(&SLACK_PKCE, file.slack_pkce, Switch(false))
                .0,
            github_app_id: resolver.optional(&GITHUB_APP_ID, file.github_app_id, NOT_SET),
            github_app_private_key: resolver
                .secret(&GITHUB_APP_PRIVATE_KEY, file.github_app_private_key_file),
        }
    }

    pub fn validate(&self) -> Vec<Complaint> {
        let app = halves(
            &GITHUB_APP_ID,
            self.github_app_id.is_some(),
            &GITHUB_APP_PRIVATE_KEY,
            self.github_app_private_key.is_some(),
        );
        let clients = self.services().into_iter().filter_map(|(keys, service)| {
            halves(
                &keys.client_id,
                service.client_id.is_some(),
                &keys.client_secret,
                service.client_secret.is_some(),
            )
        });
        clients.chain(app).collect()
    }

    fn services(&self) -> [(&'static ServiceKeys, &ServiceSettings); 4] {
        [
            (&LINEAR, &self.linear),
            (&SENTRY, &self.sentry),
            (&SLACK, &self.slack),
            (&GITHUB, &self.github),
        ]
    }
}

impl ServiceSettings {
    fn of(url: &str, authorize_url: &str, token_url: &str, scopes: &[&str]) -> Self {
        Self {
            url: HttpUrl::ours(url),
            client_id: None,
            client_secret: None,
            authorize_url: EndpointUrl::ours(authorize_url),
            token_url: EndpointUrl::ours(token_url),
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        }
    }

    fn resolve(self, resolver: &mut Resolver<'_>, keys: &ServiceKeys, file: ServiceFile) -> Self {
        let (scopes, default) = (Scopes(self.scopes), self.authorize_url);
        Self {
            url: resolver.value(&keys.url, file.url, self.url),
            client_id: resolver.optional(&keys.client_id, file.client_id, NOT_SET),
            client_secret: resolver.secret(&keys.client_secret, file.client_secret_file),
            authorize_url: resolver.value(&keys.authorize_url, file.authorize_url, default),
            token_url: resolver.value(&keys.token_url, file.token_url, self.token_url),
            scopes: resolver.value(&keys.scopes, file.scopes, scopes).0,
        }
    }
}

/// Complains about an id without its secret, or the other way round.
fn halves(
    id: &Setting,
    has_id: bool,
    secret: &SecretSetting,
    has_secret: bool,
) -> Option<Complaint> {
    let (missing, hint) = match (has_id, has_secret) {
        (true, false) => (
            secret.value.path,
            format!("set {}", secret.value.env[0].name),
        ),
        (false, true) => (id.path, format!("set {}", id.env[0].name)),
        _ => return None,
    };
    let set = if has_id { id.path } else { secret.value.path };
    Some(Complaint::new(
        set,
        format!("is set without `{missing}`"),
        format!("{hint}, or neither"),
    ))
}

/// `on` or `off`.
struct Switch(bool);

impl Value for Switch {
    fn parse(text: &str) -> Result<Self, Refusal> {
        match text {
            "on" => Ok(Self(true)),
            "off" => Ok(Self(false)),
            _ => Err(Refusal::new(
                format!("is {}", echo(text)),
                "write `on` or `off`",
            )),
        }
    }

    fn show(&self) -> String {
        if self.0 { "on" } else { "off" }.to_owned()
    }
}

/// A list separated by commas.
struct Scopes(Vec<String>);

impl Value for Scopes {
    fn parse(text: &str) -> Result<Self, Refusal> {
        let scopes = text.split(',').map(str::trim);
        let scopes: Vec<String> = scopes
            .filter(|scope| !scope.is_empty())
            .map(str::to_owned)
            .collect();
        let word = |scope: &String| scope.bytes().all(|b| b.is_ascii_graphic());
        if scopes.iter().all(word) {
            return Ok(Self(scopes));
        }
        Err(Refusal::new(
            "has a scope with a space in it",
            "separate scopes by commas, such as `read,write`",
        ))
    }

    fn show(&self) -> String {
        if self.0.is_empty() {
            return "(none)".to_owned();
        }
        self.0.join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_valid() {
        let settings = IntegrationSettings::default();
        assert_eq!(settings.validate(), []);
        for (_, service) in settings.services() {
            assert_eq!(
                HttpUrl::parse(service.url.as_str()).as_ref(),
                Ok(&service.url)
            );
            for url in [&service.authorize_url, &service.token_url] {
                assert_eq!(EndpointUrl::parse(url.as_str()).as_ref(), Ok(url));
            }
        }
    }

    #[test]
    fn half_a_client_is_complained_about() {
        let mut settings = IntegrationSettings::default();
        settings.slack.client_id = Some("1.2".to_owned());
        settings.github_app_private_key = Some("pem".into());
        let complaints = settings.validate();
        let paths: Vec<_> = complaints.iter().map(|c| c.setting).collect();
        let expected = [
            "integrations.slack_client_id",
            GITHUB_APP_PRIVATE_KEY.value.path,
        ];
        assert_eq!(paths, expected);
        settings.slack.client_secret = Some("hush".into());
        settings.github_app_id = Some("12".to_owned());
        assert_eq!(settings.validate(), []);
    }

    #[test]
    fn scopes_are_words() {
        assert_eq!(Scopes::parse("read, write,").unwrap().0, ["read", "write"]);
        assert!(Scopes::parse("").unwrap().0.is_empty());
        assert!(Scopes::parse("read write").is_err());
    }

    #[test]
    fn a_switch_is_on_or_off() {
        assert!(Switch::parse("on").unwrap().0);
        assert!(Switch::parse("yes").is_err());
    }
}
