//! Finds out what the engine supports: by its own description, and by creating a container with a bounded disk.

use bollard::{
    Docker,
    models::{ContainerCreateBody, HostConfig},
    query_parameters::{CreateContainerOptions, RemoveContainerOptions},
};
use domain::clock::{Entropy, random_bytes};

use super::{
    container_body::idle_container,
    labels,
    progress::ProgressNotes,
    response::{failed, status_code},
    settings::Settings,
    support::EngineSupport,
};
use crate::{Error, Result};

/// Fails if the image of sandboxes is missing.
pub(super) async fn probe_support(
    docker: &Docker,
    settings: &Settings,
    notes: &ProgressNotes,
    entropy: &dyn Entropy,
) -> Result<EngineSupport> {
    let info = docker.info().await;
    let info = info.map_err(failed("asking the container engine"))?;
    let seen = docker.inspect_image(&settings.image).await;
    if let Err(error) = seen {
        return Err(match status_code(&error) {
            Some(404) => Error::failed(
                "looking for the image of sandboxes",
                format!("there is no {}; make it first", settings.image),
            ),
            _ => failed("looking for the image of sandboxes")(error),
        });
    }
    let options = info.security_options.unwrap_or_default();
    let rootless = options.iter().any(|option| option.contains("rootless"));
    let old_groups = info
        .cgroup_version
        .is_some_and(|version| version.to_string() == "1");
    // Without root the first version of control groups cannot be used at all.
    let groups = !(rootless && old_groups);
    let bounds = [info.memory_limit, info.pids_limit, info.cpu_cfs_quota];
    Ok(EngineSupport {
        pause: groups,
        resource_limits: groups && bounds.iter().all(|bound| *bound == Some(true)),
        disk_limit: accepts_disk_limit(docker, settings, notes, entropy).await?,
    })
}

/// Whether the engine creates a container with a bounded disk.
async fn accepts_disk_limit(
    docker: &Docker,
    settings: &Settings,
    notes: &ProgressNotes,
    entropy: &dyn Entropy,
) -> Result<bool> {
    let name = format!(
        "proliferate-probe-{}",
        hex::encode(random_bytes::<6>(entropy))
    );
    let note = notes.begin(&name)?;
    let host = HostConfig {
        storage_opt: Some([("size".to_owned(), "1g".to_owned())].into()),
        network_mode: Some("none".to_owned()),
        ..HostConfig::default()
    };
    let body = ContainerCreateBody {
        host_config: Some(host),
        ..idle_container(&settings.image, labels::of_kind(settings, "builder"))
    };
    let options = CreateContainerOptions {
        name: Some(name.clone()),
        ..CreateContainerOptions::default()
    };
    let accepted = docker.create_container(Some(options), body).await.is_ok();
    let options = RemoveContainerOptions {
        force: true,
        v: true,
        ..RemoveContainerOptions::default()
    };
    let removed = docker.remove_container(&name, Some(options)).await;
    if !accepted || removed.is_ok() {
        note.remove();
    }
    Ok(accepted)
}
