//! OpenCode, the agent: its server's requests and events. Nothing outside this folder knows its names or shapes; its events
//! are mapped to the live messages of a session.
//!
//! `client` sends requests, `record` reads the agent's messages, `feed` follows its stream and catches up after every connect,
//! `mapping` maps its events to live messages, `watchdog` detects silence. What the agent sends is untrusted data of a
//! sandbox: `read_limiter` bounds everything that is read, and it decides nothing but what is shown.

mod calls;
mod client;
mod error;
mod event;
mod feed;
mod id;
mod mapping;
mod read_limiter;
mod record;
mod shapes;
mod transport;
mod watchdog;

pub use client::{
    AgentClient, PermissionReply, PromptBody, PromptImage, PromptModel, listening_at,
};
pub use error::{AgentError, ExceededLimit, Retry};
pub use event::AgentEvent;
pub use feed::{AgentRecord, FeedEvent, ReceivedEvent, ReconnectBackoff, StreamLoss, run_feed};
pub use id::PromptIds;
pub use mapping::{AgentState, LiveEvent};
pub use read_limiter::{MemoryReservation, ReadBudget};
pub use shapes::{
    AgentFault, MessageInfo, MessageTime, Part, PartKind, Permission, Role, SessionInfo,
    SessionStatus, StoredMessage, ToolInput, ToolProgress, ToolState, ToolStep,
};
pub use transport::{Connection, Transport};
pub use watchdog::{Alarm, Watchdog};
