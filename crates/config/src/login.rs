//! `[login]`: the service that vouches for people who log in (OpenID Connect), and what they become here.

use domain::{id::OrganizationId, role::Role};
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::Deserialize;

use crate::{
    env,
    error::{Complaint, Refusal, echo},
    resolve::{NOT_SET, Resolver},
    setting::{SecretSetting, Setting},
    url::EndpointUrl,
    value::Value,
};

pub const OIDC_ISSUER: Setting = Setting {
    path: "login.oidc_issuer",
    flag: "--oidc-issuer",
    env: &[env::OIDC_ISSUER],
};
pub const OIDC_CLIENT_ID: Setting = Setting {
    path: "login.oidc_client_id",
    flag: "--oidc-client-id",
    env: &[env::OIDC_CLIENT_ID],
};
pub const OIDC_CLIENT_SECRET: SecretSetting = SecretSetting {
    value: Setting {
        path: "login.oidc_client_secret",
        flag: "",
        env: &[env::OIDC_CLIENT_SECRET],
    },
    file: Setting {
        path: "login.oidc_client_secret_file",
        flag: "--oidc-client-secret-file",
        env: &[env::OIDC_CLIENT_SECRET_FILE],
    },
};
pub const OIDC_SCOPES: Setting = Setting {
    path: "login.oidc_scopes",
    flag: "--oidc-scopes",
    env: &[env::OIDC_SCOPES],
};
pub const OIDC_ALLOWED_DOMAINS: Setting = Setting {
    path: "login.oidc_allowed_domains",
    flag: "--oidc-allowed-domains",
    env: &[env::OIDC_ALLOWED_DOMAINS],
};
pub const OIDC_ORGANIZATION: Setting = Setting {
    path: "login.oidc_organization",
    flag: "--oidc-organization",
    env: &[env::OIDC_ORGANIZATION],
};
pub const OIDC_ROLE: Setting = Setting {
    path: "login.oidc_role",
    flag: "--oidc-role",
    env: &[env::OIDC_ROLE],
};

/// Domains of one organization's addresses.
const DOMAINS_MAX: usize = 100;
/// Stands for everybody the service vouches for.
const EVERYBODY: &str = "*";

/// The service that vouches for people. Without an issuer there is none.
#[derive(Debug, Clone)]
pub struct LoginSettings {
    /// Exactly as the service calls itself.
    pub oidc_issuer: Option<EndpointUrl>,
    pub oidc_client_id: Option<String>,
    /// Absent for a client that has none.
    pub oidc_client_secret: Option<SecretString>,
    /// Besides `openid`.
    pub oidc_scopes: Vec<String>,
    /// Domains of addresses that let new people in; `*` for everybody the service vouches for.
    pub oidc_allowed_domains: Vec<String>,
    /// The organization that new people belong to.
    pub oidc_organization: Option<String>,
    /// What new people are in it.
    pub oidc_role: Role,
}

impl Default for LoginSettings {
    fn default() -> Self {
        Self {
            oidc_issuer: None,
            oidc_client_id: None,
            oidc_client_secret: None,
            oidc_scopes: vec!["email".to_owned(), "profile".to_owned()],
            oidc_allowed_domains: Vec::new(),
            oidc_organization: None,
            oidc_role: Role::Member,
        }
    }
}

impl LoginSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: LoginFile) -> Self {
        let default = Self::default();
        Self {
            oidc_issuer: resolver.optional(&OIDC_ISSUER, file.oidc_issuer, NOT_SET),
            oidc_client_id: resolver.optional(&OIDC_CLIENT_ID, file.oidc_client_id, NOT_SET),
            oidc_client_secret: resolver.secret(&OIDC_CLIENT_SECRET, file.oidc_client_secret_file),
            oidc_scopes: resolver
                .value(&OIDC_SCOPES, file.oidc_scopes, Words(default.oidc_scopes))
                .0,
            oidc_allowed_domains: resolver
                .value(
                    &OIDC_ALLOWED_DOMAINS,
                    file.oidc_allowed_domains,
                    Words::default(),
                )
                .0,
            oidc_organization: resolver.optional(
                &OIDC_ORGANIZATION,
                file.oidc_organization,
                NOT_SET,
            ),
            oidc_role: resolver
                .value(&OIDC_ROLE, file.oidc_role, NewRole(default.oidc_role))
                .0,
        }
    }

    pub fn validate(&self) -> Vec<Complaint> {
        let mut complaints = Vec::new();
        if self.oidc_issuer.is_none() {
            return complaints;
        }
        let needed = [
            (&OIDC_CLIENT_ID, self.oidc_client_id.is_none()),
            (&OIDC_ORGANIZATION, self.oidc_organization.is_none()),
            (&OIDC_ALLOWED_DOMAINS, self.oidc_allowed_domains.is_empty()),
        ];
        for (setting, is_missing) in needed {
            if is_missing {
                let hint = match setting.path {
                    path if path == OIDC_ALLOWED_DOMAINS.path => {
                        "list the domains of your people's addresses, or `*` for everybody whom the issuer vouches for"
                    }
                    path if path == OIDC_ORGANIZATION.path => {
                        "write the id of the organization that people belong to"
                    }
                    _ => "write the id that the issuer gave to this gateway",
                };
                let complaint = format!("is needed with `{}`", OIDC_ISSUER.path);
                complaints.push(Complaint::new(setting.path, complaint, hint));
            }
        }
        if let Some(id) = &self.oidc_organization
            && OrganizationId::new(id.as_str()).is_err()
        {
            let hint = "write the id of an organization, such as `org_acme`";
            complaints.push(Complaint::new(OIDC_ORGANIZATION.path, "is no id", hint));
        }
        let domains = &self.oidc_allowed_domains;
        let is_domain = |text: &String| {
            let is_safe =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
            text == EVERYBODY || (text.contains('.') && text.chars().all(is_safe))
        };
        if domains.len() > DOMAINS_MAX || !domains.iter().all(is_domain) {
            let hint = "list domains in lower case, such as `acme.example`, or `*`";
            complaints.push(Complaint::new(
                OIDC_ALLOWED_DOMAINS.path,
                "is no list of domains",
                hint,
            ));
        }
        complaints
    }

    /// Whether everybody whom the issuer vouches for is let in.
    pub fn oidc_allows_everybody(&self) -> bool {
        self.oidc_allowed_domains
            .iter()
            .any(|text| text == EVERYBODY)
    }
}

/// `[login]` of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[expect(
    clippy::struct_field_names,
    reason = "they are named as they stand in the file"
)]
pub(crate) struct LoginFile {
    /// URL of the service that vouches for people. Default: none, people log in by link, token or key.
    oidc_issuer: Option<String>,
    /// The id that the service gave to this gateway.
    oidc_client_id: Option<String>,
    /// File with the secret that goes with it, if the service gave one.
    oidc_client_secret_file: Option<String>,
    /// What the service is asked for besides `openid`. Default `email`, `profile`.
    oidc_scopes: Option<Vec<String>>,
    /// Domains of addresses that let new people in; `*` for everybody the service vouches for.
    oidc_allowed_domains: Option<Vec<String>>,
    /// The organization that new people belong to.
    oidc_organization: Option<String>,
    /// What new people are in it: `member`, `admin` or `owner`. Default `member`.
    oidc_role: Option<String>,
}

/// A list separated by commas.
#[derive(Default)]
struct Words(Vec<String>);

impl Value for Words {
    fn parse(text: &str) -> Result<Self, Refusal> {
        let words = text.split(',').map(str::trim);
        let words = words.filter(|word| !word.is_empty());
        Ok(Self(words.map(str::to_owned).collect()))
    }

    fn show(&self) -> String {
        if self.0.is_empty() {
            return "(none)".to_owned();
        }
        self.0.join(",")
    }
}

struct NewRole(Role);

impl Value for NewRole {
    fn parse(text: &str) -> Result<Self, Refusal> {
        text.parse().map(Self).map_err(|_| {
            Refusal::new(
                format!("is {}", echo(text)),
                "write `member`, `admin` or `owner`",
            )
        })
    }

    fn show(&self) -> String {
        self.0.to_string()
    }
}
