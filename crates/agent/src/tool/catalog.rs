//! Finds tools and their descriptions, and checks the arguments and the version of a call.

use domain::invalid::Invalid;
use serde_json::Value;

use super::{
    args::{self, Args},
    check,
    name::Tool,
    shape,
    spec::AgentToolSpec,
    table,
};
use crate::mode::Mode;

/// The header with the tool version that a callback was made for.
pub const VERSION_HEADER: &str = "x-proliferate-tool-version";

/// The module in the sandbox is older than the gateway's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "this sandbox has version {given} of {tool}, the gateway has version {current}; \
     the session gets the current one when its sandbox starts again"
)]
pub struct OutdatedTool {
    pub tool: Tool,
    pub current: u32,
    pub given: String,
}

impl Tool {
    pub fn spec(self) -> &'static AgentToolSpec {
        match self {
            Self::SaveSnapshot => &table::SAVE_SNAPSHOT,
            Self::SaveServiceCommands => &table::SAVE_SERVICE_COMMANDS,
            Self::SaveEnvFiles => &table::SAVE_ENV_FILES,
            Self::Verify => &table::VERIFY,
            Self::AutomationComplete => &table::AUTOMATION_COMPLETE,
            Self::RequestEnvVariables => &table::REQUEST_ENV_VARIABLES,
        }
    }

    /// Finds a tool by either of its names.
    pub fn find(name: &str) -> Option<Self> {
        let has_name = |tool: &&Self| tool.as_str() == name || tool.spec().agent_name == name;
        Self::ALL.iter().find(has_name).copied()
    }

    /// Returns the tools of a mode, in the order of the table.
    pub fn of_mode(mode: Mode) -> Vec<Self> {
        let has = |tool: &&Self| tool.spec().modes.contains(&mode);
        Self::ALL.iter().filter(has).copied().collect()
    }

    /// Returns the schema of its arguments.
    pub fn schema(self) -> Value {
        shape::record_schema(self.spec().parameters)
    }

    /// Checks that a callback was made for the current parameters. A callback without a version was not
    /// made by a module; its arguments are checked like all others.
    pub fn check_version(self, given: Option<&str>) -> Result<(), OutdatedTool> {
        let current = self.spec().version;
        match given {
            Some(given) if given != current.to_string() => Err(OutdatedTool {
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
    Ok(args::from_checked(tool, &checked))
}
