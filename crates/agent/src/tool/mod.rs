//! The platform's tools for agents: one table, from which the modules in the sandbox, the model's schema,
//! the gateway's check and the documentation page are generated.

mod args;
mod check;
mod module;
mod page;
pub mod shape;
mod table;
#[cfg(test)]
mod tests;

pub use self::{
    args::{Args, RequestedKey, RequestedKind, Suggestion},
    module::{description_file, module_file},
    page::render as reference_markdown,
};

use domain::invalid::Invalid;
use serde_json::Value;

use self::shape::Field;
use crate::mode::Mode;

domain::text_enum! {
    /// A tool, by its name in lanes and records.
    Tool {
        SaveSnapshot = "save_snapshot",
        SaveServiceCommands = "save_service_commands",
        SaveEnvFiles = "save_env_files",
        Verify = "verify",
        AutomationComplete = "automation.complete",
        RequestEnvVariables = "request_env_variables",
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct Spec {
    pub tool: Tool,
    /// The agent's name for it and the name of its files. Interfaces of models accept letters, digits, `_`
    /// and `-` alone, so it differs from the tool's own where that has a dot.
    pub agent_name: &'static str,
    /// Incremented with every change of the parameters that is incompatible with the old module.
    pub version: u32,
    /// The modes that have the tool. The lanes of the policy list the same.
    pub modes: &'static [Mode],
    pub place: Place,
    /// The model's description, which is also in the `.txt` file.
    pub description: &'static str,
    pub parameters: &'static [Field],
    /// The result, described for users.
    pub answer: &'static str,
}

/// Where a tool runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the gateway, called by a callback that waits.
    Gateway,
    /// In the module itself; the gateway sees it in the agent's events.
    Sandbox,
}

/// The header with the tool version that a callback was made for.
pub const VERSION_HEADER: &str = "x-proliferate-tool-version";

/// The module in the sandbox is older than the gateway's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "this sandbox has version {given} of {tool}, the gateway has version {current}; \
     the session gets the current one when its sandbox starts again"
)]
pub struct Outdated {
    pub tool: Tool,
    pub current: u32,
    pub given: String,
}

impl Tool {
    pub fn spec(self) -> &'static Spec {
        match self {
            Self::SaveSnapshot => &table::SAVE_SNAPSHOT,
            Self::SaveServiceCommands => &table::SAVE_SERVICE_COMMANDS,
            Self::SaveEnvFiles => &table::SAVE_ENV_FILES,
            Self::Verify => &table::VERIFY,
            Self::AutomationComplete => &table::AUTOMATION_COMPLETE,
            Self::RequestEnvVariables => &table::REQUEST_ENV_VARIABLES,
        }
    }

    /// By either of its names.
    pub fn find(name: &str) -> Option<Self> {
        let is_it = |tool: &&Self| tool.as_str() == name || tool.spec().agent_name == name;
        Self::ALL.iter().find(is_it).copied()
    }

    /// The tools of a mode, in the order of the table.
    pub fn of_mode(mode: Mode) -> Vec<Self> {
        let has = |tool: &&Self| tool.spec().modes.contains(&mode);
        Self::ALL.iter().filter(has).copied().collect()
    }

    /// The schema of its arguments.
    pub fn schema(self) -> Value {
        shape::record_schema(self.spec().parameters)
    }

    /// Whether a callback was made for the current parameters. A callback without a version was not
    /// made by a module; its arguments are checked like all others.
    pub fn check_version(self, given: Option<&str>) -> Result<(), Outdated> {
        let current = self.spec().version;
        match given {
            Some(given) if given != current.to_string() => Err(Outdated {
                tool: self,
                current,
                given: given.chars().take(20).collect(),
            }),
            _ => Ok(()),
        }
    }
}

/// Checks the arguments of a tool by either of its names. This is the only check: the agent passes on
/// the model's output unchanged.
pub fn validate(name: &str, args: &Value) -> Result<Args, Invalid> {
    let tool = Tool::find(name).ok_or_else(|| {
        let known: Vec<_> = Tool::ALL.iter().map(|tool| tool.as_str()).collect();
        Invalid::new(
            "tool",
            format!("is not known; known are {}", known.join(", ")),
        )
    })?;
    let checked = check::record(tool.spec().parameters, args).map_err(|fault| {
        let field = if fault.field.is_empty() {
            "args".to_owned()
        } else {
            fault.field
        };
        Invalid::new(field, fault.message)
    })?;
    Ok(args::read(tool, &checked))
}
