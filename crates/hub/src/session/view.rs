//! What a live session returns to its callers and sends to its clients.

use std::{sync::Arc, time::Duration};

use tokio::sync::{broadcast, oneshot};
use wire::live::{
    BootStep, ConnectedClient, EnvRequest, Frame, LiveMessage, LiveStatus, MessageSource,
    ServerMessage, TextPart,
};

use crate::log::LogEntry;

/// What is sent to all clients.
#[derive(Debug, Clone)]
pub enum Broadcast {
    /// An event of the log.
    Logged(LogEntry),
    /// A frame about this moment, which is not in the log.
    Unlogged(Arc<str>),
}

/// Serializes a message as a frame that is not in the log.
pub fn unlogged_frame(message: ServerMessage) -> Arc<str> {
    let frame = Frame { seq: None, message };
    // A message contains only what JSON can express.
    serde_json::to_string(&frame).unwrap_or_default().into()
}

/// A prompt for the agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPrompt {
    pub text: String,
    /// Data URIs, checked.
    pub images: Vec<String>,
    pub sender_id: Option<String>,
    pub source: Option<MessageSource>,
    /// The idempotency key: the same key again is the same prompt.
    pub key: Option<String>,
}

/// One client's attachment to the stream. It is sent, in this order: `earlier` from the log, `entries`, then what `live`
/// brings. A client that lags attaches again after the last event that it has.
#[derive(Debug)]
pub struct StreamAttachment {
    /// The session up to `seq`, for a new client.
    pub view: Option<SessionView>,
    /// The text that the agent is writing, up to `seq`.
    pub text: Option<TextPart>,
    pub clients: Vec<ConnectedClient>,
    pub status: LiveStatus,
    pub seq: u64,
    /// Read these events from the log first: after the first number, before the second.
    pub earlier: Option<(u64, u64)>,
    pub entries: Vec<LogEntry>,
    pub live: broadcast::Receiver<Broadcast>,
}

/// The session as a new client is shown it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionView {
    pub messages: Vec<LiveMessage>,
    pub env_requests: Vec<EnvRequest>,
    pub timeline: Vec<BootStep>,
}

/// A connected client. Dropping it disconnects the client.
#[derive(Debug)]
pub struct ClientConnection {
    pub connection_id: String,
    pub(super) _disconnect: oneshot::Sender<()>,
}

/// The status of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct StatusReport {
    pub status: LiveStatus,
    /// The agent runs and waits for a prompt.
    pub is_idle: bool,
    pub seq: u64,
    /// The text that the agent is writing, up to `seq`.
    pub text: Option<TextPart>,
}

/// Whether a session is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActivityReport {
    pub status: LiveStatus,
    pub clients: usize,
    /// No client is connected, the agent is idle, and no prompt waits for it.
    pub is_resting: bool,
    /// The agent runs or boots, or a prompt waits for it.
    pub wants_agent: bool,
    /// Time since the last activity.
    pub quiet: Duration,
    /// The agent's stream is connected and was caught up with.
    pub is_heard: bool,
}
