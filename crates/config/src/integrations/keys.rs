//! The settings of `[integrations]`: the same ones for each service, under its name.

use crate::{
    env,
    env::EnvVar,
    setting::{SecretSetting, Setting},
};

/// The settings of one service.
#[derive(Debug, Clone, Copy)]
pub struct ServiceKeys {
    pub url: Setting,
    pub client_id: Setting,
    pub client_secret: SecretSetting,
    pub authorize_url: Setting,
    pub token_url: Setting,
    pub scopes: Setting,
}

macro_rules! service {
    ($constant:ident = $name:literal, $flag:literal,
        [$url:ident, $id:ident, $secret:ident, $secret_file:ident, $authorize:ident, $token:ident,
            $scopes:ident]) => {
        pub const $constant: ServiceKeys = ServiceKeys {
            url: setting(
                concat!("integrations.", $name, "_url"),
                concat!($flag, "-url"),
                &[env::$url],
            ),
            client_id: setting(
                concat!("integrations.", $name, "_client_id"),
                concat!($flag, "-client-id"),
                &[env::$id],
            ),
            client_secret: SecretSetting {
                value: setting(
                    concat!("integrations.", $name, "_client_secret"),
                    "",
                    &[env::$secret],
                ),
                file: setting(
                    concat!("integrations.", $name, "_client_secret_file"),
                    concat!($flag, "-client-secret-file"),
                    &[env::$secret_file],
                ),
            },
            authorize_url: setting(
                concat!("integrations.", $name, "_authorize_url"),
                concat!($flag, "-authorize-url"),
                &[env::$authorize],
            ),
            token_url: setting(
                concat!("integrations.", $name, "_token_url"),
                concat!($flag, "-token-url"),
                &[env::$token],
            ),
            scopes: setting(
                concat!("integrations.", $name, "_scopes"),
                concat!($flag, "-scopes"),
                &[env::$scopes],
            ),
        };
    };
}

const fn setting(path: &'static str, flag: &'static str, env: &'static [EnvVar]) -> Setting {
    Setting { path, flag, env }
}

service!(
    LINEAR = "linear",
    "--linear",
    [
        LINEAR_URL,
        LINEAR_CLIENT_ID,
        LINEAR_CLIENT_SECRET,
        LINEAR_CLIENT_SECRET_FILE,
        LINEAR_AUTHORIZE_URL,
        LINEAR_TOKEN_URL,
        LINEAR_SCOPES
    ]
);
service!(
    SENTRY = "sentry",
    "--sentry",
    [
        SENTRY_URL,
        SENTRY_CLIENT_ID,
        SENTRY_CLIENT_SECRET,
        SENTRY_CLIENT_SECRET_FILE,
        SENTRY_AUTHORIZE_URL,
        SENTRY_TOKEN_URL,
        SENTRY_SCOPES
    ]
);
service!(
    SLACK = "slack",
    "--slack",
    [
        SLACK_URL,
        SLACK_CLIENT_ID,
        SLACK_CLIENT_SECRET,
        SLACK_CLIENT_SECRET_FILE,
        SLACK_AUTHORIZE_URL,
        SLACK_TOKEN_URL,
        SLACK_SCOPES
    ]
);
service!(
    GITHUB = "github",
    "--github",
    [
        GITHUB_URL,
        GITHUB_CLIENT_ID,
        GITHUB_CLIENT_SECRET,
        GITHUB_CLIENT_SECRET_FILE,
        GITHUB_AUTHORIZE_URL,
        GITHUB_TOKEN_URL,
        GITHUB_SCOPES
    ]
);

pub const SLACK_PKCE: Setting = setting(
    "integrations.slack_pkce",
    "--slack-pkce",
    &[env::SLACK_PKCE],
);
pub const GITHUB_APP_ID: Setting = setting(
    "integrations.github_app_id",
    "--github-app-id",
    &[env::GITHUB_APP_ID],
);
pub const GITHUB_APP_PRIVATE_KEY: SecretSetting = SecretSetting {
    value: setting(
        "integrations.github_app_private_key",
        "",
        &[env::GITHUB_APP_PRIVATE_KEY],
    ),
    file: setting(
        "integrations.github_app_private_key_file",
        "--github-app-private-key-file",
        &[env::GITHUB_APP_PRIVATE_KEY_FILE],
    ),
};
