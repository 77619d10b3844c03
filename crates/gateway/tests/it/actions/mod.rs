//! Actions through the routes, against stand-ins that speak the services' own wire formats.

mod binding;
mod connectors;
pub(crate) mod desk;
mod grant_basis;
mod grants;
mod lifecycle;
mod told;
mod whole;
