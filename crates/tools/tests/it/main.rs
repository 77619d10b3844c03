//! Executors against real programs and real connections.

mod command;
mod confinement;
mod engines;
mod http;
mod picture;
mod support;
