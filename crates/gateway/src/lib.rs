//! HTTP: routes, callers, and the one mapping from errors to answers.
//!
//! A request passes the layers of [`layers`], is decoded by [`extract`], and becomes one call into
//! `app`; a handler converts and nothing more. `router.rs` lists every route.

mod dashboard;
mod error;
mod extract;
mod forward;
mod layers;
pub mod openapi;
mod options;
mod router;
mod routes;
mod server;
mod state;

pub use dashboard::{Dashboard, File};
pub use options::Options;
pub use router::router;
pub use server::{Stopped, serve};
pub use state::{Gateway, Metrics};
