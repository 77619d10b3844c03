//! The environment an agent is started with. Secrets are here and in no file: an environment ends with its
//! process, a file is in the next snapshot.

use secrecy::{ExposeSecret as _, SecretString};

use crate::{config::OpencodeConfig, context::Context};

pub const GATEWAY_URL: &str = "PROLIFERATE_GATEWAY_URL";
pub const SESSION_ID: &str = "PROLIFERATE_SESSION_ID";
pub const TOKEN: &str = "SANDBOX_MCP_AUTH_TOKEN";
/// A file with the token, which goes before the variable.
pub const TOKEN_FILE: &str = "SANDBOX_MCP_AUTH_TOKEN_FILE";
/// The key of the model proxy; the configuration file refers to it by this name.
pub const MODEL_KEY: &str = "LLM_PROXY_API_KEY";
/// Guards the agent's own server; the user is `opencode`.
pub const SERVER_PASSWORD: &str = "OPENCODE_SERVER_PASSWORD";
/// The configuration once more. A repository may have files of its own that go before ours; this goes before
/// them, so that none can lead the model's traffic elsewhere or open what we closed.
pub const CONFIGURATION: &str = "OPENCODE_CONFIG_CONTENT";
pub const WORKSPACE: &str = "WORKSPACE_DIR";
/// Where commands in the sandbox find its daemon.
pub const DAEMON_URL: &str = "PROLIFERATE_SANDBOX_MCP_URL";
/// Where values that people gave are put in the sandbox.
pub const ENV_FILE: &str = "/tmp/.proliferate_env.json";

/// What keeps the agent from asking anybody but us. Measured: with these, ripgrep on the path and the
/// packages in place, it looks up no name at all.
const QUIET: &[(&str, &str)] = &[
    ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
    ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
    ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
    ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "true"),
    // Where a package is missing after all: fail in a second instead of asking for a minute.
    ("npm_config_offline", "true"),
    ("npm_config_fetch_retries", "0"),
];

/// What a sandbox may know and nobody else.
#[derive(Debug)]
pub struct Secrets {
    pub token: SecretString,
    pub model_key: SecretString,
    /// Without one, whoever reaches the port drives the agent.
    pub server_password: Option<SecretString>,
}

/// What an agent that asked for values is told when they are there. Names alone: what is said is kept.
pub fn values_are_there<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    format!(
        "The form was filled in. There are values now for {}. They are in {ENV_FILE}; take out single keys with \
         `proliferate env get --name NAME --raw` or jq, and never print the file.",
        names.join(", ")
    )
}

/// The variables, in a fixed order. HOME and PATH are the provider's. All of these names are reserved
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
        (
            CONFIGURATION,
            OpencodeConfig::of(context).render_in_a_line(),
        ),
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
