//! `[integrations]`: of each built-in source its address, and the client with which organizations connect it.

mod file;
mod keys;

use domain::source::SourceDeclaration;
use secrecy::SecretString;

pub(crate) use self::file::{IntegrationsFile, properties};
pub use self::keys::{AppKeys, SourceKeys};
use crate::{
    error::{Complaint, Refusal, echo},
    resolve::{NOT_SET, Resolver},
    setting::{SecretSetting, Setting},
    url::{EndpointUrl, HttpUrl},
    value::Value,
};

/// One source: its API, and the client and the app that the operator has there.
#[derive(Debug, Clone)]
pub struct SourceSettings {
    pub source: &'static SourceDeclaration,
    /// Below which its requests go.
    pub url: HttpUrl,
    /// Both or neither.
    pub client_id: Option<String>,
    pub client_secret: Option<SecretString>,
    pub authorize_url: EndpointUrl,
    pub token_url: EndpointUrl,
    pub scopes: Vec<String>,
    /// Whether the operator says that the client is set up for PKCE, where that is a question.
    pub pkce: bool,
    /// Both or neither.
    pub app_id: Option<String>,
    pub app_private_key: Option<SecretString>,
}

/// The built-in sources.
#[derive(Debug, Clone, Default)]
pub struct IntegrationSettings {
    pub sources: Vec<SourceSettings>,
}

impl IntegrationSettings {
    pub fn of(&self, name: &str) -> Option<&SourceSettings> {
        self.sources.iter().find(|it| it.source.name == name)
    }

    pub(crate) fn resolve(
        resolver: &mut Resolver<'_>,
        sources: &[SourceKeys],
        mut file: IntegrationsFile,
    ) -> Self {
        let common = |keys| SourceSettings::resolve(resolver, keys, &mut file);
        let mut resolved: Vec<SourceSettings> = sources.iter().map(common).collect();
        for (keys, settings) in sources.iter().zip(&mut resolved) {
            settings.resolve_special(resolver, keys, &mut file);
        }
        Self { sources: resolved }
    }

    pub(crate) fn validate(&self, sources: &[SourceKeys]) -> Vec<Complaint> {
        let of = |keys: &SourceKeys| {
            let settings = self.of(keys.source.name)?;
            Some((keys.clone(), settings))
        };
        let known: Vec<_> = sources.iter().filter_map(of).collect();
        let clients = known.iter().filter_map(|(keys, settings)| {
            let (id, secret) = (&settings.client_id, &settings.client_secret);
            let has = (id.is_some(), secret.is_some());
            halves(&keys.client_id, &keys.client_secret, has)
        });
        let apps = known.iter().filter_map(|(keys, settings)| {
            let app = keys.app.as_ref()?;
            let (id, key) = (&settings.app_id, &settings.app_private_key);
            halves(&app.id, &app.private_key, (id.is_some(), key.is_some()))
        });
        clients.chain(apps).collect()
    }
}

impl SourceSettings {
    /// The public service, without a client.
    pub fn public(source: &'static SourceDeclaration) -> Self {
        let oauth = &source.oauth;
        Self {
            source,
            url: HttpUrl::ours(source.api_url),
            client_id: None,
            client_secret: None,
            authorize_url: EndpointUrl::ours(oauth.authorize_url),
            token_url: EndpointUrl::ours(oauth.token_url),
            scopes: oauth.scopes.iter().map(|it| (*it).to_owned()).collect(),
            pkce: false,
            app_id: None,
            app_private_key: None,
        }
    }

    fn resolve(
        resolver: &mut Resolver<'_>,
        keys: &SourceKeys,
        file: &mut IntegrationsFile,
    ) -> Self {
        let public = Self::public(keys.source);
        Self {
            url: resolver.value(&keys.url, file.take(&keys.url), public.url),
            client_id: resolver.optional(&keys.client_id, file.take(&keys.client_id), NOT_SET),
            client_secret: resolver.secret(
                &keys.client_secret,
                file.take_text(&keys.client_secret.file),
            ),
            authorize_url: resolver.value(
                &keys.authorize_url,
                file.take(&keys.authorize_url),
                public.authorize_url,
            ),
            token_url: resolver.value(
                &keys.token_url,
                file.take(&keys.token_url),
                public.token_url,
            ),
            scopes: resolver
                .value(&keys.scopes, file.take(&keys.scopes), Scopes(public.scopes))
                .0,
            ..Self::public(keys.source)
        }
    }

    /// What only some sources have: after all that each has, as `config check` lists it.
    fn resolve_special(
        &mut self,
        resolver: &mut Resolver<'_>,
        keys: &SourceKeys,
        file: &mut IntegrationsFile,
    ) {
        if let Some(pkce) = &keys.pkce {
            self.pkce = resolver.value(pkce, file.take(pkce), Switch(false)).0;
        }
        if let Some(app) = &keys.app {
            self.app_id = resolver.optional(&app.id, file.take(&app.id), NOT_SET);
            let key_file = file.take_text(&app.private_key.file);
            self.app_private_key = resolver.secret(&app.private_key, key_file);
        }
    }
}

/// Complains about an id without its secret, or the other way round.
fn halves(
    id: &Setting,
    secret: &SecretSetting,
    (has_id, has_secret): (bool, bool),
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
    use crate::tests::catalog;

    fn public() -> IntegrationSettings {
        let sources = catalog().sources().iter();
        IntegrationSettings {
            sources: sources
                .map(|keys| SourceSettings::public(keys.source))
                .collect(),
        }
    }

    #[test]
    fn the_defaults_are_valid() {
        let settings = public();
        assert_eq!(settings.validate(catalog().sources()), []);
        for source in &settings.sources {
            assert_eq!(
                HttpUrl::parse(source.url.as_str()).as_ref(),
                Ok(&source.url)
            );
            for url in [&source.authorize_url, &source.token_url] {
                assert_eq!(EndpointUrl::parse(url.as_str()).as_ref(), Ok(url));
            }
        }
    }

    #[test]
    fn half_a_client_is_complained_about() {
        let mut settings = public();
        let mut set = |name: &str, change: fn(&mut SourceSettings)| {
            let source = settings.sources.iter_mut();
            let mut source = source.filter(|it| it.source.name == name);
            change(source.next().unwrap());
            settings.validate(catalog().sources())
        };
        set("slack", |it| it.client_id = Some("1.2".to_owned()));
        let complaints = set("github", |it| it.app_private_key = Some("pem".into()));
        let paths: Vec<_> = complaints.iter().map(|c| c.setting).collect();
        let expected = [
            "integrations.slack_client_id",
            "integrations.github_app_private_key",
        ];
        assert_eq!(paths, expected);
        set("slack", |it| it.client_secret = Some("hush".into()));
        assert_eq!(set("github", |it| it.app_id = Some("12".to_owned())), []);
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
