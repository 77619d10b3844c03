//! Everything that is put into a sandbox for its agent, as data: files to write, paths to remove, the command
//! to start. Pure: a provider writes it.

use domain::{
    limits,
    secret::{RESERVED_KEYS, RESERVED_PREFIXES},
};
use serde_json::json;

use crate::{
    config::{self, OpencodeConfig},
    context::{Context, RetryTimes},
    env, install,
    text::{fill, quoted},
    tool::{Tool, VERSION_HEADER, description_file, module_file},
};

/// A file in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Absolute.
    pub path: String,
    pub bytes: Vec<u8>,
    /// Unix permissions.
    pub mode: u32,
}

/// A package that must exist at a path of the sandbox: copied, linked or mounted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageAt {
    pub name: &'static str,
    /// Absolute.
    pub path: String,
}

/// Lines for the repository's `.git/info/exclude`, so that the platform's files do not appear as
/// the repository's.
pub const GIT_EXCLUDE: &[&str] = &["/opencode.json", "/.opencode/", "/.proliferate/"];

/// Files of the platform that a repository may track under the same name. Then git has to ignore their
/// changes (`git update-index --skip-worktree`), or they would be committed.
pub const SKIP_WORKTREE: &[&str] = &["opencode.json", ".opencode/instructions.md"];

const GATEWAY_MODULE: &str = include_str!("../files/gateway.ts");
const ENV_REQUEST_MODULE: &str = include_str!("../files/env_request.ts");
const PLUGIN: &str = include_str!("../files/plugin.mjs");
const INSTRUCTIONS: &str = include_str!("../files/instructions.md");
const ACTIONS_GUIDE: &str = include_str!("../files/actions-guide.md");

/// The files to write, at every boot: a restored sandbox may have older versions.
pub fn files(context: &Context) -> Vec<File> {
    let config = OpencodeConfig::of(context).render();
    let global = format!("{}/.config/opencode", context.layout.home);
    let local = format!("{}/.opencode", context.layout.repo);
    let mut files = vec![
        file(&format!("{global}/opencode.json"), &config),
        file(&config::plugin_path(context), PLUGIN),
        file(&format!("{}/opencode.json", context.layout.repo), &config),
        file(&format!("{local}/instructions.md"), &instructions(context)),
        file(
            &format!("{}/.proliferate/actions-guide.md", context.layout.repo),
            ACTIONS_GUIDE,
        ),
        // Below the folder that is scanned, so not taken for tools.
        file(
            &format!("{local}/tool/lib/gateway.ts"),
            &gateway_module(&context.retry_times),
        ),
        file(
            &format!("{local}/tool/lib/env_request.ts"),
            &env_request_module(),
        ),
    ];
    for folder in [&global, &local] {
        files.extend(preseed(folder));
    }
    for tool in context.tools() {
        let [module, description] = tool_paths(&local, tool.spec().agent_name);
        files.push(file(&module, &module_file(tool)));
        files.push(file(&description, &description_file(tool)));
    }
    files
}

/// The paths to remove, if they exist: tools that the session does not have, left by a snapshot of another
/// one.
pub fn stale_paths(context: &Context) -> Vec<String> {
    let local = format!("{}/.opencode", context.layout.repo);
    let has = context.tools();
    let mut paths = Vec::new();
    for tool in Tool::ALL {
        let agent_name = tool.spec().agent_name;
        if !has.contains(tool) {
            paths.extend(tool_paths(&local, agent_name));
        }
        // A name with a dot is refused by the model's interface, and the whole request with it.
        if tool.as_str() != agent_name {
            paths.extend(tool_paths(&local, tool.as_str()));
        }
    }
    paths
}

/// The path of the agent's conversations. A session that starts from the snapshot of another starts without
/// them.
pub fn conversation_paths(context: &Context) -> Vec<String> {
    vec![format!("{}/.local/share/opencode", context.layout.home)]
}

/// The packages that the modules import. Without them the agent refuses every message.
pub fn packages(context: &Context) -> Vec<PackageAt> {
    let package = |name| PackageAt {
        name,
        path: format!("{}/.opencode/node_modules/{name}", context.layout.repo),
    };
    install::PACKAGES.into_iter().map(package).collect()
}

/// The command that serves the agent, to be run in the repository. The first word is the program's name.
pub fn command(context: &Context) -> Vec<String> {
    let port = context.listen.port.to_string();
    let words = [
        "opencode",
        "serve",
        "--port",
        &port,
        "--hostname",
        &context.listen.hostname,
    ];
    words.map(str::to_owned).to_vec()
}

fn tool_paths(local: &str, name: &str) -> [String; 2] {
    ["ts", "txt"].map(|extension| format!("{local}/tool/{name}.{extension}"))
}

fn file(path: &str, text: &str) -> File {
    File {
        path: path.to_owned(),
        bytes: text.as_bytes().to_vec(),
        mode: 0o644,
    }
}

/// Makes the agent treat its npm packages as installed in a folder. Otherwise it queries the registry before
/// it responds, for a minute if there is none.
fn preseed(folder: &str) -> [File; 3] {
    let dependencies = json!({install::PLUGIN_PACKAGE: install::OPENCODE_VERSION});
    let manifest = json!({"dependencies": dependencies});
    let lock = json!({"lockfileVersion": 3, "packages": {"": {"dependencies": dependencies}}});
    [
        file(&format!("{folder}/package.json"), &format!("{manifest}\n")),
        file(&format!("{folder}/package-lock.json"), &format!("{lock}\n")),
        // The folder must exist, empty or not.
        file(&format!("{folder}/node_modules/.keep"), ""),
    ]
}

fn instructions(context: &Context) -> String {
    fill(
        INSTRUCTIONS,
        &[("WORKSPACE", context.layout.workspace.clone())],
    )
}

fn gateway_module(times: &RetryTimes) -> String {
    fill(
        GATEWAY_MODULE,
        &[
            ("ATTEMPT_MS", times.attempt.as_millis().to_string()),
            ("DEADLINE_MS", times.deadline.as_millis().to_string()),
            ("PAUSE_FIRST_MS", times.pause_first.as_millis().to_string()),
            ("PAUSE_MAX_MS", times.pause_max.as_millis().to_string()),
            ("INTERNAL_MAX", limits::TOOL_CALL_INTERNAL_MAX.to_string()),
            (
                "OWNER_HOPS_MAX",
                limits::TOOL_CALL_OWNER_HOPS_MAX.to_string(),
            ),
            (
                "ANSWER_BYTES_MAX",
                limits::TOOL_CALL_ANSWER_BYTES_MAX.to_string(),
            ),
            (
                "REFUSAL_LENGTH_MAX",
                limits::TOOL_CALL_REFUSAL_LENGTH_MAX.to_string(),
            ),
            ("VERSION_HEADER", quoted(VERSION_HEADER)),
        ],
    )
}

fn env_request_module() -> String {
    fill(
        ENV_REQUEST_MODULE,
        &[
            ("RESERVED", json!(RESERVED_KEYS).to_string()),
            ("RESERVED_PREFIXES", json!(RESERVED_PREFIXES).to_string()),
            ("ENV_FILE", quoted(env::ENV_FILE)),
        ],
    )
}

#[cfg(test)]
mod tests;
