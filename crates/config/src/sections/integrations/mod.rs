//! `[integrations]`: of each built-in source its address, and the client with which organizations connect it.

mod table;

use domain::source::SourceDeclaration;
use secrecy::SecretString;

pub use self::table::{AppSettingTable, SourceSettingTable};
use crate::{
    invalid::{InvalidSetting, InvalidValue},
    resolve::Resolver,
    setting::{SecretSetting, Section, SectionEntry, Setting},
    value::{
        ListItem,
        url::{EndpointUrl, HttpUrl},
        word_values,
    },
};

/// One source: its API, and the client and the app that the operator has there.
#[derive(Debug, Clone)]
pub struct SourceSettings {
    pub source: &'static SourceDeclaration,
    /// The base of its requests.
    pub url: HttpUrl,
    /// Both or neither.
    pub client_id: Option<String>,
    pub client_secret: Option<SecretString>,
    pub authorize_url: EndpointUrl,
    pub token_url: EndpointUrl,
    pub scopes: Vec<String>,
    /// Whether the client takes PKCE, for a source that leaves this to its operator.
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

/// The section of these sources: the settings that all of them have, then those that only some have.
pub(crate) fn section(sources: &[SourceSettingTable]) -> Section {
    let common = sources.iter().flat_map(SourceSettingTable::common);
    let special = sources.iter().flat_map(SourceSettingTable::special);
    let entries: Vec<SectionEntry> = common.chain(special).collect();
    Section {
        name: "integrations",
        heading: "Integrations",
        // Like the declarations themselves, which live as long as the process.
        entries: entries.leak(),
        other_variables: &[],
    }
}

impl IntegrationSettings {
    /// The public services of these sources, without clients.
    pub fn defaults(sources: impl IntoIterator<Item = &'static SourceDeclaration>) -> Self {
        let tables: Vec<_> = sources.into_iter().map(SourceSettingTable::of).collect();
        Resolver::defaults(|resolver| Self::resolve(resolver, &tables))
    }

    /// Returns the settings of the source of this name.
    pub fn source(&self, name: &str) -> Option<&SourceSettings> {
        self.sources.iter().find(|it| it.source.name == name)
    }

    pub(crate) fn resolve(resolver: &mut Resolver<'_>, sources: &[SourceSettingTable]) -> Self {
        let common = |table| SourceSettings::resolve_common(resolver, table);
        let mut resolved: Vec<SourceSettings> = sources.iter().map(common).collect();
        for (table, settings) in sources.iter().zip(&mut resolved) {
            settings.resolve_special(resolver, table);
        }
        Self { sources: resolved }
    }

    pub(crate) fn validate(&self, sources: &[SourceSettingTable]) -> Vec<InvalidSetting> {
        let of = |table: &SourceSettingTable| {
            let settings = self.source(table.source.name)?;
            Some((table.clone(), settings))
        };
        let known: Vec<_> = sources.iter().filter_map(of).collect();
        let clients = known.iter().filter_map(|(table, settings)| {
            let (id, secret) = (&settings.client_id, &settings.client_secret);
            let has = (id.is_some(), secret.is_some());
            check_both_or_neither(&table.client_id, &table.client_secret, has)
        });
        let apps = known.iter().filter_map(|(table, settings)| {
            let app = table.app.as_ref()?;
            let has = (
                settings.app_id.is_some(),
                settings.app_private_key.is_some(),
            );
            check_both_or_neither(&app.id, &app.private_key, has)
        });
        clients.chain(apps).collect()
    }
}

impl SourceSettings {
    fn resolve_common(resolver: &mut Resolver<'_>, table: &SourceSettingTable) -> Self {
        Self {
            source: table.source,
            url: resolver.value(&table.url),
            client_id: resolver.optional(&table.client_id),
            client_secret: resolver.secret(&table.client_secret),
            authorize_url: resolver.value(&table.authorize_url),
            token_url: resolver.value(&table.token_url),
            scopes: {
                let scopes: Vec<OAuthScope> = resolver.value(&table.scopes);
                scopes.into_iter().map(|OAuthScope(text)| text).collect()
            },
            pkce: false,
            app_id: None,
            app_private_key: None,
        }
    }

    /// Resolves what only some sources have: after all that each has, as `config check` lists it.
    fn resolve_special(&mut self, resolver: &mut Resolver<'_>, table: &SourceSettingTable) {
        if let Some(pkce) = &table.pkce {
            self.pkce = resolver.value::<PkceSwitch>(pkce) == PkceSwitch::On;
        }
        if let Some(app) = &table.app {
            self.app_id = resolver.optional(&app.id);
            self.app_private_key = resolver.secret(&app.private_key);
        }
    }
}

/// Checks that an id is set with its secret, and a secret with its id.
fn check_both_or_neither(
    id: &Setting,
    secret: &SecretSetting,
    (has_id, has_secret): (bool, bool),
) -> Option<InvalidSetting> {
    let (set, missing) = match (has_id, has_secret) {
        (true, false) => (id, &secret.value),
        (false, true) => (&secret.value, id),
        _ => return None,
    };
    Some(InvalidSetting::new(
        set.path,
        format!("is set without `{}`", missing.path),
        format!("set {}, or neither", missing.env[0].name),
    ))
}

/// Whether the client takes PKCE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PkceSwitch {
    On,
    Off,
}

word_values!(PkceSwitch { "on" => On, "off" => Off }, "write `on` or `off`");

/// A scope that the gateway requests of a source.
struct OAuthScope(String);

impl ListItem for OAuthScope {
    fn parse_item(text: &str) -> Result<Self, InvalidValue> {
        if text.bytes().all(|b| b.is_ascii_graphic()) {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidValue::new(
            "has a scope with a space in it",
            "separate scopes by commas, such as `read,write`",
        ))
    }

    fn show_item(&self) -> String {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{tests::catalog, value::SettingValue as _};

    fn defaults() -> IntegrationSettings {
        Resolver::defaults(|it| IntegrationSettings::resolve(it, catalog().sources()))
    }

    #[test]
    fn the_defaults_are_the_declared_addresses() {
        let settings = defaults();
        assert_eq!(settings.validate(catalog().sources()), []);
        for found in &settings.sources {
            let declared = found.source;
            assert_eq!(found.url.as_str(), declared.api_url);
            assert_eq!(found.authorize_url.as_str(), declared.oauth.authorize_url);
            assert_eq!(found.token_url.as_str(), declared.oauth.token_url);
            assert_eq!(found.scopes, declared.oauth.scopes);
        }
    }

    #[test]
    fn half_a_client_is_invalid() {
        let mut settings = defaults();
        let mut set = |name: &str, change: fn(&mut SourceSettings)| {
            let source = settings.sources.iter_mut();
            let mut source = source.filter(|it| it.source.name == name);
            change(source.next().unwrap());
            settings.validate(catalog().sources())
        };
        set("slack", |it| it.client_id = Some("1.2".to_owned()));
        let invalid = set("github", |it| it.app_private_key = Some("pem".into()));
        let paths: Vec<_> = invalid.iter().map(|it| it.setting).collect();
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
        let shown = |text| Vec::<OAuthScope>::parse(text).map(|scopes| scopes.show());
        assert_eq!(shown("read, write,"), Ok("read,write".to_owned()));
        assert_eq!(shown(""), Ok("(none)".to_owned()));
        assert!(shown("read write").is_err());
    }

    #[test]
    fn a_switch_is_on_or_off() {
        assert_eq!(PkceSwitch::parse("on"), Ok(PkceSwitch::On));
        assert!(PkceSwitch::parse("yes").is_err());
    }
}
