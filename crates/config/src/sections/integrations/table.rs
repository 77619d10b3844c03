//! The settings that a built-in source has, by its declaration: the same ones for each, under its name.

use domain::source::{Pkce, SourceDeclaration};

use crate::setting::{DefaultValue, EnvVar, SecretSetting, SectionEntry, Setting, ValueKind};

/// The settings of one source.
#[derive(Debug, Clone)]
pub struct SourceSettingTable {
    pub source: &'static SourceDeclaration,
    pub url: Setting,
    pub client_id: Setting,
    pub client_secret: SecretSetting,
    pub authorize_url: Setting,
    pub token_url: Setting,
    pub scopes: Setting,
    /// Whether the client takes proof keys, where this is for the operator to say.
    pub pkce: Option<Setting>,
    pub app: Option<AppSettingTable>,
}

/// The settings of an operator's app at a service.
#[derive(Debug, Clone)]
pub struct AppSettingTable {
    pub id: Setting,
    pub private_key: SecretSetting,
}

impl SourceSettingTable {
    pub(crate) fn of(source: &'static SourceDeclaration) -> Self {
        let (name, oauth) = (source.display_name, &source.oauth);
        let open = |key, kind, default, help| declare_setting(source, key, kind, default, help);
        let url = |key, default, help| open(key, ValueKind::Url, DefaultValue::Text(default), help);
        Self {
            source,
            url: url("url", source.api_url, format!("Base URL of {name}'s API.")),
            client_id: open(
                "client_id",
                ValueKind::Text,
                DefaultValue::Unset,
                format!(
                    "Client at {name} with which organizations connect it; without one they need a token."
                ),
            ),
            client_secret: declare_secret(
                source,
                "client_secret",
                format!("The secret of the client at {name}."),
                format!("File that holds the secret of the client at {name}."),
            ),
            authorize_url: url(
                "authorize_url",
                oauth.authorize_url,
                format!("{name}'s OAuth authorize URL."),
            ),
            token_url: url(
                "token_url",
                oauth.token_url,
                format!("Where tokens of {name} are issued and renewed."),
            ),
            scopes: open(
                "scopes",
                ValueKind::Texts,
                DefaultValue::Text(oauth.scopes.join(",").leak()),
                format!("Scopes that the gateway requests of {name}."),
            ),
            pkce: (oauth.pkce == Pkce::Configured).then(|| {
                let help = format!(
                    "`on` if the client at {name} is set up for PKCE, which {name} refuses for others."
                );
                open(
                    "pkce",
                    ValueKind::Choice("on|off"),
                    DefaultValue::Text("off"),
                    help,
                )
            }),
            app: source.has_app.then(|| AppSettingTable {
                id: open(
                    "app_id",
                    ValueKind::Text,
                    DefaultValue::Unset,
                    format!("{name} App whose installations organizations may connect."),
                ),
                private_key: declare_secret(
                    source,
                    "app_private_key",
                    "The private key of that app, in PEM.".to_owned(),
                    "File that holds the private key of that app, in PEM.".to_owned(),
                ),
            }),
        }
    }

    /// The settings that every source has, in the order of the help.
    pub(super) fn common(&self) -> [SectionEntry; 6] {
        [
            SectionEntry::Open(self.url),
            SectionEntry::Open(self.client_id),
            SectionEntry::Secret(self.client_secret),
            SectionEntry::Open(self.authorize_url),
            SectionEntry::Open(self.token_url),
            SectionEntry::Open(self.scopes),
        ]
    }

    /// The settings that only some sources have.
    pub(super) fn special(&self) -> impl Iterator<Item = SectionEntry> {
        let pkce = self.pkce.map(SectionEntry::Open);
        let app = self.app.iter().flat_map(|app| {
            [
                SectionEntry::Open(app.id),
                SectionEntry::Secret(app.private_key),
            ]
        });
        pkce.into_iter().chain(app)
    }
}

/// Declares `integrations.linear_client_id`, `--linear-client-id` and `PROLIFERATE_LINEAR_CLIENT_ID` from `linear` and
/// `client_id`. The texts live as long as the process, because messages, flags and `config check` refer to them; they are
/// made once, when the process starts.
fn declare_setting(
    source: &SourceDeclaration,
    key: &str,
    kind: ValueKind,
    default: DefaultValue,
    help: String,
) -> Setting {
    let name = format!("{}_{key}", source.name).replace('-', "_");
    let variable = format!("PROLIFERATE_{}", name.to_ascii_uppercase());
    Setting {
        path: format!("integrations.{name}").leak(),
        flag: format!("--{}", name.replace('_', "-")).leak(),
        env: vec![EnvVar::new(variable.leak(), source.since)].leak(),
        kind,
        default,
        help: help.leak(),
    }
}

fn declare_secret(
    source: &SourceDeclaration,
    key: &str,
    help: String,
    file_help: String,
) -> SecretSetting {
    let declare = |key, kind, help| declare_setting(source, key, kind, DefaultValue::Unset, help);
    let file = format!("{key}_file");
    SecretSetting {
        value: Setting {
            flag: "",
            ..declare(key, ValueKind::Secret, help)
        },
        file: declare(&file, ValueKind::FileBesideFile, file_help),
    }
}
