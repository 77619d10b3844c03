//! An event of the agent's stream.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    error::{AgentError, Excess},
    intake::weigh,
    shapes::{AgentFault, MessageInfo, Part, Permission, SessionInfo, SessionStatus, check_ids},
};

/// One event of the agent.
#[derive(Debug, Clone, PartialEq)]
pub enum AgentEvent {
    /// The stream is connected.
    Connected,
    /// A heartbeat.
    Heartbeat,
    /// The agent unloads the session's directory; the stream ends.
    Disposed,
    MessageUpdated(Box<MessageInfo>),
    MessageRemoved {
        session_id: String,
        message_id: String,
    },
    PartUpdated(Box<Part>),
    PartRemoved {
        session_id: String,
        message_id: String,
        part_id: String,
    },
    PartDelta {
        session_id: String,
        message_id: String,
        part_id: String,
        delta: String,
    },
    Status {
        session_id: String,
        status: SessionStatus,
    },
    Idle {
        session_id: String,
    },
    Error {
        /// Absent if it belongs to no session.
        session_id: Option<String>,
        fault: AgentFault,
    },
    SessionUpdated(SessionInfo),
    PermissionAsked(Permission),
    PermissionReplied {
        session_id: String,
        permission_id: String,
    },
    /// A kind that is ignored.
    Other,
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    properties: Value,
}

#[derive(Deserialize)]
struct OfSession {
    #[serde(rename = "sessionID")]
    session_id: String,
    #[serde(default)]
    status: SessionStatus,
}

#[derive(Deserialize)]
struct OfPart {
    #[serde(rename = "sessionID")]
    session_id: String,
    #[serde(rename = "messageID")]
    message_id: String,
    #[serde(rename = "partID", default)]
    part_id: String,
    #[serde(default)]
    field: String,
    #[serde(default)]
    delta: String,
}

#[derive(Deserialize)]
struct OfError {
    #[serde(rename = "sessionID", default)]
    session_id: Option<String>,
    error: Option<AgentFault>,
}

#[derive(Deserialize)]
struct Replied {
    #[serde(rename = "sessionID")]
    session_id: String,
    #[serde(rename = "requestID")]
    request_id: String,
}

#[derive(Deserialize)]
struct Info<T> {
    info: T,
}

#[derive(Deserialize)]
struct OnePart {
    part: Part,
}

impl AgentEvent {
    /// Parses one event. Unknown kinds are `Other`; a known kind of another shape is an error, since something would be
    /// missed.
    pub fn parse(text: &str) -> Result<Self, AgentError> {
        Self::weighed(text).map(|(event, _)| event)
    }

    /// Parses one event, and returns an upper bound of the memory that it takes.
    pub(super) fn weighed(text: &str) -> Result<(Self, usize), AgentError> {
        let memory = weigh(text.as_bytes())?;
        let mut event = Self::read(text)?;
        event.check_ids()?;
        match &mut event {
            Self::PartUpdated(part) => part.cut(),
            Self::MessageUpdated(info) => info.cut(),
            _ => {}
        }
        Ok((event, memory))
    }

    fn check_ids(&self) -> Result<(), Excess> {
        match self {
            Self::MessageUpdated(info) => info.check_ids(),
            Self::PartUpdated(part) => part.check_ids(),
            Self::MessageRemoved {
                session_id,
                message_id,
            } => check_ids([session_id.as_str(), message_id]),
            Self::PartRemoved {
                session_id,
                message_id,
                part_id,
            }
            | Self::PartDelta {
                session_id,
                message_id,
                part_id,
                ..
            } => check_ids([session_id.as_str(), message_id, part_id]),
            Self::PermissionAsked(asked) => check_ids([asked.id.as_str(), &asked.permission]),
            // Nothing of other events is kept.
            _ => Ok(()),
        }
    }

    fn read(text: &str) -> Result<Self, AgentError> {
        let Envelope { kind, properties } = read("event", || serde_json::from_str(text))?;
        Ok(match kind.as_str() {
            "server.connected" => Self::Connected,
            "server.heartbeat" => Self::Heartbeat,
            "server.instance.disposed" | "global.disposed" => Self::Disposed,
            "message.updated" => {
                Self::MessageUpdated(Box::new(of::<Info<MessageInfo>>(&kind, properties)?.info))
            }
            "message.part.updated" => {
                Self::PartUpdated(Box::new(of::<OnePart>(&kind, properties)?.part))
            }
            "message.part.delta" => {
                let part: OfPart = of(&kind, properties)?;
                if part.field != "text" {
                    return Ok(Self::Other);
                }
                Self::PartDelta {
                    session_id: part.session_id,
                    message_id: part.message_id,
                    part_id: part.part_id,
                    delta: part.delta,
                }
            }
            "message.removed" => {
                let part: OfPart = of(&kind, properties)?;
                Self::MessageRemoved {
                    session_id: part.session_id,
                    message_id: part.message_id,
                }
            }
            "message.part.removed" => {
                let part: OfPart = of(&kind, properties)?;
                Self::PartRemoved {
                    session_id: part.session_id,
                    message_id: part.message_id,
                    part_id: part.part_id,
                }
            }
            _ => return Self::of_a_session(&kind, properties),
        })
    }

    fn of_a_session(kind: &str, properties: Value) -> Result<Self, AgentError> {
        Ok(match kind {
            "session.status" => {
                let OfSession { session_id, status } = of(kind, properties)?;
                Self::Status { session_id, status }
            }
            "session.idle" => Self::Idle {
                session_id: of::<OfSession>(kind, properties)?.session_id,
            },
            "session.error" => match of(kind, properties)? {
                OfError {
                    session_id,
                    error: Some(fault),
                } => Self::Error { session_id, fault },
                OfError { error: None, .. } => Self::Other,
            },
            "session.updated" => {
                Self::SessionUpdated(of::<Info<SessionInfo>>(kind, properties)?.info)
            }
            "permission.asked" => Self::PermissionAsked(of(kind, properties)?),
            "permission.replied" => {
                let Replied {
                    session_id,
                    request_id,
                } = of(kind, properties)?;
                Self::PermissionReplied {
                    session_id,
                    permission_id: request_id,
                }
            }
            _ => Self::Other,
        })
    }
}

fn of<T: DeserializeOwned>(kind: &str, properties: Value) -> Result<T, AgentError> {
    read(kind, || serde_json::from_value(properties))
}

/// Without the value: it may hold anything.
fn read<T>(kind: &str, parse: impl FnOnce() -> serde_json::Result<T>) -> Result<T, AgentError> {
    parse().map_err(|error| AgentError::Protocol(format!("{kind} at column {}", error.column())))
}
