//! Reads the tables of the file. What is wrong becomes a problem with its line, and reading goes on to find the rest.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use domain::{id::OrganizationId, role::Role};
use secrecy::SecretString;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    OidcDomainSettings, OidcProviderSettings,
    keys::{DOMAIN, PROVIDER},
    table::{NamedTable, TEXT_LENGTH_MAX, TableReader},
};
use crate::{
    resolve::read_secret,
    sections::login::bounds::{
        CLAIM_PATH_MAX, DEFAULT_PROVIDER, DOMAINS_MAX, PROVIDERS_MAX, ROLES_MAX, is_domain,
    },
    value::{SettingValue as _, url::EndpointUrl},
};

/// Letters of a provider's name.
const NAME_LENGTH_MAX: usize = 40;
/// Characters on a button.
const LABEL_LENGTH_MAX: usize = 60;
/// Scopes of one provider.
const SCOPES_MAX: usize = 20;

impl TableReader<'_> {
    pub(super) fn read(&mut self, text: &str) -> Vec<OidcProviderSettings> {
        let (parsed, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let message = format!("the file is not TOML: {}", error.message());
            self.report("", error.span(), message, "");
        }
        if !errors.is_empty() {
            return Vec::new();
        }
        let mut tables = Vec::new();
        for (name, value) in parsed.get_ref() {
            let span = name.span();
            match value.get_ref() {
                DeValue::Array(items) if name.get_ref() == "provider" => {
                    if items.len() > PROVIDERS_MAX {
                        let message = format!("has more than {PROVIDERS_MAX} tables");
                        self.report("provider", Some(span), message, "remove providers");
                    }
                    tables.extend(items.iter().take(PROVIDERS_MAX));
                }
                _ => {
                    let message = "is not a list of tables `[[provider]]`";
                    let hint = "begin each provider with a line `[[provider]]`";
                    self.report(name.get_ref(), Some(span), message, hint);
                }
            }
        }
        let mut names = BTreeSet::new();
        let numbered = tables.into_iter().enumerate();
        numbered
            .filter_map(|(index, value)| self.provider(index, value, &mut names))
            .collect()
    }

    fn provider(
        &mut self,
        index: usize,
        value: &Spanned<DeValue<'_>>,
        names: &mut BTreeSet<String>,
    ) -> Option<OidcProviderSettings> {
        let stated = value.get_ref().get("name");
        let stated = stated.and_then(|name| name.get_ref().as_str());
        let called = match stated.filter(|name| is_name(name)) {
            Some(name) => format!("provider.{name}"),
            None => format!("provider.{}", index + 1),
        };
        let table = self.table(called, value, &PROVIDER)?;
        let name = self.text(&table, "name", NAME_LENGTH_MAX);
        let name = name.and_then(|name| self.name(&table, name, names));
        let label = self.text(&table, "label", LABEL_LENGTH_MAX);
        let issuer = self.text(&table, "issuer", TEXT_LENGTH_MAX);
        let issuer = issuer.and_then(|text| match EndpointUrl::parse(&text) {
            Ok(issuer) => Some(issuer),
            Err(invalid) => {
                self.report_of(&table, "issuer", invalid.message, &invalid.hint);
                None
            }
        });
        let client_id = self.text(&table, "client_id", TEXT_LENGTH_MAX);
        let client_secret = self.client_secret(&table);
        let scopes = self.texts(&table, "scopes", SCOPES_MAX);
        let domains = self.domains(&table);
        let roles = self.roles(&table);
        let requires_group = self.flag(&table, "require_group", false);
        if requires_group && roles.is_empty() {
            let hint = "name the groups in a table `[provider.roles]`";
            self.report_of(&table, "require_group", "needs groups in `roles`", hint);
        }
        let groups_claim = self.texts(&table, "groups_claim", CLAIM_PATH_MAX);
        let allows_sign_up = self.flag(&table, "sign_up", true);
        let default_scopes = || vec!["email".to_owned(), "profile".to_owned()];
        Some(OidcProviderSettings {
            name: name?,
            label: label?,
            issuer: issuer?,
            client_id: client_id?,
            client_secret,
            scopes: scopes.unwrap_or_else(default_scopes),
            domains,
            allows_sign_up,
            groups_claim: groups_claim.unwrap_or_else(|| vec!["groups".to_owned()]),
            roles,
            requires_group,
        })
    }

    fn name(
        &mut self,
        table: &NamedTable<'_>,
        name: String,
        names: &mut BTreeSet<String>,
    ) -> Option<String> {
        let (message, hint) = if !is_name(&name) {
            (
                "is not a valid name",
                "write lower-case letters, digits, `-` and `_`, such as `staff`",
            )
        } else if name == DEFAULT_PROVIDER {
            (
                "is the name of the provider of `login.oidc_issuer`",
                "write another name",
            )
        } else if !names.insert(name.clone()) {
            ("is the name of a provider above", "write another name")
        } else {
            return Some(name);
        };
        self.report_of(table, "name", message, hint);
        None
    }

    fn client_secret(&mut self, table: &NamedTable<'_>) -> Option<SecretString> {
        let (file, env) = ("client_secret_file", "client_secret_env");
        let path = self.text(table, file, usize::from(u16::MAX));
        let variable = self.text(table, env, TEXT_LENGTH_MAX);
        if path.is_some() && variable.is_some() {
            let message = "is set beside `client_secret_file`";
            self.report_of(table, env, message, "keep one of the two");
            return None;
        }
        if let Some(name) = variable {
            let found = (self.env)(&name);
            if found.is_none() {
                let hint = "set that environment variable to the client secret";
                self.report_of(table, env, "names a variable that is not set", hint);
            }
            return found.map(SecretString::from);
        }
        let path = PathBuf::from(path?);
        let directory = self.path.parent();
        let path = directory.map_or_else(|| path.clone(), |directory| directory.join(&path));
        match read_secret(&path) {
            Ok(secret) => Some(secret),
            Err(invalid) => {
                self.report_of(table, file, invalid.message, &invalid.hint);
                None
            }
        }
    }

    fn domains(&mut self, table: &NamedTable<'_>) -> Vec<OidcDomainSettings> {
        let Some(value) = table.get("domains") else {
            return Vec::new();
        };
        let hint = "write `domains = [{ domain = \"acme.example\", organization = \"org_acme\" }]`";
        let DeValue::Array(items) = value.get_ref() else {
            self.report_of(table, "domains", "is not a list", hint);
            return Vec::new();
        };
        if items.is_empty() || items.len() > DOMAINS_MAX {
            let message = format!("must have between 1 and {DOMAINS_MAX} entries");
            self.report_of(table, "domains", message, hint);
        }
        let mut seen = BTreeSet::new();
        let items = items.iter().take(DOMAINS_MAX).enumerate();
        items
            .filter_map(|(index, item)| {
                let called = format!("{}.domains.{}", table.called, index + 1);
                let entry = self.table(called, item, &DOMAIN)?;
                self.domain(&entry, &mut seen)
            })
            .collect()
    }

    fn domain(
        &mut self,
        entry: &NamedTable<'_>,
        seen: &mut BTreeSet<String>,
    ) -> Option<OidcDomainSettings> {
        let domain = self.text(entry, "domain", TEXT_LENGTH_MAX);
        let organization = self.text(entry, "organization", TEXT_LENGTH_MAX);
        let role = entry
            .get("role")
            .and_then(|value| self.role(&format!("{}.role", entry.called), value));
        let (domain, organization) = domain.zip(organization)?;
        if !is_domain(&domain) {
            let hint = "write one domain in lower case, such as `acme.example`, or `*`";
            self.report_of(entry, "domain", "is no domain", hint);
        } else if !seen.insert(domain.clone()) {
            self.report_of(entry, "domain", "is listed twice", "remove one of the two");
        }
        let Ok(organization) = OrganizationId::new(organization) else {
            let hint = "write the id of an organization, such as `org_acme`";
            self.report_of(entry, "organization", "is no id", hint);
            return None;
        };
        Some(OidcDomainSettings {
            domain,
            organization,
            role: role.unwrap_or(Role::Member),
        })
    }

    fn roles(&mut self, table: &NamedTable<'_>) -> BTreeMap<String, Role> {
        let mut roles = BTreeMap::new();
        let Some(value) = table.get("roles") else {
            return roles;
        };
        let DeValue::Table(groups) = value.get_ref() else {
            let hint =
                "write a table `[provider.roles]` with lines such as `\"admins\" = \"admin\"`";
            self.report_of(table, "roles", "is not a table", hint);
            return roles;
        };
        if groups.len() > ROLES_MAX {
            let message = format!("has more than {ROLES_MAX} groups");
            self.report_of(table, "roles", message, "remove groups");
        }
        let called = format!("{}.roles", table.called);
        for (group, value) in groups.iter().take(ROLES_MAX) {
            let name = group.get_ref().as_ref();
            if name.is_empty() || name.len() > TEXT_LENGTH_MAX {
                let message = format!("has a group without 1 to {TEXT_LENGTH_MAX} bytes");
                self.report(&called, Some(group.span()), message, "");
            } else if let Some(role) = self.role(&format!("{called}.{name}"), value) {
                roles.insert(name.to_owned(), role);
            }
        }
        roles
    }

    fn role(&mut self, called: &str, value: &Spanned<DeValue<'_>>) -> Option<Role> {
        let role = value.get_ref().as_str().and_then(|text| text.parse().ok());
        if role.is_none() {
            let hint = "write `member`, `admin` or `owner`";
            self.report(called, Some(value.span()), "is no role", hint);
        }
        role
    }
}

fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    let is_short = (1..=NAME_LENGTH_MAX).contains(&text.len());
    is_short && text.chars().all(is_letter) && !text.starts_with(['-', '_'])
}
