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
}
