//! Live instances and their status.

use chrono::{DateTime, Utc};
use domain::instance::{Drain, Instance, Load, Swept};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::job::JobCounts;

wire_enum! {
    /// The role of a process.
    InstanceRole = domain::instance::InstanceRole {
        /// Serves requests and live sessions.
        Gateway = "gateway",
        /// Runs the periodic work.
        Worker = "worker",
        /// Both.
        All = "all",
    }
}

/// All live instances.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FleetView {
    /// Oldest first.
    pub instances: Vec<InstanceView>,
    /// Live sessions of all of them.
    pub hubs: u32,
    /// The queue of durable jobs, of all organizations.
    pub jobs: JobCounts,
}

/// An instance, as it last described itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstanceView {
    pub id: Uuid,
    pub role: InstanceRole,
    /// The URL at which other instances reach it.
    #[schema(example = "http://10.0.0.2:7777")]
    pub url: String,
    pub version: String,
    pub started_at: DateTime<Utc>,
    pub heartbeat_at: DateTime<Utc>,
    /// Whether it is the one that responds.
    pub is_this: bool,
    pub hubs: HubCounts,
    /// The progress of its drain; absent while it accepts sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drain: Option<DrainView>,
    pub swept: SweptView,
}

/// An instance that accepts no new sessions and hands its own over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DrainView {
    pub since: DateTime<Utc>,
    /// Sessions handed off to other instances since.
    pub handed_over: u32,
    /// Sessions that were saved and paused, because no instance could take them over.
    pub put_away: u32,
    /// Sessions that are still on it.
    pub left: u32,
}

/// Ownerless sessions and sandboxes that an instance found. Counts are since it started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SweptView {
    /// Sessions without an owner that it took over.
    pub adopted: u32,
    /// Sessions that it paused because their sandboxes were dead.
    pub dead: u32,
    /// Sandboxes without a session that it ended.
    pub ended: u32,
    /// Sandboxes without a session, at the last sweep, that it will end after their grace period.
    pub waiting: u32,
    /// Sandboxes, at the last sweep, of sessions that this installation does not know. They are not
    /// touched.
    pub foreign: u32,
}

impl From<Swept> for SweptView {
    fn from(swept: Swept) -> Self {
        Self {
            adopted: swept.adopted,
            dead: swept.dead,
            ended: swept.ended,
            waiting: swept.waiting,
            foreign: swept.foreign,
        }
    }
}

/// The live sessions of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HubCounts {
    /// The maximum for the instance.
    pub max: u32,
    /// Leases that it holds: one for each of its sessions.
    pub leases: u32,
    /// Open, without an agent.
    pub cold: u32,
    /// With an agent that is booting.
    pub booting: u32,
    pub running: u32,
    /// Being closed.
    pub leaving: u32,
    /// Those among all of them whose lease cannot be confirmed, because coordination does not
    /// respond.
    pub unconfirmed: u32,
    /// Connected clients.
    pub clients: u32,
}

impl From<Load> for HubCounts {
    fn from(load: Load) -> Self {
        Self {
            max: load.hubs_max,
            leases: load.hubs(),
            cold: load.cold,
            booting: load.booting,
            running: load.running,
            leaving: load.leaving,
            unconfirmed: load.unconfirmed,
            clients: load.clients,
        }
    }
}

impl InstanceView {
    pub fn new(instance: Instance, is_this: bool) -> Self {
        let left = instance.load.hubs();
        let drain = |drain: Drain| DrainView {
            since: drain.since.datetime(),
            handed_over: drain.handed_over,
            put_away: drain.put_away,
            left,
        };
        Self {
            id: instance.id.uuid(),
            role: instance.role.into(),
            url: instance.advertised_url,
            version: instance.version,
            started_at: instance.started_at.datetime(),
            heartbeat_at: instance.heartbeat_at.datetime(),
            is_this,
            hubs: instance.load.into(),
            drain: instance.load.drain.map(drain),
            swept: instance.load.swept.into(),
        }
    }
}
