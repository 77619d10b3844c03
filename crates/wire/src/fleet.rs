//! Instances that are alive, and what they are at.

use chrono::{DateTime, Utc};
use domain::instance::{Drain, Instance, Load, Swept};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::job::JobCounts;

wire_enum! {
    /// What a process does.
    InstanceRole = domain::instance::InstanceRole {
        /// Serves requests and live sessions.
        Gateway = "gateway",
        /// Does the periodic work.
        Worker = "worker",
        /// Both.
        All = "all",
    }
}

/// All instances that are alive.
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
    /// Where the others reach it.
    #[schema(example = "http://10.0.0.2:7777")]
    pub url: String,
    pub version: String,
    pub started_at: DateTime<Utc>,
    pub heartbeat_at: DateTime<Utc>,
    /// Whether it is the one that answers.
    pub is_this: bool,
    pub hubs: HubCounts,
    /// How far it is with giving its sessions away; absent while it takes sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drain: Option<DrainView>,
    pub swept: SweptView,
}

/// An instance that takes no new sessions and gives its own to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DrainView {
    pub since: DateTime<Utc>,
    /// Sessions that went to other instances since.
    pub handed_over: u32,
    /// Sessions that were saved and paused, because nobody could go on with them.
    pub put_away: u32,
    /// Sessions that are still here.
    pub left: u32,
}

/// What an instance found without anybody who looks after it. Counts are since it started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SweptView {
    /// Sessions that it took over because nobody served them.
    pub adopted: u32,
    /// Sessions that it paused because their sandboxes were dead.
    pub dead: u32,
    /// Sandboxes that it ended because no session had them.
    pub ended: u32,
    /// Sandboxes of no session, at the last look, that it will end when their time is over.
    pub waiting: u32,
    /// Sandboxes, at the last look, of sessions that this installation does not know. They are left alone.
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
    /// How many it may have.
    pub max: u32,
    /// Leases that it holds: one for each of its sessions.
    pub leases: u32,
    /// Open, without an agent.
    pub cold: u32,
    /// Whose agents come up.
    pub booting: u32,
    pub running: u32,
    /// On their way out.
    pub leaving: u32,
    /// Of all of them, those whose lease cannot be confirmed, because coordination does not answer.
    pub unconfirmed: u32,
    /// Who watches them.
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
