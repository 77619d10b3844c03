//! Sandboxes as containers of an engine on this machine that answers the Docker API: Docker or podman.
//!
//! A container has no network but its own loopback. Its destinations are behind sockets that are mounted
//! into it and lead to this process (`outbound.rs`). The engine never receives its environment: it is in memory inside, so
//! no image keeps it. All that is known about a container is in its labels, and what is not finished is noted
//! (`progress.rs`), so this process can end at any time.

mod clean;
mod container_body;
mod containers;
mod engine;
mod exec;
mod helper;
mod inbound;
mod labels;
mod merge;
mod merge_image;
mod names;
mod outbound;
mod probe;
mod progress;
mod provider;
mod provision;
mod response;
mod settings;
mod snapshot_images;
mod snapshots;
mod support;
mod template_archive;
mod templates;
mod tunnels;
mod verify;

pub use self::{
    provider::ContainerProvider,
    settings::{DEFAULT_IMAGE, NAME, Settings, usual_socket},
    support::EngineSupport,
};
