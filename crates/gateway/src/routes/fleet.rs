//! Instances that are alive.

use app::{access::Admin, fleet, jobs};
use axum::extract::State;
use wire::{
    fleet::{FleetView, InstanceView},
    job::JobCounts,
};

use super::Answer;
use crate::{
    extract::{Auth, Json},
    openapi::FleetProblems,
    state::Gateway,
};

/// The instances that are alive, with their live sessions by phase and the leases that they hold, and how much there is
/// to do.
///
/// What others are at is what they last said, at most 10 s ago.
#[utoipa::path(get, path = "/v1/fleet", operation_id = "fleet_show", tag = "operations",
    responses((status = 200, description = "The fleet", body = FleetView), FleetProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<Admin>,
) -> Answer<Json<FleetView>> {
    let own = gateway.app.instance.id;
    let instances = fleet::list(&gateway.app, &admin).await?;
    let counts = jobs::counts(&gateway.app, &admin).await?;
    let hubs = instances.iter().map(|instance| instance.load.hubs()).sum();
    let views = instances.into_iter().map(|instance| {
        let is_this = instance.id == own;
        InstanceView::new(instance, is_this)
    });
    Ok(Json(FleetView {
        instances: views.collect(),
        hubs,
        jobs: JobCounts {
            waiting: counts.waiting,
            due: counts.due,
            running: counts.running,
            failed: counts.failed,
        },
    }))
}
