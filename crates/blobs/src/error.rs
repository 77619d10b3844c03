//! Why bytes could not be stored or read, distinguished by how the caller can react.

pub type Result<T> = std::result::Result<T, Error>;

pub(crate) type Source = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing is stored there.
    #[error("nothing is stored there")]
    NotFound,
    /// More than was allowed; nothing was stored.
    #[error("it has more than {max} bytes")]
    TooLarge { max: u64 },
    /// The sender of the bytes stopped before the end; nothing was stored.
    #[error("the bytes ended before they were complete")]
    Body(#[source] Source),
    /// The stored bytes have changed: by an attacker, or by a failing disk.
    #[error("the bytes stored at {key} have changed")]
    Altered { key: String },
    /// The storage directory, or an entry of it, was not created by the gateway.
    #[error("{path}: {reason}")]
    Unsafe { path: String, reason: &'static str },
    /// An id that cannot be a part of a key.
    #[error("`{0}` cannot be part of a storage key")]
    Key(String),
    /// Storage does not respond, or refuses access.
    #[error("storage: {0}")]
    Unavailable(#[source] Source),
}

impl Error {
    pub(crate) fn unavailable(source: impl Into<Source>) -> Self {
        Self::Unavailable(source.into())
    }
}

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => Self::NotFound,
            other => Self::unavailable(other),
        }
    }
}
