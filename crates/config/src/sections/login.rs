//! `[login]`: the identity provider of users who log in (OpenID Connect), and what new users become here.

mod bounds;
mod providers;

pub use self::{
    bounds::{DEFAULT_PROVIDER, EVERY_DOMAIN},
    providers::{OidcDomainSettings, OidcProviderSettings, providers_schema_json},
};

use self::bounds::{DOMAINS_MAX, is_domain};
use domain::{id::OrganizationId, role::Role};
use secrecy::SecretString;

use crate::{
    invalid::{InvalidSetting, InvalidValue, echo},
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, SecretSetting, Section, SectionEntry, Setting, ValueKind},
    value::{SettingValue, url::EndpointUrl},
};

pub const OIDC_ISSUER: Setting = Setting {
    path: "login.oidc_issuer",
    flag: "--oidc-issuer",
    env: &[EnvVar::new("PROLIFERATE_OIDC_ISSUER", "0.1.0")],
    kind: ValueKind::Url,
    default: DefaultValue::Unset,
    help: "URL of the identity provider; without one users log in by link, token or key.",
};
pub const OIDC_CLIENT_ID: Setting = Setting {
    path: "login.oidc_client_id",
    flag: "--oidc-client-id",
    env: &[EnvVar::new("PROLIFERATE_OIDC_CLIENT_ID", "0.1.0")],
    kind: ValueKind::Text,
    default: DefaultValue::Unset,
    help: "The id that the identity provider gave to this gateway.",
};
pub const OIDC_CLIENT_SECRET: SecretSetting = SecretSetting {
    value: Setting {
        path: "login.oidc_client_secret",
        flag: "",
        env: &[EnvVar::new("PROLIFERATE_OIDC_CLIENT_SECRET", "0.1.0")],
        kind: ValueKind::Secret,
        default: DefaultValue::Unset,
        help: "The secret that goes with that id, if the identity provider gave one.",
    },
    file: Setting {
        path: "login.oidc_client_secret_file",
        flag: "--oidc-client-secret-file",
        env: &[EnvVar::new("PROLIFERATE_OIDC_CLIENT_SECRET_FILE", "0.1.0")],
        kind: ValueKind::FileBesideFile,
        default: DefaultValue::Unset,
        help: "File that holds the secret that goes with that id.",
    },
};
pub const OIDC_SCOPES: Setting = Setting {
    path: "login.oidc_scopes",
    flag: "--oidc-scopes",
    env: &[EnvVar::new("PROLIFERATE_OIDC_SCOPES", "0.1.0")],
    kind: ValueKind::Texts,
    default: DefaultValue::Text("email,profile"),
    help: "Scopes that the gateway requests besides `openid`.",
};
pub const OIDC_ALLOWED_DOMAINS: Setting = Setting {
    path: "login.oidc_allowed_domains",
    flag: "--oidc-allowed-domains",
    env: &[EnvVar::new("PROLIFERATE_OIDC_ALLOWED_DOMAINS", "0.1.0")],
    kind: ValueKind::Texts,
    default: DefaultValue::Text(""),
    help: "Domains of the e-mail addresses of users who may join; `*` for every user of the identity provider.",
};
pub const OIDC_ORGANIZATION: Setting = Setting {
    path: "login.oidc_organization",
    flag: "--oidc-organization",
    env: &[EnvVar::new("PROLIFERATE_OIDC_ORGANIZATION", "0.1.0")],
    kind: ValueKind::Text,
    default: DefaultValue::Unset,
    help: "The organization that new users join.",
};
pub const OIDC_ROLE: Setting = Setting {
    path: "login.oidc_role",
    flag: "--oidc-role",
    env: &[EnvVar::new("PROLIFERATE_OIDC_ROLE", "0.1.0")],
    kind: ValueKind::Choice("member|admin|owner"),
    default: DefaultValue::Text("member"),
    help: "The role of new users in it.",
};
pub const OIDC_PROVIDERS_FILE: Setting = Setting {
    path: "login.oidc_providers_file",
    flag: "--oidc-providers-file",
    env: &[EnvVar::new("PROLIFERATE_OIDC_PROVIDERS_FILE", "0.1.0")],
    kind: ValueKind::FileBesideFile,
    default: DefaultValue::Unset,
    help: "TOML file with more identity providers, one table `[[provider]]` for each.",
};

pub(crate) const SECTION: Section = Section {
    name: "login",
    heading: "Login",
    entries: &[
        SectionEntry::Open(OIDC_ISSUER),
        SectionEntry::Open(OIDC_CLIENT_ID),
        SectionEntry::Secret(OIDC_CLIENT_SECRET),
        SectionEntry::Open(OIDC_SCOPES),
        SectionEntry::Open(OIDC_ALLOWED_DOMAINS),
        SectionEntry::Open(OIDC_ORGANIZATION),
        SectionEntry::Open(OIDC_ROLE),
        SectionEntry::Open(OIDC_PROVIDERS_FILE),
    ],
    other_variables: &[],
};

/// The identity providers: the one of the settings `oidc_*`, if there is an issuer, and those of the file.
#[derive(Debug, Clone)]
pub struct LoginSettings {
    /// Exactly as the identity provider calls itself.
    pub oidc_issuer: Option<EndpointUrl>,
    pub oidc_client_id: Option<String>,
    /// Absent for a client that has none.
    pub oidc_client_secret: Option<SecretString>,
    /// Besides `openid`.
    pub oidc_scopes: Vec<String>,
    /// Domains of the addresses of users who may join; `*` for every user.
    pub oidc_allowed_domains: Vec<String>,
    /// The organization that new users join.
    pub oidc_organization: Option<String>,
    /// The role of new users in it.
    pub oidc_role: Role,
    /// Those of the file.
    pub oidc_providers: Vec<OidcProviderSettings>,
}

impl LoginSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        Self {
            oidc_issuer: resolver.optional(&OIDC_ISSUER),
            oidc_client_id: resolver.optional(&OIDC_CLIENT_ID),
            oidc_client_secret: resolver.secret(&OIDC_CLIENT_SECRET),
            oidc_scopes: resolver.value(&OIDC_SCOPES),
            oidc_allowed_domains: resolver.value(&OIDC_ALLOWED_DOMAINS),
            oidc_organization: resolver.optional(&OIDC_ORGANIZATION),
            oidc_role: resolver.value(&OIDC_ROLE),
            oidc_providers: providers::resolve(resolver, &OIDC_PROVIDERS_FILE),
        }
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        let mut found = Vec::new();
        if self.oidc_issuer.is_none() {
            return found;
        }
        let needed = [
            (
                &OIDC_CLIENT_ID,
                self.oidc_client_id.is_none(),
                "write the id that the issuer gave to this gateway",
            ),
            (
                &OIDC_ORGANIZATION,
                self.oidc_organization.is_none(),
                "write the id of the organization that new users join",
            ),
            (
                &OIDC_ALLOWED_DOMAINS,
                self.oidc_allowed_domains.is_empty(),
                "list the domains of your users' addresses, or `*` for every user of the issuer",
            ),
        ];
        for (setting, is_missing, hint) in needed {
            if is_missing {
                let message = format!("is needed with `{}`", OIDC_ISSUER.path);
                found.push(InvalidSetting::new(setting.path, message, hint));
            }
        }
        if let Some(id) = &self.oidc_organization
            && OrganizationId::new(id.as_str()).is_err()
        {
            let hint = "write the id of an organization, such as `org_acme`";
            found.push(InvalidSetting::new(
                OIDC_ORGANIZATION.path,
                "is no id",
                hint,
            ));
        }
        let domains = &self.oidc_allowed_domains;
        if domains.len() > DOMAINS_MAX || !domains.iter().all(|text| is_domain(text)) {
            let hint = "list domains in lower case, such as `acme.example`, or `*`";
            found.push(InvalidSetting::new(
                OIDC_ALLOWED_DOMAINS.path,
                "is no list of domains",
                hint,
            ));
        }
        found
    }
}

impl SettingValue for Role {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        text.parse().map_err(|_| {
            InvalidValue::new(
                format!("is {}", echo(text)),
                "write `member`, `admin` or `owner`",
            )
        })
    }

    fn show(&self) -> String {
        self.to_string()
    }
}
