//! Live instances, and draining one. They serve all organizations, so only admins of an operating organization have
//! access.

use app::{access::FleetAdmin, fleet, jobs};
use axum::extract::State;
use domain::id::InstanceId;
use hub::Hub;
use wire::{
    fleet::{FleetView, InstanceView},
    job::JobCounts,
    problem::Code,
};

use super::Answer;
use crate::{
    error::Failure,
    extract::{Auth, Json, PathId},
    openapi::{FleetProblems, InstanceProblems},
    state::Gateway,
};

/// The live instances, with their live sessions by phase and the leases that they hold, and the job queue of all
/// organizations. For operators, as all of the fleet.
///
/// The data of other instances is from their last heartbeat, at most 10 s ago.
#[utoipa::path(get, path = "/v1/fleet", operation_id = "fleet_show", tag = "operations",
    responses((status = 200, description = "The fleet", body = FleetView), FleetProblems))]
pub(crate) async fn show(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<FleetAdmin>,
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

/// One instance, in its current state. For operators.
#[utoipa::path(get, path = "/v1/fleet/instances/{id}", operation_id = "instance_show", tag = "operations",
    params(("id" = uuid::Uuid, Path, description = "The instance")),
    responses((status = 200, description = "The instance", body = InstanceView), InstanceProblems))]
pub(crate) async fn instance(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<FleetAdmin>,
    PathId(id): PathId<InstanceId>,
) -> Answer<Json<InstanceView>> {
    view(&gateway, &admin, id).await
}

/// Drain an instance: it accepts no new sessions and hands its own over to other instances. For operators.
///
/// Responds at once; `drain.left` is the number of sessions that are still on it, and `/ready` is 503 meanwhile.
/// Where no other instance accepts sessions, their sandboxes are saved and they are paused. Repeating it is not an
/// error.
#[utoipa::path(post, path = "/v1/fleet/instances/{id}/drain", operation_id = "instance_drain",
    tag = "operations",
    params(("id" = uuid::Uuid, Path, description = "The instance")),
    responses((status = 200, description = "The instance as it is now", body = InstanceView),
        InstanceProblems))]
pub(crate) async fn drain(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<FleetAdmin>,
    PathId(id): PathId<InstanceId>,
) -> Answer<Json<InstanceView>> {
    let hub = hub(&gateway, id).await?;
    fleet::record(&gateway.app, &admin, "instance_drain").await?;
    hub.fleet.drain();
    view(&gateway, &admin, id).await
}

/// Let an instance accept sessions again. Sessions that it handed off stay where they are. For
/// operators.
#[utoipa::path(delete, path = "/v1/fleet/instances/{id}/drain", operation_id = "instance_undrain",
    tag = "operations",
    params(("id" = uuid::Uuid, Path, description = "The instance")),
    responses((status = 200, description = "The instance as it is now", body = InstanceView),
        InstanceProblems))]
pub(crate) async fn undrain(
    State(gateway): State<Gateway>,
    Auth(admin): Auth<FleetAdmin>,
    PathId(id): PathId<InstanceId>,
) -> Answer<Json<InstanceView>> {
    let hub = hub(&gateway, id).await?;
    fleet::record(&gateway.app, &admin, "instance_undrain").await?;
    if !hub.fleet.undrain() {
        return Err(Failure::new(Code::Conflict, "the instance is stopping"));
    }
    hub.fleet.announce_load().await;
    view(&gateway, &admin, id).await
}

/// The live sessions of this instance, if it is the requested one.
async fn hub(gateway: &Gateway, id: InstanceId) -> Answer<&Hub> {
    require_this_instance(gateway, id).await?;
    gateway.hub.as_ref().ok_or_else(|| {
        let message = "this instance serves no sessions";
        Failure::new(Code::Conflict, message)
    })
}

async fn view(gateway: &Gateway, _: &FleetAdmin, id: InstanceId) -> Answer<Json<InstanceView>> {
    require_this_instance(gateway, id).await?;
    let mut instance = fleet::this_instance(&gateway.app).await;
    if let Some(hub) = &gateway.hub {
        instance.load = hub.fleet.load().await;
    }
    Ok(Json(InstanceView::new(instance, true)))
}

/// Checks that this instance is the requested one; the error names the other's URL.
async fn require_this_instance(gateway: &Gateway, id: InstanceId) -> Answer<()> {
    let app = &gateway.app;
    if id == app.instance.id {
        return Ok(());
    }
    let url = fleet::fetch(app, id).await?.advertised_url;
    Err(app::Error::Elsewhere { url }.into())
}
