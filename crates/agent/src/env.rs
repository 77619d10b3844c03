//! The environment an agent is started with. Secrets are here and in no file: an environment ends with its
//! process, a file is in the next snapshot.

use secrecy::{ExposeSecret as _, SecretString};

pub use crate::variable::{
    CONFIGURATION, DAEMON_URL, ENV_FILE, GATEWAY_URL, MODEL_KEY, SERVER_PASSWORD, SESSION_ID,
    TOKEN, TOKEN_FILE, WORKSPACE,
};
use crate::{config::OpencodeConfig, context::Context};

/// Settings that keep the agent from contacting any host but the gateway. Measured: with these,
/// ripgrep on the path and the packages in place, it resolves no name at all.
const QUIET: &[(&str, &str)] = &[
    ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
    ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
    ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
    ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "true"),
    // If a package is missing after all: fail in a second instead of retrying for a minute.
    ("npm_config_offline", "true"),
    ("npm_config_fetch_retries", "0"),
];

/// The secrets of one sandbox.
#[derive(Debug)]
pub struct Secrets {
    pub token: SecretString,
    pub model_key: SecretString,
    /// Without one, any client of the port controls the agent.
    pub server_password: Option<SecretString>,
}

/// The message to an agent when the values it requested are available. Names alone: messages are
/// stored.
pub fn values_are_there<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    format!(
        "The form was filled in. There are values now for {}. They are in {ENV_FILE}; take out single keys with \
         `proliferate env get --name NAME --raw` or jq, and never print the file.",
        names.join(", ")
    )
}

/// The variables, in a fixed order. The provider sets HOME and PATH. All of these names are reserved
/// ([`domain::secret::is_reserved`]): no secret has one.
pub fn variables(context: &Context, secrets: &Secrets) -> Vec<(&'static str, String)> {
    let mut variables = vec![
        (
            GATEWAY_URL,
            context.gateway_url.trim_end_matches('/').to_owned(),
        ),
        (SESSION_ID, context.session_id.to_string()),
        (WORKSPACE, context.layout.workspace.clone()),
        (TOKEN, secrets.token.expose_secret().to_owned()),
        (MODEL_KEY, secrets.model_key.expose_secret().to_owned()),
        (CONFIGURATION, OpencodeConfig::of(context).render_as_line()),
    ];
    if let Some(password) = &secrets.server_password {
        variables.push((SERVER_PASSWORD, password.expose_secret().to_owned()));
    }
    variables.extend(
        QUIET
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned())),
    );
    variables
}
