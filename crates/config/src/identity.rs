//! `[identity]`: the keys that tokens are signed with, and the names that tokens carry.

use schemars::JsonSchema;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use crate::{
    env,
    error::Complaint,
    resolve::Resolver,
    setting::{SecretSetting, Setting},
};

pub const USER_TOKEN_SECRET: SecretSetting = SecretSetting {
    value: Setting {
        path: "identity.user_token_secret",
        flag: "",
        env: &[env::USER_TOKEN_SECRET, env::GATEWAY_JWT_SECRET],
    },
    file: Setting {
        path: "identity.user_token_secret_file",
        flag: "--user-token-secret-file",
        env: &[env::USER_TOKEN_SECRET_FILE],
    },
};
pub const SERVICE_TOKEN_SECRET: SecretSetting = SecretSetting {
    value: Setting {
        path: "identity.service_token_secret",
        flag: "",
        env: &[
            env::SERVICE_TOKEN_SECRET,
            env::SERVICE_TO_SERVICE_AUTH_TOKEN,
        ],
    },
    file: Setting {
        path: "identity.service_token_secret_file",
        flag: "--service-token-secret-file",
        env: &[env::SERVICE_TOKEN_SECRET_FILE],
    },
};
pub const SANDBOX_TOKEN_SECRET: SecretSetting = SecretSetting {
    value: Setting {
        path: "identity.sandbox_token_secret",
        flag: "",
        env: &[env::SANDBOX_TOKEN_SECRET],
    },
    file: Setting {
        path: "identity.sandbox_token_secret_file",
        flag: "--sandbox-token-secret-file",
        env: &[env::SANDBOX_TOKEN_SECRET_FILE],
    },
};
pub const ISSUER: Setting = Setting {
    path: "identity.issuer",
    flag: "--token-issuer",
    env: &[env::TOKEN_ISSUER],
};
pub const AUDIENCE: Setting = Setting {
    path: "identity.audience",
    flag: "--token-audience",
    env: &[env::TOKEN_AUDIENCE],
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

impl Default for IdentitySettings {
    fn default() -> Self {
        Self {
            user_token_secret: None,
            service_token_secret: None,
            sandbox_token_secret: None,
            issuer: "proliferate".to_owned(),
            audience: "proliferate-gateway".to_owned(),
        }
    }
}

impl IdentitySettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: IdentityFile) -> Self {
        let default = Self::default();
        Self {
            user_token_secret: resolver.secret(&USER_TOKEN_SECRET, file.user_token_secret_file),
            service_token_secret: resolver
                .secret(&SERVICE_TOKEN_SECRET, file.service_token_secret_file),
            sandbox_token_secret: resolver
                .secret(&SANDBOX_TOKEN_SECRET, file.sandbox_token_secret_file),
            issuer: resolver.value(&ISSUER, file.issuer, default.issuer),
            audience: resolver.value(&AUDIENCE, file.audience, default.audience),
        }
    }

    pub fn validate(&self) -> Vec<Complaint> {
        let mut complaints = Vec::new();
        let secrets = self.secrets();
        for (index, (setting, secret)) in secrets.iter().enumerate() {
            let Some(secret) = secret else { continue };
            let length = secret.expose_secret().len();
            if length < SECRET_BYTES_MIN {
                complaints.push(Complaint::new(
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
                complaints.push(Complaint::new(
                    setting.value.path,
                    format!("is the same as `{}`", twin.value.path),
                    "use a different secret for each kind of token",
                ));
            }
        }
        for (setting, name) in [(&ISSUER, &self.issuer), (&AUDIENCE, &self.audience)] {
            if let Err(invalid) =
                domain::invalid::bounded_text(setting.path, name, 1, NAME_LENGTH_MAX)
            {
                complaints.push(Complaint::new(
                    setting.path,
                    invalid.message,
                    "write a short name",
                ));
            }
        }
        complaints
    }

    pub(crate) fn secrets(&self) -> [(&'static SecretSetting, Option<&SecretString>); 3] {
        [
            (&USER_TOKEN_SECRET, self.user_token_secret.as_ref()),
            (&SERVICE_TOKEN_SECRET, self.service_token_secret.as_ref()),
            (&SANDBOX_TOKEN_SECRET, self.sandbox_token_secret.as_ref()),
        ]
    }
}

/// `[identity]` of the file. Secrets are named by file, never written here.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct IdentityFile {
    /// File that holds the key that signs user tokens; relative to this file.
    user_token_secret_file: Option<String>,
    /// File that holds the key that signs service tokens; relative to this file.
    service_token_secret_file: Option<String>,
    /// File that holds the key of the tokens that sandboxes hold; relative to this file.
    sandbox_token_secret_file: Option<String>,
    /// Issuer that tokens name and must name. Default `proliferate`.
    issuer: Option<String>,
    /// Audience that tokens name and must name. Default `proliferate-gateway`.
    audience: Option<String>,
}
