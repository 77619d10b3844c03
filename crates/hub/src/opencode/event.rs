//! An event of the agent's stream.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    error::{AgentError, ExceededLimit},
    read_limiter::check_memory,
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
struct SessionProperties {
    #[serde(rename = "sessionID")]
    session_id: String,
    #[serde(default)]
    status: SessionStatus,
}

#[derive(Deserialize)]
struct PartProperties {
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
struct ErrorProperties {
    #[serde(rename = "sessionID", default)]
    session_id: Option<String>,
    error: Option<AgentFault>,
}

#[derive(Deserialize)]
struct ReplyProperties {
    #[serde(rename = "sessionID")]
    session_id: String,
    #[serde(rename = "requestID")]
    request_id: String,
}

#[derive(Deserialize)]
struct InfoProperties<T> {
    info: T,
}

#[derive(Deserialize)]
struct UpdatedPart {
    part: Part,
}

impl AgentEvent {
    /// Parses one event. Unknown kinds are `Other`; a known kind of another shape is an error, since something would be
    /// missed.
    pub fn parse(text: &str) -> Result<Self, AgentError> {
        Self::parse_measured(text).map(|(event, _)| event)
    }

    /// Parses one event, and returns an upper bound of the memory that it takes.
    pub(super) fn parse_measured(text: &str) -> Result<(Self, usize), AgentError> {
        let memory = check_memory(text.as_bytes())?;
        let mut event = Self::parse_kind(text)?;
        event.check_ids()?;
        match &mut event {
            Self::PartUpdated(part) => part.cut(),
            Self::MessageUpdated(info) => info.cut(),
            _ => {}
        }
        Ok((event, memory))
    }

    fn check_ids(&self) -> Result<(), ExceededLimit> {
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

    fn parse_kind(text: &str) -> Result<Self, AgentError> {
        let Envelope { kind, properties } = parse_json("event", || serde_json::from_str(text))?;
        Ok(match kind.as_str() {
            "server.connected" => Self::Connected,
            "server.heartbeat" => Self::Heartbeat,
            "server.instance.disposed" | "global.disposed" => Self::Disposed,
            "message.updated" => Self::MessageUpdated(Box::new(
                parse_properties::<InfoProperties<MessageInfo>>(&kind, properties)?.info,
            )),
            "message.part.updated" => Self::PartUpdated(Box::new(
                parse_properties::<UpdatedPart>(&kind, properties)?.part,
            )),
            "message.part.delta" => {
                let part: PartProperties = parse_properties(&kind, properties)?;
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
                let part: PartProperties = parse_properties(&kind, properties)?;
                Self::MessageRemoved {
                    session_id: part.session_id,
                    message_id: part.message_id,
                }
            }
            "message.part.removed" => {
                let part: PartProperties = parse_properties(&kind, properties)?;
                Self::PartRemoved {
                    session_id: part.session_id,
                    message_id: part.message_id,
                    part_id: part.part_id,
                }
            }
            _ => return Self::parse_session_event(&kind, properties),
        })
    }

    fn parse_session_event(kind: &str, properties: Value) -> Result<Self, AgentError> {
        Ok(match kind {
            "session.status" => {
                let SessionProperties { session_id, status } = parse_properties(kind, properties)?;
                Self::Status { session_id, status }
            }
            "session.idle" => Self::Idle {
                session_id: parse_properties::<SessionProperties>(kind, properties)?.session_id,
            },
            "session.error" => match parse_properties(kind, properties)? {
                ErrorProperties {
                    session_id,
                    error: Some(fault),
                } => Self::Error { session_id, fault },
                ErrorProperties { error: None, .. } => Self::Other,
            },
            "session.updated" => Self::SessionUpdated(
                parse_properties::<InfoProperties<SessionInfo>>(kind, properties)?.info,
            ),
            "permission.asked" => Self::PermissionAsked(parse_properties(kind, properties)?),
            "permission.replied" => {
                let ReplyProperties {
                    session_id,
                    request_id,
                } = parse_properties(kind, properties)?;
                Self::PermissionReplied {
                    session_id,
                    permission_id: request_id,
                }
            }
            _ => Self::Other,
        })
    }
}

fn parse_properties<T: DeserializeOwned>(kind: &str, properties: Value) -> Result<T, AgentError> {
    parse_json(kind, || serde_json::from_value(properties))
}

/// Without the value: it may hold anything.
fn parse_json<T>(
    kind: &str,
    parse: impl FnOnce() -> serde_json::Result<T>,
) -> Result<T, AgentError> {
    parse().map_err(|error| AgentError::Protocol(format!("{kind} at column {}", error.column())))
}
