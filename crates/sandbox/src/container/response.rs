//! Responses of the engine: their status, the ones that cannot be read yet, and the errors they become.

use backon::{ConstantBuilder, Retryable as _};
use bollard::errors::Error as EngineError;
use domain::limits::{SANDBOX_ENGINE_SETTLE_EVERY, SANDBOX_ENGINE_SETTLE_TRIES};

use crate::Error;

/// The status of a failed request. podman answers 500 for a container that is removed while it looks at it.
pub(super) fn status_code(error: &EngineError) -> Option<u16> {
    match error {
        EngineError::DockerResponseServerError { message, .. }
            if message.contains("no such container") =>
        {
            Some(404)
        }
        EngineError::DockerResponseServerError { status_code, .. } => Some(*status_code),
        _ => None,
    }
}

/// Repeats a request until the response can be read. podman calls a container `stopped` between its end and what it
/// tidies up then; that is no word of the Docker API, and the client refuses the whole response for it.
pub(super) async fn retry_unreadable<T, F>(request: impl Fn() -> F) -> Result<T, EngineError>
where
    F: Future<Output = Result<T, EngineError>>,
{
    let is_unreadable = |error: &EngineError| matches!(error, EngineError::JsonDataError { .. });
    request.retry(settling_pauses()).when(is_unreadable).await
}

/// The pauses in which the engine completes what it has begun.
pub(super) fn settling_pauses() -> ConstantBuilder {
    ConstantBuilder::new()
        .with_delay(SANDBOX_ENGINE_SETTLE_EVERY)
        .with_max_times(SANDBOX_ENGINE_SETTLE_TRIES - 1)
}

/// An error with the engine's own words: they name containers, images and trouble of the engine, which receives nothing
/// more than that.
pub(super) fn failed(step: &'static str) -> impl Fn(EngineError) -> Error {
    move |error| match error {
        EngineError::RequestTimeoutError => Error::TimedOut { step },
        EngineError::DockerResponseServerError { message, .. } => Error::failed(step, message),
        other => Error::failed(step, other),
    }
}
