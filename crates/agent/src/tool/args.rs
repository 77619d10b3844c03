//! Checked arguments as types. The conversion cannot fail: their shape was checked before.

use domain::{
    automation_run::{AutomationOutcome, Completion},
    configuration::{EnvFile, EnvFileKey, ServiceCommand},
};
use serde_json::{Map, Value};

use super::name::Tool;

/// The arguments of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Args {
    SaveSnapshot {
        message: Option<String>,
    },
    SaveServiceCommands {
        commands: Vec<ServiceCommand>,
    },
    SaveEnvFiles {
        files: Vec<EnvFile>,
    },
    Verify {
        folder: String,
    },
    AutomationComplete {
        run_id: String,
        completion: Completion,
    },
    RequestEnvVariables {
        keys: Vec<RequestedKey>,
    },
}

domain::text_enum! {
    /// What happens to a value that a user provides.
    RequestedKind {
        /// It is put into the sandbox.
        Env = "env",
        /// It is put into the sandbox and stored for later sessions.
        Secret = "secret",
    }
}

/// A variable that the agent requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedKey {
    pub key: String,
    pub description: Option<String>,
    pub kind: RequestedKind,
    pub required: bool,
    pub suggestions: Vec<Suggestion>,
}

/// A suggested value that a user may choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    pub label: String,
    pub value: Option<String>,
    pub instructions: Option<String>,
}

impl Args {
    pub const fn tool(&self) -> Tool {
        match self {
            Self::SaveSnapshot { .. } => Tool::SaveSnapshot,
            Self::SaveServiceCommands { .. } => Tool::SaveServiceCommands,
            Self::SaveEnvFiles { .. } => Tool::SaveEnvFiles,
            Self::Verify { .. } => Tool::Verify,
            Self::AutomationComplete { .. } => Tool::AutomationComplete,
            Self::RequestEnvVariables { .. } => Tool::RequestEnvVariables,
        }
    }
}

/// Converts checked arguments.
pub(super) fn from_checked(tool: Tool, args: &Map<String, Value>) -> Args {
    match tool {
        Tool::SaveSnapshot => Args::SaveSnapshot {
            message: optional_text(args, "message"),
        },
        Tool::SaveServiceCommands => Args::SaveServiceCommands {
            commands: records(args, "commands", service_command),
        },
        Tool::SaveEnvFiles => Args::SaveEnvFiles {
            files: records(args, "files", env_file),
        },
        Tool::Verify => Args::Verify {
            folder: text(args, "folder"),
        },
        Tool::AutomationComplete => Args::AutomationComplete {
            run_id: text(args, "run_id"),
            completion: completion(args),
        },
        Tool::RequestEnvVariables => Args::RequestEnvVariables {
            keys: records(args, "keys", requested_key),
        },
    }
}

fn service_command(args: &Map<String, Value>) -> ServiceCommand {
    ServiceCommand {
        name: text(args, "name"),
        command: text(args, "command"),
        cwd: optional_text(args, "cwd"),
        workspace_path: optional_text(args, "workspacePath"),
    }
}

fn env_file(args: &Map<String, Value>) -> EnvFile {
    EnvFile {
        workspace_path: text(args, "workspacePath"),
        path: text(args, "path"),
        keys: records(args, "keys", |key| EnvFileKey {
            key: text(key, "key"),
            required: flag(key, "required"),
        }),
    }
}

fn completion(args: &Map<String, Value>) -> Completion {
    Completion {
        id: text(args, "completion_id"),
        // The words of the shape are those of the type; a test compares them.
        outcome: text(args, "outcome")
            .parse()
            .unwrap_or(AutomationOutcome::NeedsHuman),
        summary_markdown: optional_text(args, "summary_markdown"),
        citations: texts(args, "citations"),
        diff_ref: optional_text(args, "diff_ref"),
        test_report_ref: optional_text(args, "test_report_ref"),
        side_effect_refs: texts(args, "side_effect_refs"),
    }
}

fn requested_key(args: &Map<String, Value>) -> RequestedKey {
    RequestedKey {
        key: text(args, "key"),
        description: optional_text(args, "description"),
        kind: text(args, "type").parse().unwrap_or(RequestedKind::Env),
        required: flag(args, "required"),
        suggestions: records(args, "suggestions", |suggestion| Suggestion {
            label: text(suggestion, "label"),
            value: optional_text(suggestion, "value"),
            instructions: optional_text(suggestion, "instructions"),
        }),
    }
}

fn optional_text(args: &Map<String, Value>, name: &str) -> Option<String> {
    args.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn text(args: &Map<String, Value>, name: &str) -> String {
    optional_text(args, name).unwrap_or_default()
}

fn flag(args: &Map<String, Value>, name: &str) -> bool {
    args.get(name).and_then(Value::as_bool).unwrap_or_default()
}

fn entries<'a>(args: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    let list = args.get(name).and_then(Value::as_array);
    list.map(Vec::as_slice).unwrap_or_default()
}

fn texts(args: &Map<String, Value>, name: &str) -> Vec<String> {
    let found = entries(args, name).iter().filter_map(Value::as_str);
    found.map(str::to_owned).collect()
}

fn records<T>(
    args: &Map<String, Value>,
    name: &str,
    read: impl Fn(&Map<String, Value>) -> T,
) -> Vec<T> {
    let found = entries(args, name).iter().filter_map(Value::as_object);
    found.map(read).collect()
}
