//! What instances ask of each other, as JSON over coordination.

use serde::{Deserialize, Serialize};

/// A request to one instance. One that the receiver does not understand, because it has another version, is ignored: what
/// was asked for happens later, by a sweep or by the next caller.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum PeerMessage {
    /// Take this session, which has no owner.
    Adopt {
        organization_id: String,
        session_id: String,
        #[serde(default)]
        wants_agent: bool,
    },
    /// Resume this session: it was paused for its budget, which was raised.
    #[serde(rename = "go_on")]
    Resume { session_id: String },
}
