//! The description of a tool: one row of the table.

use super::{name::Tool, shape::Field};
use crate::mode::Mode;

#[derive(Debug)]
pub struct AgentToolSpec {
    pub tool: Tool,
    /// The agent's name for it and the name of its files. Interfaces of models accept letters, digits, `_`
    /// and `-` alone, so it differs from the tool's own where that has a dot.
    pub agent_name: &'static str,
    /// Incremented with every change of the parameters that is incompatible with the old module.
    pub version: u32,
    /// The modes that have the tool. The lanes of the policy list the same.
    pub modes: &'static [Mode],
    pub host: ToolHost,
    /// The model's description, which is also in the `.txt` file.
    pub description: &'static str,
    pub parameters: &'static [Field],
    /// The result, described for users.
    pub answer: &'static str,
}

/// The process that runs a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolHost {
    /// The gateway, called by a callback that waits.
    Gateway,
    /// The module itself; the gateway sees the call in the agent's events.
    Sandbox,
}
