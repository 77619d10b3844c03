//! The tools of the platform that an agent has: one table, from which come the modules in the sandbox, the
//! schema the model reads, the gateway's check and the page for people.

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
    /// A tool, by the name that lanes and records have for it.
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
    /// The name an agent knows and the name of its files. Interfaces of models take letters, digits, `_` and
    /// `-` alone, so it differs from the tool's own where that has a dot.
    pub agent_name: &'static str,
    /// Counts up with every change of the parameters that an agent with the old module would get wrong.
    pub version: u32,
    /// Where the tool is there. The lanes of the policy say the same.
    pub modes: &'static [Mode],
    pub place: Place,
    /// What the model is told, and what stands in the `.txt` file.
    pub description: &'static str,
    pub parameters: &'static [Field],
    /// What comes back, for people.
    pub answer: &'static str,
}

/// Who does the work of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The gateway, asked by a callback that waits.
    Gateway,
    /// The module itself; the gateway hears of it from the agent's events.
    Sandbox,
}

/// The header in which a callback says which version of a tool it was made for.
pub const VERSION_HEADER: &str = "x-proliferate-tool-version";

/// A module in a sandbox that is not the gateway's any more.
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

    /// Whether a callback was made for the parameters we know. One that does not say was not made by a
    /// module; its arguments are checked like all others.
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

/// Checks the arguments of a tool by either of its names. Nobody else does: the agent passes on whatever
/// the model wrote.
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
