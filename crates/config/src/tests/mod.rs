//! Loading from injected sources. No test here touches the process environment.

mod cautions;
mod precedence;
mod problems;
mod providers;
mod reference;
mod secrets;

use std::{cell::RefCell, collections::BTreeSet, path::PathBuf, sync::LazyLock};

use domain::source::{OAuthDeclaration, Pkce, SourceDeclaration};

use crate::{Catalog, ConfigError, Overrides, SettingSources, Settings};

/// Sources of every shape.
const SOURCES: [SourceDeclaration; 4] = [
    SourceDeclaration {
        name: "linear",
        display_name: "Linear",
        summary: "",
        api_url: "https://api.linear.app/graphql",
        oauth: OAuthDeclaration {
            authorize_url: "https://linear.app/oauth/authorize",
            token_url: "https://api.linear.app/oauth/token",
            scopes: &["read", "write"],
            ..OAUTH
        },
        has_app: false,
        since: "0.1.0",
    },
    SourceDeclaration {
        name: "sentry",
        display_name: "Sentry",
        summary: "",
        api_url: "https://sentry.io/api/0",
        oauth: OAuthDeclaration {
            authorize_url: "https://sentry.io/oauth/authorize/",
            token_url: "https://sentry.io/oauth/token/",
            scopes: &["org:read", "project:read", "event:read", "event:write"],
            ..OAUTH
        },
        has_app: false,
        since: "0.1.0",
    },
    SourceDeclaration {
        name: "slack",
        display_name: "Slack",
        summary: "",
        api_url: "https://slack.com/api",
        oauth: OAuthDeclaration {
            authorize_url: "https://slack.com/oauth/v2/authorize",
            token_url: "https://slack.com/api/oauth.v2.access",
            scopes: &["channels:read", "groups:read", "chat:write"],
            pkce: Pkce::Configured,
            ..OAUTH
        },
        has_app: false,
        since: "0.1.0",
    },
    SourceDeclaration {
        name: "github",
        display_name: "GitHub",
        summary: "",
        api_url: "https://api.github.com",
        oauth: OAuthDeclaration {
            authorize_url: "https://github.com/login/oauth/authorize",
            token_url: "https://github.com/login/oauth/access_token",
            scopes: &["repo"],
            ..OAUTH
        },
        has_app: true,
        since: "0.1.0",
    },
];

const OAUTH: OAuthDeclaration = OAuthDeclaration {
    authorize_url: "",
    token_url: "",
    scopes: &[],
    scope_separator: " ",
    authorize_params: &[],
    dead_grant_errors: &[],
    pkce: Pkce::Always,
};

/// The settings of a binary with these sources.
pub(crate) fn catalog() -> &'static Catalog {
    static CATALOG: LazyLock<Catalog> = LazyLock::new(|| Catalog::new(&SOURCES));
    &CATALOG
}

/// Sources of one test. `HOME` is set unless the test says otherwise.
#[derive(Default)]
pub(super) struct Given {
    pub(super) flags: Overrides,
    pub(super) env: Vec<(&'static str, String)>,
    /// Text of the file, if there is one.
    pub(super) file: Option<String>,
    /// Variables that loading looked up.
    pub(super) variables_read: RefCell<BTreeSet<String>>,
}

impl Given {
    pub(super) fn env(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    /// Sets what this setting is invalid without, such as the secret of an id.
    pub(super) fn with_other_half(setting: &str) -> Self {
        for table in catalog().sources() {
            let client = (&table.client_id, &table.client_secret);
            let app = table.app.as_ref().map(|app| (&app.id, &app.private_key));
            for (id, secret) in [client].into_iter().chain(app) {
                if setting == id.path {
                    return Self::default().env(secret.value.env[0].name, "other");
                }
                if setting == secret.value.path {
                    return Self::default().env(id.env[0].name, "other");
                }
            }
        }
        match setting {
            // An issuer alone names neither the client nor the users who may join.
            "login.oidc_issuer" => Self::default()
                .env("PROLIFERATE_OIDC_CLIENT_ID", "id")
                .env("PROLIFERATE_OIDC_ORGANIZATION", "org")
                .env("PROLIFERATE_OIDC_ALLOWED_DOMAINS", "*"),
            "mail.smtp_host" => Self::default().env("PROLIFERATE_MAIL_FROM", "a@acme.example"),
            "admission.url" => Self::default().env("PROLIFERATE_ADMISSION_SECRET", "other"),
            _ => Self::default(),
        }
    }

    pub(super) fn file(mut self, text: impl Into<String>) -> Self {
        self.file = Some(text.into());
        self
    }

    pub(super) fn load(&self) -> Result<Settings, ConfigError> {
        let directory = tempfile::tempdir().unwrap();
        let file = self.file.as_ref().map(|text| {
            let path = directory.path().join("proliferate.toml");
            std::fs::write(&path, text).unwrap();
            path
        });
        self.load_with(file)
    }

    pub(super) fn load_with(&self, file: Option<PathBuf>) -> Result<Settings, ConfigError> {
        let lookup = |name: &str| {
            self.variables_read.borrow_mut().insert(name.to_owned());
            self.env
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value.clone())
                .or_else(|| (name == "HOME").then(|| "/home/ada".to_owned()))
        };
        Settings::load(
            catalog(),
            SettingSources {
                flags: self.flags.clone(),
                env: &lookup,
                file,
            },
        )
    }
}

/// Value and source of a row of `config check`, the file's directory left out.
pub(super) fn row(settings: &Settings, setting: &str) -> (String, String) {
    let row = settings
        .effective()
        .iter()
        .find(|row| row.setting == setting)
        .unwrap_or_else(|| panic!("no row for {setting}"));
    let source = row.source.to_string();
    let source = match source.rsplit_once('/') {
        Some((_, name)) => format!("file {name}"),
        None => source,
    };
    (row.value.clone(), source)
}
