//! Instances that are alive, and taking one out of the fleet. They serve all organizations, so that only admins of those
//! who operate the installation come here.

use app::{access::FleetAdmin, fleet, jobs};
use axum::extract::State;
use domain::id::InstanceId;
use hub::house::House;
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

/// The instances that are alive, with their live sessions by phase and the leases that they hold, and how much there is
/// to do for all organizations. For operators, as all of the fleet.
///
/// What others are at is what they last said, at most 10 s ago.
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

/// One instance, as it is now. For operators.
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

/// Take an instance out of the fleet: it takes no new sessions and gives its own to other instances. For
/// operators.
///
/// Answers at once; `drain.left` is how many sessions are still there, and `/ready` is 503 meanwhile. Where no other
/// instance takes sessions, their sandboxes are saved and they are paused. Again is no error.
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
    let house = house(&gateway, id).await?;
    fleet::record(&gateway.app, &admin, "instance_drain").await?;
    house.drain();
    view(&gateway, &admin, id).await
}

/// Let an instance take sessions again. Those that it gave away stay where they are. For operators.
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
    let house = house(&gateway, id).await?;
    fleet::record(&gateway.app, &admin, "instance_undrain").await?;
    if !house.undrain() {
        return Err(Failure::new(Code::Conflict, "the instance is stopping"));
    }
    house.say_load().await;
    view(&gateway, &admin, id).await
}

/// The sessions of this instance, if it is the one that is meant.
async fn house(gateway: &Gateway, id: InstanceId) -> Answer<&House> {
    meant(gateway, id).await?;
    gateway.house.as_ref().ok_or_else(|| {
        let message = "this instance serves no sessions";
        Failure::new(Code::Conflict, message)
    })
}

async fn view(gateway: &Gateway, _: &FleetAdmin, id: InstanceId) -> Answer<Json<InstanceView>> {
    meant(gateway, id).await?;
    let mut instance = fleet::own(&gateway.app).await;
    if let Some(house) = &gateway.house {
        instance.load = house.load().await;
    }
    Ok(Json(InstanceView::new(instance, true)))
}

/// That this instance is the one that is meant; else where that one is.
async fn meant(gateway: &Gateway, id: InstanceId) -> Answer<()> {
    let app = &gateway.app;
    if id == app.instance.id {
        return Ok(());
    }
    let url = fleet::fetch(app, id).await?.advertised_url;
    Err(app::Error::Elsewhere { url }.into())
}
