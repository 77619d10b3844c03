//! Services: started in order, kept running, stopped with everything they started, and found again by the
//! next daemon.
//!
//! INVARIANT: one task runs a service at a time; starting, stopping and replacing go one after another.

mod lifecycle;
mod restart_rule;
mod saved;
mod service_run;
mod supervisor;
mod table;

pub(super) use self::{
    supervisor::{ServiceRequest, ServiceSupervisor},
    table::{ServiceTimes, make_directories},
};
