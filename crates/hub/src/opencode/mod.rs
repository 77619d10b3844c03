//! OpenCode, the agent: its server's requests and events. Nothing outside this folder knows its names or shapes;
//! what comes out is what those who watch a session are told.
//!
//! `client` asks, `record` reads what the agent has, `feed` listens and catches up after every connect, `mapping` turns what
//! is heard into what is told, `watchdog` says when silence is too long. What the agent says is data of a sandbox, which
//! may lie: `intake` bounds everything that is read, and nothing of it decides anything but what is shown.

mod calls;
mod client;
mod error;
mod event;
mod feed;
mod id;
mod intake;
mod mapping;
mod record;
mod shapes;
mod transport;
mod watchdog;

pub use client::{Client, PermissionReply, PromptBody, PromptImage, PromptModel, listening_at};
pub use error::{AgentError, Excess, Retry};
pub use event::AgentEvent;
pub use feed::{Caught, Feed, Heard, Lost, Reconnect, run_feed};
pub use id::PromptIds;
pub use intake::{Hold, Inflight};
pub use mapping::{LiveEvent, State};
pub use shapes::{
    AgentFault, MessageInfo, MessageTime, Part, PartKind, Permission, Role, SessionInfo,
    SessionStatus, StoredMessage, ToolInput, ToolProgress, ToolState, ToolStep,
};
pub use transport::{Connection, Transport};
pub use watchdog::{Alarm, Watchdog};
