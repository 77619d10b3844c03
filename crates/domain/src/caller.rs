//! The caller of a request. A caller always belongs to exactly one organization: everything it asks
//! for is looked up inside that organization, so a foreign id is not found.

use crate::{
    id::{ApiKeyId, LoginId, OrganizationId, SessionId, UserId},
    login::LoginMethod,
    role::Role,
};

/// An authenticated caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// A user, by a signed token, an API key or a login in a browser. The role is the member row's, never the token's.
    User {
        organization_id: OrganizationId,
        user_id: UserId,
        role: Role,
        credential: Credential,
    },
    /// Another service of the platform.
    Service {
        organization_id: OrganizationId,
        name: String,
    },
    /// The agent inside the sandbox of one session, for one boot of it.
    Sandbox {
        organization_id: OrganizationId,
        session_id: SessionId,
        incarnation: Incarnation,
    },
}

/// How a user authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential {
    Token,
    ApiKey(ApiKeyId),
    /// A browser with a login.
    Login {
        id: LoginId,
        method: LoginMethod,
    },
}

/// Counts the boots of a session's sandbox. A token is valid only for the boot it was issued for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Incarnation(pub i64);

impl Caller {
    pub fn organization_id(&self) -> &OrganizationId {
        match self {
            Self::User {
                organization_id, ..
            }
            | Self::Service {
                organization_id, ..
            }
            | Self::Sandbox {
                organization_id, ..
            } => organization_id,
        }
    }

    pub fn user_id(&self) -> Option<&UserId> {
        match self {
            Self::User { user_id, .. } => Some(user_id),
            Self::Service { .. } | Self::Sandbox { .. } => None,
        }
    }

    /// The word for this kind of caller in messages and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::User { .. } => "user",
            Self::Service { .. } => "service",
            Self::Sandbox { .. } => "sandbox",
        }
    }
}
