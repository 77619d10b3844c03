//! HTTP: routes, callers, and the one mapping from errors to responses.
//!
//! A request passes the layers of [`layers`], is decoded by [`extract`], and becomes one call into
//! `app`; a handler converts and nothing more. `router.rs` lists every route.

mod capacities;
mod connections;
mod dashboard;
mod error;
mod extract;
mod forward;
mod layers;
pub mod openapi;
mod options;
mod proxied;
mod readiness;
mod rejections;
mod router;
mod routes;
mod server;
mod state;

pub use connections::{ConnectionBounds, Loopback};
pub use dashboard::{Dashboard, File};
pub use options::Options;
pub use proxied::{PROXIED_METHODS, PROXIED_PATHS};
pub use rejections::MEDIATED;
pub use router::{for_sandboxes, router};
pub use server::{Listeners, Stopped, serve};
pub use state::{Gateway, Metrics};
