//! The platform's tools for agents: one table, from which the modules in the sandbox, the model's schema,
//! the gateway's check and the documentation page are generated.

mod args;
mod catalog;
mod check;
mod module;
mod name;
mod page;
pub mod shape;
mod spec;
mod table;
#[cfg(test)]
mod tests;

pub use self::{
    args::{Args, RequestedKey, RequestedKind, Suggestion},
    catalog::{OutdatedTool, VERSION_HEADER, validate},
    module::{description_file, module_file},
    name::Tool,
    page::render as reference_markdown,
    spec::{AgentToolSpec, ToolHost},
};
