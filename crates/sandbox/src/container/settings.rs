//! What the container provider is opened with.

use std::{
    fs::DirBuilder,
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use crate::{Error, Result};

pub const NAME: &str = "container";
/// The name of the image that `scripts/container-image.sh` makes.
pub const DEFAULT_IMAGE: &str = "localhost/proliferate-sandbox:latest";

/// Where containers are made, and of what.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The engine's socket.
    pub socket: PathBuf,
    pub image: String,
    /// For the sockets of containers. No other user may read it.
    pub directory: PathBuf,
    /// The installation whose containers and images these are; a plain word that is the same after a restart.
    pub owner: String,
    /// Layers of a snapshot, from which on they are made into one.
    pub layers_max: u32,
}

/// The first socket that exists of those that podman (of this user, of the machine) and Docker have.
pub fn usual_socket() -> Option<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let usual = [
        format!("/run/user/{user}/podman/podman.sock"),
        "/run/podman/podman.sock".to_owned(),
        "/var/run/docker.sock".to_owned(),
    ];
    usual
        .into_iter()
        .map(PathBuf::from)
        .find(|path| path.exists())
}

/// Makes the directory of all sockets, which no other user can read, and returns its real path.
pub(super) fn prepare_directory(directory: &Path) -> Result<PathBuf> {
    let failed = |error: io::Error| Error::failed("opening the container provider", error);
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder.create(directory).map_err(failed)?;
    directory.canonicalize().map_err(failed)
}
