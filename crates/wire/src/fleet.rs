//! Instances that are alive, and what they are at.

use chrono::{DateTime, Utc};
use domain::instance::{Instance, Load};
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
    /// The queue of durable jobs.
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
        Self {
            id: instance.id.uuid(),
            role: instance.role.into(),
            url: instance.advertised_url,
            version: instance.version,
            started_at: instance.started_at.datetime(),
            heartbeat_at: instance.heartbeat_at.datetime(),
            is_this,
            hubs: instance.load.into(),
        }
    }
}
