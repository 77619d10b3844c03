//! The proliferate binary.

pub mod telemetry;
