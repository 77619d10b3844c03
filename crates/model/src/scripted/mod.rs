//! The scripted model: an HTTP server with Anthropic's Messages API that responds as a script or the
//! prompt itself instructs. Its next step is derived from the conversation in the request, so that a
//! repeated request gets the same response and a restart loses nothing; only faults that are to happen a
//! number of times are counted here. Every response is marked as scripted.

mod answer;
mod check;
mod conversation;
mod directives;
mod error;
mod fault;
mod fill;
mod program;
mod request;
mod script;
mod server;
mod stream;

pub use fault::{Fault, Times};
pub use program::{Condition, FaultStep, IfStep, RepeatStep, Step, ToolCall};
pub use script::{Scene, Script, ScriptError};
pub use server::{Scripted, router};

/// The prefix of every text of the model.
pub const LABEL: &str = "[scripted] ";
/// The header of every response.
pub const LABEL_HEADER: &str = "x-scripted-model";
