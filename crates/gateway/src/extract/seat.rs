//! A request's permit among those of its organization, from when its caller is known until its answer begins.

use std::sync::{Arc, OnceLock};

use axum::http::Extensions;
use domain::capacity::{CapacityExceeded, CapacityPermit, Claimant};

use crate::state::Gateway;

/// Where the permit is kept; `admit` holds it for as long as the request is under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seat(Arc<OnceLock<CapacityPermit>>);

/// Takes the request's permit, unless it has one. A request that was let in by nothing that holds one needs none.
pub(crate) fn take_seat(
    gateway: &Gateway,
    extensions: &Extensions,
    claimant: &Claimant,
) -> Result<(), CapacityExceeded> {
    let Some(seat) = extensions
        .get::<Seat>()
        .filter(|seat| seat.0.get().is_none())
    else {
        return Ok(());
    };
    let requests = gateway.capacities.requests_of(claimant);
    let permit = requests.try_acquire(claimant, 1)?;
    // Only this task handles the request, so no other permit is set.
    _ = seat.0.set(permit);
    Ok(())
}
