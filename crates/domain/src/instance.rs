//! A process of ours, as the others see it.

use crate::{clock::Timestamp, id::InstanceId};

crate::text_enum! {
    /// What the process does.
    InstanceRole {
        Gateway = "gateway",
        Worker = "worker",
        /// Both in one process.
        All = "all",
    }
}

/// An entry of the instance registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    pub id: InstanceId,
    pub role: InstanceRole,
    /// Where other instances and redirected clients reach it.
    pub advertised_url: String,
    pub version: String,
    pub started_at: Timestamp,
    pub heartbeat_at: Timestamp,
    pub load: Load,
}

/// The live sessions of an instance, counted. Each has a lease that the instance holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Load {
    pub hubs_max: u32,
    /// Open, without an agent.
    pub cold: u32,
    /// Whose agents come up.
    pub booting: u32,
    pub running: u32,
    /// On their way out.
    pub leaving: u32,
    /// Of all of them, those whose lease cannot be confirmed.
    pub unconfirmed: u32,
    /// Who watches them.
    pub clients: u32,
}

impl Load {
    pub const fn hubs(&self) -> u32 {
        self.cold + self.booting + self.running + self.leaving
    }
}
