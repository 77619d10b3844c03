//! The names of the variables that an agent is started with.

pub const GATEWAY_URL: &str = "PROLIFERATE_GATEWAY_URL";
pub const SESSION_ID: &str = "PROLIFERATE_SESSION_ID";
pub const TOKEN: &str = "SANDBOX_MCP_AUTH_TOKEN";
/// A file with the token, which takes precedence over the variable.
pub const TOKEN_FILE: &str = "SANDBOX_MCP_AUTH_TOKEN_FILE";
/// The key of the model proxy; the configuration file refers to it by this name.
pub const MODEL_KEY: &str = "LLM_PROXY_API_KEY";
/// Guards the agent's own server; the user is `opencode`.
pub const SERVER_PASSWORD: &str = "OPENCODE_SERVER_PASSWORD";
/// The configuration once more. A repository may have configuration files that take precedence over the
/// platform's; this takes precedence over them, so that none can redirect the model's traffic or enable what
/// is disabled.
pub const CONFIGURATION: &str = "OPENCODE_CONFIG_CONTENT";
pub const WORKSPACE: &str = "WORKSPACE_DIR";
/// The URL of the sandbox's daemon for commands in the sandbox.
pub const DAEMON_URL: &str = "PROLIFERATE_SANDBOX_MCP_URL";
/// The file in the sandbox with the values that users provided.
pub const ENV_FILE: &str = "/tmp/.proliferate_env.json";
