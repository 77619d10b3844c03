//! The agent's configuration file, as a structure. Serialised, never assembled from text.

use std::collections::BTreeMap;

use domain::limits::BROWSER_TIMEOUT;
use serde::Serialize;

use crate::{context::Context, models, variable::MODEL_KEY};

/// `opencode.json`.
#[derive(Debug, Serialize)]
pub(crate) struct OpencodeConfig {
    /// Without it the agent rewrites the file.
    #[serde(rename = "$schema")]
    schema: &'static str,
    model: &'static str,
    /// For titles and the like; the same, so that the proxy sees no other model than the session's.
    small_model: &'static str,
    provider: BTreeMap<&'static str, Provider>,
    /// The agent has built-in providers, some of which need no key.
    enabled_providers: [&'static str; 1],
    server: Server,
    plugin: [String; 1],
    permission: BTreeMap<&'static str, Permission>,
    mcp: BTreeMap<&'static str, McpServer>,
    instructions: [String; 1],
    /// Disables the agent's own sharing service.
    share: &'static str,
    autoupdate: bool,
    /// The agent's own file snapshots; the gateway's replace them, and these would grow every
    /// sandbox snapshot.
    snapshot: bool,
}

#[derive(Debug, Serialize)]
struct Provider {
    options: ProviderOptions,
}

#[derive(Debug, Serialize)]
struct ProviderOptions {
    /// The agent asks `{baseURL}/messages`.
    #[serde(rename = "baseURL")]
    base_url: String,
    /// Not the key but a reference to it: the file outlives the key, and is part of snapshots.
    #[serde(rename = "apiKey")]
    api_key: String,
}

#[derive(Debug, Serialize)]
struct Server {
    port: u16,
    hostname: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Permission {
    Allow,
    Deny,
}

#[derive(Debug, Serialize)]
struct McpServer {
    #[serde(rename = "type")]
    kind: &'static str,
    command: &'static [&'static str],
    enabled: bool,
    /// In milliseconds.
    timeout: u128,
}

/// A browser without a window, which sees pictures.
const PLAYWRIGHT: &[&str] = &[
    "playwright-mcp",
    "--headless",
    "--browser",
    "chromium",
    "--no-sandbox",
    "--isolated",
    "--caps",
    "vision",
];

impl OpencodeConfig {
    pub(crate) fn of(context: &Context) -> Self {
        let model = models::agent_id(context.model);
        let options = ProviderOptions {
            base_url: base_url(&context.model_url),
            api_key: format!("{{env:{MODEL_KEY}}}"),
        };
        let playwright = McpServer {
            kind: "local",
            command: PLAYWRIGHT,
            enabled: true,
            timeout: BROWSER_TIMEOUT.as_millis(),
        };
        Self {
            schema: "https://opencode.ai/config.json",
            model,
            small_model: model,
            provider: BTreeMap::from([(models::PROVIDER, Provider { options })]),
            enabled_providers: [models::PROVIDER],
            server: Server {
                port: context.listen.port,
                hostname: context.listen.hostname.clone(),
            },
            plugin: [plugin_path(context)],
            // The agent may do everything that its sandbox allows, except ask with dialogs of its own.
            permission: BTreeMap::from([("*", Permission::Allow), ("question", Permission::Deny)]),
            mcp: context
                .playwright
                .then_some(("playwright", playwright))
                .into_iter()
                .collect(),
            instructions: [format!("{}/.opencode/instructions.md", context.layout.repo)],
            share: "disabled",
            autoupdate: false,
            snapshot: false,
        }
    }

    /// The file's text.
    pub(crate) fn render(&self) -> String {
        // A structure of texts and flags: writing it as JSON cannot fail.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{text}\n")
    }

    /// The file's text in one line, for a variable.
    pub(crate) fn render_as_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The agent adds `/messages` and nothing else; the API has a version before that.
fn base_url(url: &str) -> String {
    let url = url.trim_end_matches('/');
    let url = url.strip_suffix("/v1").unwrap_or(url);
    format!("{url}/v1")
}

/// `.mjs` files are not found by the agent itself; the configuration names this one.
pub(crate) fn plugin_path(context: &Context) -> String {
    format!(
        "{}/.config/opencode/plugin/proliferate.mjs",
        context.layout.home
    )
}
