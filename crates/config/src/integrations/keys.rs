//! The settings that a built-in source has, by its declaration: the same ones for each, under its name.

use domain::source::{Pkce, SourceDeclaration};

use crate::{
    env::EnvVar,
    setting::{SecretSetting, Setting},
};

/// The settings of one source.
#[derive(Debug, Clone)]
pub struct SourceKeys {
    pub source: &'static SourceDeclaration,
    pub url: Setting,
    pub client_id: Setting,
    pub client_secret: SecretSetting,
    pub authorize_url: Setting,
    pub token_url: Setting,
    pub scopes: Setting,
    /// Where the operator says whether the client takes proof keys.
    pub pkce: Option<Setting>,
    pub app: Option<AppKeys>,
}

/// The settings of an operator's app at a service.
#[derive(Debug, Clone)]
pub struct AppKeys {
    pub id: Setting,
    pub private_key: SecretSetting,
}

impl SourceKeys {
    /// The names of settings live as long as the process: messages, flags and `config check` refer to them. So they are
    /// made once, when the process starts.
    pub(crate) fn of(source: &'static SourceDeclaration) -> Self {
        let name = source.display_name;
        let open = |key, meaning: String| setting(source, key, meaning, false);
        let secret = |key: &str, meaning: String, file_meaning: String| SecretSetting {
            value: Setting {
                flag: "",
                ..setting(source, key, meaning, true)
            },
            file: setting(source, &format!("{key}_file"), file_meaning, false),
        };
        Self {
            source,
            url: open("url", format!("Base URL of {name}'s API.")),
            client_id: open(
                "client_id",
                format!(
                    "Client at {name} with which organizations connect it; without one they need a token."
                ),
            ),
            client_secret: secret(
                "client_secret",
                format!("The secret of the client at {name}."),
                format!("File that holds the secret of the client at {name}."),
            ),
            authorize_url: open(
                "authorize_url",
                format!("Where people let this gateway into {name}."),
            ),
            token_url: open(
                "token_url",
                format!("Where tokens of {name} are issued and renewed."),
            ),
            scopes: open(
                "scopes",
                format!("What {name} is asked for, separated by commas."),
            ),
            pkce: (source.oauth.pkce == Pkce::Configured).then(|| {
                let meaning = format!(
                    "`on` if the client at {name} is set up for PKCE, which {name} refuses for others; `off` if not set."
                );
                open("pkce", meaning)
            }),
            app: source.has_app.then(|| AppKeys {
                id: open(
                    "app_id",
                    format!("{name} App whose installations organizations may connect."),
                ),
                private_key: secret(
                    "app_private_key",
                    "The private key of that app, in PEM.".to_owned(),
                    "File that holds the private key of that app.".to_owned(),
                ),
            }),
        }
    }

    /// Those that every source has, in the order of the help.
    pub fn common(&self) -> [&Setting; 6] {
        [
            &self.url,
            &self.client_id,
            &self.client_secret.file,
            &self.authorize_url,
            &self.token_url,
            &self.scopes,
        ]
    }

    /// Those that only some sources have.
    pub fn special(&self) -> impl Iterator<Item = &Setting> {
        let app = self.app.iter();
        let app = app.flat_map(|app| [&app.id, &app.private_key.file]);
        self.pkce.iter().chain(app)
    }

    /// The secrets that every source has, then those that only some have.
    pub(crate) fn secrets(&self) -> (&SecretSetting, Option<&SecretSetting>) {
        let app = self.app.as_ref();
        (&self.client_secret, app.map(|app| &app.private_key))
    }
}

/// `linear` and `client_id` become `integrations.linear_client_id`, `--linear-client-id` and
/// `PROLIFERATE_LINEAR_CLIENT_ID`.
fn setting(source: &SourceDeclaration, key: &str, meaning: String, secret: bool) -> Setting {
    let name = format!("{}_{key}", source.name).replace('-', "_");
    let path: &'static str = format!("integrations.{name}").leak();
    let variable = EnvVar {
        name: format!("PROLIFERATE_{}", name.to_ascii_uppercase()).leak(),
        setting: path,
        doc: meaning.leak(),
        secret,
        since: source.since,
    };
    Setting {
        path,
        flag: format!("--{}", name.replace('_', "-")).leak(),
        env: Box::leak(Box::new([variable])),
    }
}
