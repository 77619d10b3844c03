//! An event of a session's log: what those who watch were told, and its place.

use crate::clock::Timestamp;

/// Something that was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionEvent {
    /// Its place, from 1 without gaps.
    pub seq: u64,
    /// The name of the message.
    pub kind: String,
    /// Its content as JSON, byte for byte; empty where the kind says all.
    pub payload: String,
    pub created_at: Timestamp,
}
