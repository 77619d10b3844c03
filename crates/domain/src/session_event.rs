//! An event of a session's log: what its clients were sent, and its position.

use crate::clock::Timestamp;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionEvent {
    /// Its position, from 1 without gaps.
    pub seq: u64,
    /// The name of the message.
    pub kind: String,
    /// Its content as JSON, byte for byte; empty where the kind is the whole message.
    pub payload: String,
    pub created_at: Timestamp,
}
