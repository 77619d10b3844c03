//! Why a use case did not happen, told apart by what the caller can do about it. The gateway maps
//! each to a code and a status; nothing here holds a secret or an internal detail for clients.

use std::time::Duration;

use domain::{capacity::CapacityExceeded, invalid::Invalid, session::InvalidTransition};
use tokio::task::JoinError;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request breaks a rule; each entry names the field.
    #[error("the request is not valid")]
    Invalid(Vec<Invalid>),
    /// The caller is unknown, or not known any more.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// The caller is known, but the token has expired.
    #[error("the token has expired")]
    TokenExpired,
    /// The caller is known and may not do this.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The caller's organization is suspended or being deleted, and the request would start or change something.
    #[error("{0}")]
    OrganizationSuspended(String),
    /// Not there, or not in the caller's organization: the two are not told apart.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// Something of the same name or place exists.
    #[error("{0}")]
    Conflict(String),
    /// The idempotency key was used for a different request.
    #[error("the idempotency key was used for a different request")]
    IdempotencyConflict,
    /// The session is not in a state that allows it, or left it while we were at it.
    #[error(transparent)]
    InvalidState(#[from] InvalidTransition),
    /// A bound on how many there may be.
    #[error("{0}")]
    LimitReached(String),
    /// The organization may not start sessions now.
    #[error("{0}")]
    AdmissionDenied(String),
    /// More often than is allowed; the same call may succeed after a while.
    #[error("{message}")]
    RateLimited {
        message: &'static str,
        retry_after: Duration,
    },
    /// It was there and its time is over.
    #[error("{0}")]
    Gone(String),
    /// A bounded queue or budget of this instance is full; nothing was done, and the same call may succeed later.
    #[error("{0}")]
    Overloaded(&'static str),
    /// This instance is draining or shutting down and opens no session; another instance does.
    #[error("this gateway takes no new sessions: it is draining or shutting down; try again")]
    Draining,
    /// The session is being moved to another sandbox or evicted; the same call succeeds once that is done.
    #[error("the session is being moved or evicted; try again")]
    SessionInTransition,
    /// The instance that owns the session does not respond. Another one takes over when its lease ends.
    #[error("the instance that owns this session does not respond; another takes over within 30 s")]
    OwnerUnavailable,
    /// The caller's share of what this instance has is used up, or all of it is.
    #[error(transparent)]
    Exceeded(#[from] CapacityExceeded),
    /// As many sessions are live here as may be, and all of them are in use.
    #[error("this instance serves as many sessions as it can, and all of them are in use")]
    Full { retry_after: Duration },
    /// Another instance serves the session; it is reached there.
    #[error("another instance serves this session")]
    Elsewhere { url: String },
    /// An outside service that has to be asked does not answer; the same call may succeed later.
    #[error("{0}")]
    Outside(String),
    #[error(transparent)]
    Store(#[from] store::Error),
    /// More bytes than one artifact, or one piece of a recording, may have.
    #[error("at most {max} bytes can be sent here at once")]
    TooLarge { max: u64 },
    /// The client stopped sending before the end of the body.
    #[error("the body ended before it was complete")]
    Incomplete,
    /// Stored bytes are gone, or not what they were.
    #[error("stored bytes are missing or have changed: {0}")]
    Altered(#[source] blobs::Error),
    /// Stored bytes cannot be reached.
    #[error(transparent)]
    Storage(blobs::Error),
    #[error(transparent)]
    Coordination(#[from] coord::Error),
    /// Any of the others, of a call that is on record as refused.
    #[error(transparent)]
    Recorded(Box<Self>),
    /// A sealed value does not open: wrong key, or moved from where it belongs.
    #[error("a sealed value could not be opened: {0}")]
    Sealed(&'static str),
    /// A defect of this program: a state that its own code excludes.
    #[error("internal error: {0}")]
    Internal(&'static str),
}

impl Error {
    /// The error of a call whose refusal is on record, so that it is not recorded again.
    pub(crate) fn recorded(self) -> Self {
        Self::Recorded(Box::new(self))
    }

    /// The error itself, and whether it is on record.
    pub fn into_inner(self) -> (Self, bool) {
        match self {
            Self::Recorded(inner) => (*inner, true),
            error => (error, false),
        }
    }
}

impl From<JoinError> for Error {
    /// The error of a spawned task that returned nothing. The runtime cancels tasks only when the process ends.
    fn from(error: JoinError) -> Self {
        if error.is_panic() {
            Self::Internal("a task panicked")
        } else {
            Self::Draining
        }
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(vec![invalid])
    }
}

impl From<blobs::Error> for Error {
    fn from(error: blobs::Error) -> Self {
        use blobs::Error as B;
        match error {
            B::TooLarge { max } => Self::TooLarge { max },
            B::Body(_) => Self::Incomplete,
            B::NotFound | B::Altered { .. } => Self::Altered(error),
            B::Unsafe { .. } | B::Key(_) | B::Unavailable(_) => Self::Storage(error),
        }
    }
}
