//! The scripted model: an HTTP server that answers like Anthropic's Messages API and says what a script
//! or the prompt itself tells it to. What it does next is read from the conversation it is sent, so that
//! a repeated request gets the same answer and a restart loses nothing; only faults that are to happen a
//! number of times are counted here. Every answer says that it is scripted.

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

/// How every text of the model begins.
pub const LABEL: &str = "[scripted] ";
/// The header that every answer has.
pub const LABEL_HEADER: &str = "x-scripted-model";
