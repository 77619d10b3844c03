//! The tools of a server with their whole definitions, and notes about what was left out. Pure: the client fills it.

mod annotations;
mod guide;
mod names;
mod params;
mod pin;
mod risk;
mod tool;

pub(crate) use self::tool::{OfferedTool, ToolCollector, value_bytes};
pub use self::{
    annotations::Annotations,
    guide::guide,
    names::action_name,
    params::params,
    pin::{DefinitionStatus, definition_digest, review},
    risk::tool_risk,
    tool::{Tool, ToolList},
};
