//! What containers are created with: the process that keeps one running, and everything that confines it.

use std::collections::HashMap;

use bollard::models::{ContainerCreateBody, HostConfig, ResourcesUlimits};
use domain::limits::{
    SANDBOX_CONTAINER_LOG_BYTES, SANDBOX_CONTAINER_OPEN_FILES, SANDBOX_CONTAINER_RUN_BYTES,
    SANDBOX_CONTAINER_TASKS_MAX,
};

use super::{labels::Labels, support::EngineSupport};
use crate::Limits;

/// The port of every destination, each on an address of its own.
pub(super) const DESTINATION_PORT: u16 = 80;
/// The user of the process that keeps a container running: the sandbox's own user cannot signal it.
const KEEPER: &str = "65534:65534";

/// A container that does nothing by itself and ends at once when it must. Without an environment: the
/// engine would keep it, and write it into every image made of the container.
pub(super) fn idle_container(image: &str, labels: Labels) -> ContainerCreateBody {
    ContainerCreateBody {
        image: Some(image.to_owned()),
        entrypoint: Some(vec!["tini".to_owned(), "--".to_owned()]),
        cmd: Some(vec!["sleep".to_owned(), "infinity".to_owned()]),
        user: Some(KEEPER.to_owned()),
        working_dir: Some("/".to_owned()),
        stop_signal: Some("SIGKILL".to_owned()),
        labels: Some(labels),
        ..ContainerCreateBody::default()
    }
}

/// Everything that confines the container of a sandbox.
pub(super) fn confined_host(limits: &Limits, support: EngineSupport) -> HostConfig {
    let memory = i64::try_from(limits.memory_bytes).ok();
    let tmpfs = |size: u64| format!("rw,nosuid,nodev,size={size},mode=1777");
    // Snapshots keep what is in the image's tree; what is here goes with the container.
    let tmp = limits.memory_bytes / 2;
    let mounts = [
        ("/run", SANDBOX_CONTAINER_RUN_BYTES),
        ("/tmp", tmp),
        ("/var/tmp", tmp),
    ];
    let mounts = mounts.map(|(at, size)| (at.to_owned(), tmpfs(size)));
    // Not what the engine would take over from its own process, which may be more than it may give.
    let ulimit = |name: &str, value: i64| ResourcesUlimits {
        name: Some(name.to_owned()),
        soft: Some(value),
        hard: Some(value),
    };
    let disk = || HashMap::from([("size".to_owned(), limits.disk_bytes.to_string())]);
    let bounded = support.resource_limits;
    HostConfig {
        network_mode: Some("none".to_owned()),
        cap_drop: Some(vec!["ALL".to_owned()]),
        security_opt: Some(vec!["no-new-privileges".to_owned()]),
        // Destinations are at port 80, and the program that listens for them is not root.
        sysctls: Some(HashMap::from([(
            "net.ipv4.ip_unprivileged_port_start".to_owned(),
            DESTINATION_PORT.to_string(),
        )])),
        tmpfs: Some(mounts.into()),
        // Where the helper keeps logs and the environment.
        shm_size: i64::try_from(SANDBOX_CONTAINER_LOG_BYTES).ok(),
        ulimits: Some(vec![
            ulimit("nofile", SANDBOX_CONTAINER_OPEN_FILES),
            ulimit("nproc", SANDBOX_CONTAINER_TASKS_MAX),
            ulimit("core", 0),
        ]),
        memory: memory.filter(|_| bounded),
        memory_swap: memory.filter(|_| bounded),
        nano_cpus: bounded.then_some(i64::from(limits.cpu_millis) * 1_000_000),
        pids_limit: bounded.then_some(i64::from(limits.processes)),
        storage_opt: support.disk_limit.then(disk),
        ..HostConfig::default()
    }
}
