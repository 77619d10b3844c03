//! A request's permit among those of its organization, from when it is authenticated until its response
//! starts.

use std::sync::{Arc, OnceLock};

use axum::http::Extensions;
use domain::capacity::{CapacityExceeded, CapacityPermit, Claimant};

use crate::state::Gateway;

/// The slot for the permit; `admit` holds it for as long as the request is under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestPermit(Arc<OnceLock<CapacityPermit>>);

/// Acquires the request's permit, unless it has one. A request without a slot needs none.
pub(crate) fn acquire_request_permit(
    gateway: &Gateway,
    extensions: &Extensions,
    claimant: &Claimant,
) -> Result<(), CapacityExceeded> {
    let Some(request_permit) = extensions
        .get::<RequestPermit>()
        .filter(|request_permit| request_permit.0.get().is_none())
    else {
        return Ok(());
    };
    let requests = gateway.capacities.requests_of(claimant);
    let permit = requests.try_acquire(claimant, 1)?;
    // Only this task handles the request, so no other permit is set.
    _ = request_permit.0.set(permit);
    Ok(())
}
