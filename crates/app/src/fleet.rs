//! The owner of a session: one instance, by its lease.
//!
//! What is returned here may have changed by the time it is read. It decides where a request goes, never whether a write
//! is accepted: the owner epoch in the database decides that.

use domain::{
    caller::Caller,
    id::{InstanceId, SessionId},
    instance::{self, Instance, Load},
    lease::LeaseKey,
    limits::INSTANCE_TTL,
};

use crate::{
    access::{FleetAdmin, SessionAccess},
    audit,
    context::App,
    error::{Error, Result},
};

/// Which instance serves a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionOwner {
    /// No other instance: this one may serve it.
    NoOther,
    Other(Instance),
    /// One that is not alive any more; its lease ends by itself.
    Lost,
}

/// The instances that are alive, oldest first; this one as it is now.
pub async fn list(app: &App, _: &FleetAdmin) -> Result<Vec<Instance>> {
    let mut instances = app.coordination.instances().await?;
    instances.retain(|instance| instance.id != app.instance.id);
    instances.push(this_instance(app).await);
    instances.sort_by_key(|instance| instance.id);
    Ok(instances)
}

/// This one, as it is now.
pub async fn this_instance(app: &App) -> Instance {
    Instance {
        heartbeat_at: app.now(),
        load: app.provisioner.load().await,
        ..app.instance.clone()
    }
}

/// Records that an operator changed this instance's place in the fleet.
pub async fn record(app: &App, admin: &FleetAdmin, what: &'static str) -> Result<()> {
    let mut tx = app.db.write().await?;
    let id = Some(app.instance.id.uuid());
    audit::record_operation(&mut tx, app, admin, what, id).await?;
    tx.commit().await?;
    Ok(())
}

/// Announces the load of this instance to the others, before the next heartbeat does.
pub async fn announce(app: &App, load: Load) -> Result<()> {
    let announced = app.coordination.instance(app.instance.id).await?;
    let instance = Instance {
        heartbeat_at: app.now(),
        load,
        // Its address was announced before.
        ..announced.unwrap_or_else(|| app.instance.clone())
    };
    app.coordination.announce(&instance, INSTANCE_TTL).await?;
    Ok(())
}

/// One of the instances that are alive.
pub async fn fetch(app: &App, id: InstanceId) -> Result<Instance> {
    let found = app.coordination.instance(id).await?;
    found.ok_or(Error::NotFound("instance"))
}

/// The instance that can take what this one does not.
pub async fn successor(app: &App) -> Result<Option<Instance>> {
    let instances = app.coordination.instances().await?;
    Ok(instance::successor(&instances, app.instance.id, |_| 0).cloned())
}

/// Looks up which instance serves a session.
pub async fn owner(app: &App, id: SessionId) -> Result<SessionOwner> {
    match app.coordination.owner(LeaseKey::Owner(id)).await? {
        None => Ok(SessionOwner::NoOther),
        Some(holder) if holder == app.instance.id => Ok(SessionOwner::NoOther),
        Some(holder) => instance(app, holder).await,
    }
}

/// Why this instance does not take a session that `holder` has.
pub async fn held_by_error(app: &App, holder: InstanceId) -> Error {
    match instance(app, holder).await {
        Ok(SessionOwner::Other(instance)) => Error::Elsewhere {
            url: instance.advertised_url,
        },
        Ok(_) => owner_unavailable(),
        Err(error) => error,
    }
}

/// Requires that the caller may know of the session: only then is it told where the session is, or what is wrong there.
pub async fn require_session(app: &App, caller: &Caller, id: SessionId) -> Result<()> {
    SessionAccess::of_caller(app, caller, id).await.map(drop)
}

/// The answer while no instance serves a session whose lease has not ended.
pub fn owner_unavailable() -> Error {
    Error::OwnerUnavailable
}

async fn instance(app: &App, holder: InstanceId) -> Result<SessionOwner> {
    let found = app.coordination.instance(holder).await?;
    Ok(found.map_or(SessionOwner::Lost, SessionOwner::Other))
}
