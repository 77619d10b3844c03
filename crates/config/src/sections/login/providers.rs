//! The file of `login.oidc_providers_file`: identity providers, one table `[[provider]]` for each. Every mistake of the
//! file is reported with its line; no message repeats a text that may be a secret.

mod keys;
mod reader;
mod table;

use std::{collections::BTreeMap, path::Path};

use domain::{id::OrganizationId, role::Role};
use secrecy::SecretString;

pub use self::keys::providers_schema_json;
use self::table::TableReader;
use crate::{
    invalid::InvalidValue, resolve::Resolver, setting::Setting, sources::ValueSource, text_file,
    value::url::EndpointUrl,
};

/// An identity provider of the file.
#[derive(Debug, Clone)]
pub struct OidcProviderSettings {
    pub name: String,
    /// On the button of the login page.
    pub label: String,
    /// Exactly as the identity provider calls itself.
    pub issuer: EndpointUrl,
    pub client_id: String,
    /// Absent for a client that has none.
    pub client_secret: Option<SecretString>,
    /// Besides `openid`.
    pub scopes: Vec<String>,
    /// The domains that the provider is authoritative for, and where their users belong.
    pub domains: Vec<OidcDomainSettings>,
    /// Whether users who are not members yet may join.
    pub allows_sign_up: bool,
    /// The names on the way to the groups of a user in the ID token.
    pub groups_claim: Vec<String>,
    /// The role that a group stands for. Empty: the provider manages no roles.
    pub roles: BTreeMap<String, Role>,
    /// Whether a user without a mapped group is refused.
    pub requires_group: bool,
}

/// A domain of e-mail addresses, the organization of its users, and their role without a mapped group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcDomainSettings {
    /// In lower case; `*` for every domain that no provider lists.
    pub domain: String,
    pub organization: OrganizationId,
    pub role: Role,
}

/// Reads the file that the settings name, if they name one.
pub(super) fn resolve(
    resolver: &mut Resolver<'_>,
    setting: &'static Setting,
) -> Vec<OidcProviderSettings> {
    let Some((path, source)) = resolver.path(setting) else {
        let absence = setting.default.absence();
        resolver.record(setting.path, absence, ValueSource::Default);
        return Vec::new();
    };
    let shown = path.display().to_string();
    resolver.record(setting.path, shown, source.clone());
    match text_file::read(&path) {
        Ok(text) => read(resolver, &path, &text),
        Err(why) => {
            let hint = "name a TOML file with tables `[[provider]]`";
            let invalid = InvalidValue::new(why, hint);
            resolver.report(setting.path, source, invalid);
            Vec::new()
        }
    }
}

fn read(resolver: &mut Resolver<'_>, path: &Path, text: &str) -> Vec<OidcProviderSettings> {
    let env = |name: &str| resolver.variable(name);
    let mut reader = TableReader::new(path, text, &env);
    let providers = reader.read(text);
    let mut problems = reader.into_problems();
    resolver.problems.append(&mut problems);
    providers
}
