//! `[identity]`: the keys that tokens are signed with, and the names that tokens carry.

use secrecy::{ExposeSecret, SecretString};

use crate::{
    invalid::InvalidSetting,
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, SecretSetting, Section, SectionEntry, Setting, ValueKind},
    value::bounds::check_text,
};

pub const USER_TOKEN_SECRET: SecretSetting = SecretSetting {
    value: Setting {
        path: "identity.user_token_secret",
        flag: "",
        env: &[
            EnvVar::new("PROLIFERATE_USER_TOKEN_SECRET", "0.1.0"),
            EnvVar::new("GATEWAY_JWT_SECRET", "0.1.0"),
        ],
        kind: ValueKind::Secret,
        default: DefaultValue::Unset,
        help: "Key that signs user tokens, at least 32 bytes.",
    },
    file: Setting {
        path: "identity.user_token_secret_file",
        flag: "--user-token-secret-file",
        env: &[EnvVar::new("PROLIFERATE_USER_TOKEN_SECRET_FILE", "0.1.0")],
        kind: ValueKind::FileBesideFile,
        default: DefaultValue::Unset,
        help: "File that holds the key that signs user tokens.",
    },
};
pub const SERVICE_TOKEN_SECRET: SecretSetting = SecretSetting {
    value: Setting {
        path: "identity.service_token_secret",
        flag: "",
        env: &[
            EnvVar::new("PROLIFERATE_SERVICE_TOKEN_SECRET", "0.1.0"),
            EnvVar::new("SERVICE_TO_SERVICE_AUTH_TOKEN", "0.1.0"),
        ],
        kind: ValueKind::Secret,
        default: DefaultValue::Unset,
        help: "Key that signs service tokens, at least 32 bytes.",
    },
    file: Setting {
        path: "identity.service_token_secret_file",
        flag: "--service-token-secret-file",
        env: &[EnvVar::new(
            "PROLIFERATE_SERVICE_TOKEN_SECRET_FILE",
            "0.1.0",
        )],
        kind: ValueKind::FileBesideFile,
        default: DefaultValue::Unset,
        help: "File that holds the key that signs service tokens.",
    },
};
pub const SANDBOX_TOKEN_SECRET: SecretSetting = SecretSetting {
    value: Setting {
        path: "identity.sandbox_token_secret",
        flag: "",
        env: &[EnvVar::new("PROLIFERATE_SANDBOX_TOKEN_SECRET", "0.1.0")],
        kind: ValueKind::Secret,
        default: DefaultValue::Unset,
        help: "Key of the tokens that sandboxes hold, at least 32 bytes.",
    },
    file: Setting {
        path: "identity.sandbox_token_secret_file",
        flag: "--sandbox-token-secret-file",
        env: &[EnvVar::new(
            "PROLIFERATE_SANDBOX_TOKEN_SECRET_FILE",
            "0.1.0",
        )],
        kind: ValueKind::FileBesideFile,
        default: DefaultValue::Unset,
        help: "File that holds the key of the tokens that sandboxes hold.",
    },
};
pub const ISSUER: Setting = Setting {
    path: "identity.issuer",
    flag: "--token-issuer",
    env: &[EnvVar::new("PROLIFERATE_TOKEN_ISSUER", "0.1.0")],
    kind: ValueKind::Text,
    default: DefaultValue::Text("proliferate"),
    help: "Issuer that tokens name and must name.",
};
pub const AUDIENCE: Setting = Setting {
    path: "identity.audience",
    flag: "--token-audience",
    env: &[EnvVar::new("PROLIFERATE_TOKEN_AUDIENCE", "0.1.0")],
    kind: ValueKind::Text,
    default: DefaultValue::Text("proliferate-gateway"),
    help: "Audience that tokens name and must name.",
};

pub(crate) const SECTION: Section = Section {
    name: "identity",
    heading: "Tokens and keys",
    entries: &[
        SectionEntry::Secret(USER_TOKEN_SECRET),
        SectionEntry::Secret(SERVICE_TOKEN_SECRET),
        SectionEntry::Secret(SANDBOX_TOKEN_SECRET),
        SectionEntry::Open(ISSUER),
        SectionEntry::Open(AUDIENCE),
    ],
    other_variables: &[],
};

/// HMAC-SHA-256 is as strong as its key is long, up to its 32 bytes of output.
const SECRET_BYTES_MIN: usize = 32;
/// Both names are in every token, and a token has at most 4096 bytes.
const NAME_LENGTH_MAX: usize = 200;

/// Keys and names of tokens. A key may be absent: not every command needs them.
#[derive(Debug, Clone)]
pub struct IdentitySettings {
    /// Signs user tokens.
    pub user_token_secret: Option<SecretString>,
    /// Signs service tokens.
    pub service_token_secret: Option<SecretString>,
    /// Keys the tokens that sandboxes hold.
    pub sandbox_token_secret: Option<SecretString>,
    /// Issuer that tokens name and must name.
    pub issuer: String,
    /// Audience that tokens name and must name.
    pub audience: String,
}

impl IdentitySettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        Self {
            user_token_secret: resolver.secret(&USER_TOKEN_SECRET),
            service_token_secret: resolver.secret(&SERVICE_TOKEN_SECRET),
            sandbox_token_secret: resolver.secret(&SANDBOX_TOKEN_SECRET),
            issuer: resolver.value(&ISSUER),
            audience: resolver.value(&AUDIENCE),
        }
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        let mut found = Vec::new();
        let secrets = self.secrets();
        for (index, (setting, secret)) in secrets.iter().enumerate() {
            let Some(secret) = secret else { continue };
            let length = secret.expose_secret().len();
            if length < SECRET_BYTES_MIN {
                found.push(InvalidSetting::new(
                    setting.value.path,
                    format!("has {length} bytes"),
                    format!(
                        "use at least {SECRET_BYTES_MIN} random bytes, for example from \
                         `openssl rand -hex 32`"
                    ),
                ));
            }
            // INVARIANT: a token of one kind can never pass as another, because keys differ.
            let twin = secrets[..index].iter().find(|(_, earlier)| {
                earlier.is_some_and(|earlier| earlier.expose_secret() == secret.expose_secret())
            });
            if let Some((twin, _)) = twin {
                found.push(InvalidSetting::new(
                    setting.value.path,
                    format!("is the same as `{}`", twin.value.path),
                    "use a different secret for each kind of token",
                ));
            }
        }
        for (setting, name) in [(&ISSUER, &self.issuer), (&AUDIENCE, &self.audience)] {
            found.extend(check_text(
                setting,
                name,
                NAME_LENGTH_MAX,
                "write a short name",
            ));
        }
        found
    }

    pub(crate) fn secrets(&self) -> [(&'static SecretSetting, Option<&SecretString>); 3] {
        [
            (&USER_TOKEN_SECRET, self.user_token_secret.as_ref()),
            (&SERVICE_TOKEN_SECRET, self.service_token_secret.as_ref()),
            (&SANDBOX_TOKEN_SECRET, self.sandbox_token_secret.as_ref()),
        ]
    }
}
