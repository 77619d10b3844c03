//! Request bodies as they arrive: within a size, at a minimum rate, and with memory that is reserved as they grow.
//!
//! INVARIANT: no memory is reserved for bytes that were announced and did not arrive. A body that falls behind the
//! minimum rate by more than its grace is ended, and its memory is released.

use std::{io, pin::pin, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes, HttpBody as _},
    extract::{FromRequest, Request},
};
use domain::{capacity::CapacityPermit, limits::BODY_BYTES_PER_SECOND_MIN};
use futures::Stream;
use tokio_util::sync::CancellationToken;
use wire::problem::Code;

pub(crate) use super::pace::BodyError;
use super::pace::{Buffer, Pace, reserve};
use crate::{error::Failure, state::Gateway};

impl BodyError {
    /// The failure for the client; `max` is the most bytes it may send.
    pub(crate) fn failure(self, max: usize) -> Failure {
        match self {
            Self::TooLarge => Failure::new(
                Code::PayloadTooLarge,
                format!("a body has at most {max} bytes"),
            ),
            Self::TooSlow => too_slow(),
            Self::Broken => Failure::new(
                Code::InvalidRequest,
                "the body ended before it was complete",
            ),
            Self::Exceeded(exceeded) => exceeded.into(),
        }
    }
}

fn too_slow() -> Failure {
    Failure::new(Code::BodyTooSlow, too_slow_message())
}

/// For responses in another envelope.
pub(crate) fn too_slow_message() -> String {
    let rate = BODY_BYTES_PER_SECOND_MIN / 1024;
    format!("the body was sent too slowly: less than {rate} KiB a second")
}

/// Reports afterwards whether a body ended because it was too slow: passed through other code, that is one failure of
/// many.
#[derive(Debug, Clone, Default)]
pub(crate) struct SlowBody(CancellationToken);

impl SlowBody {
    /// The result of the body, or that it was too slow where that is the cause.
    pub(crate) fn explain<T, E: Into<Failure>>(&self, result: Result<T, E>) -> Result<T, Failure> {
        result.map_err(|error| {
            if self.0.is_cancelled() {
                too_slow()
            } else {
                error.into()
            }
        })
    }
}

/// The chunks of the body at the minimum rate; for bodies that are passed on as they arrive.
pub(crate) fn paced(
    gateway: &Gateway,
    body: Body,
    grace: Duration,
) -> (
    impl Stream<Item = io::Result<Bytes>> + Send + use<>,
    SlowBody,
) {
    let slow = SlowBody::default();
    let pace = Pace::new(Arc::clone(&gateway.app.clock), grace);
    let state = Some((body.into_data_stream(), pace));
    let told = slow.clone();
    let pieces = futures::stream::unfold(state, move |state| {
        let slow = told.clone();
        async move {
            let (mut pieces, mut pace) = state?;
            match pace.next(&mut pieces).await {
                Ok(Some(piece)) => Some((Ok(piece), Some((pieces, pace)))),
                Ok(None) => None,
                Err(BodyError::TooSlow) => {
                    slow.0.cancel();
                    let error = io::Error::new(io::ErrorKind::TimedOut, "the body is too slow");
                    Some((Err(error), None))
                }
                Err(_) => Some((Err(io::Error::other("the body ended early")), None)),
            }
        }
    });
    (pieces, slow)
}

/// The whole body, of at most `max` bytes. With a permit, its memory is reserved in steps as it arrives, and the permit
/// ends up as large as the body.
pub(crate) async fn read(
    gateway: &Gateway,
    body: Body,
    max: usize,
    mut permit: Option<&mut CapacityPermit>,
) -> Result<Bytes, BodyError> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > max {
        return Err(BodyError::TooLarge);
    }
    let mut pace = Pace::new(Arc::clone(&gateway.app.clock), gateway.options.body_grace);
    let mut pieces = pin!(body.into_data_stream());
    let Some(first) = pace.next(&mut pieces).await? else {
        return Ok(Bytes::new());
    };
    let mut buffer = Buffer::default();
    // Most bodies arrive in one chunk, and are not copied.
    let mut next = pace.next(&mut pieces).await?;
    if next.is_none() && first.len() <= max {
        reserve(permit.as_deref_mut(), first.len())?;
        keep_only(permit, first.len());
        return Ok(first);
    }
    buffer.push(&first, max, permit.as_deref_mut())?;
    while let Some(piece) = next {
        buffer.push(&piece, max, permit.as_deref_mut())?;
        next = pace.next(&mut pieces).await?;
    }
    let bytes = buffer.into_bytes();
    keep_only(permit, bytes.len());
    Ok(bytes)
}

fn keep_only(permit: Option<&mut CapacityPermit>, bytes: usize) {
    if let Some(permit) = permit {
        permit.shrink_to(bytes as u64);
    }
}

/// The bytes of a small body, of any content.
#[derive(Debug)]
pub(crate) struct SmallBody(pub(crate) Bytes);

impl FromRequest<Gateway> for SmallBody {
    type Rejection = Failure;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, Failure> {
        let max = gateway.options.request_body_bytes_max;
        let body = read(gateway, request.into_body(), max, None).await;
        body.map(Self).map_err(|error| error.failure(max))
    }
}
