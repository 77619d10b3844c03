//! OpenCode, the agent: its server's requests and events. Nothing outside this folder knows its names or shapes;
//! what comes out is what those who watch a session are told.
//!
//! `client` asks, `feed` listens and catches up after every connect, `mapping` turns what is heard into what is
//! told, `watchdog` says when silence is too long. What the agent says is data of a sandbox, which may lie:
//! everything read is bounded, and nothing of it decides anything but what is shown.

mod client;
mod error;
mod event;
mod feed;
mod id;
mod mapping;
mod shapes;
mod transport;
mod watchdog;

pub use client::{Client, PermissionReply, PromptBody, PromptImage, PromptModel, listening_at};
pub use error::{AgentError, Retry};
pub use event::AgentEvent;
pub use feed::{Caught, Feed, Lost, Reconnect, run_feed};
pub use id::PromptIds;
pub use mapping::{LiveEvent, State};
pub use shapes::{
    AgentFault, MessageInfo, MessageTime, Part, PartKind, Permission, Role, SessionInfo,
    SessionStatus, StoredMessage, ToolState,
};
pub use transport::{Connection, Transport};
pub use watchdog::{Alarm, Watchdog};
