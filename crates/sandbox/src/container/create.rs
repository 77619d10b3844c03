//! Making a container, and removing it.

use std::collections::HashMap;

use async_trait::async_trait;
use backon::Retryable as _;
use bollard::{
    models::{ContainerCreateBody, HostConfig, ResourcesUlimits},
    query_parameters::{CreateContainerOptions, RemoveContainerOptions},
};
use domain::limits::{
    SANDBOX_CARRIER_OFFER, SANDBOX_CONTAINER_LOG_BYTES, SANDBOX_CONTAINER_OPEN_FILES,
    SANDBOX_CONTAINER_RUN_BYTES, SANDBOX_CONTAINER_TASKS_MAX,
};

use super::{
    Container, NAME, failed,
    inside::Call,
    into::CARRY,
    labels::{self, Labels, Marks},
    name_of, net, settling,
    snapshot::{image_of, is_whole},
    status,
};
use crate::{
    Error, File, Handle, Limits, Origin, Result, SandboxId, SnapshotId, SnapshotRef, Spec,
    unclaimed::Maker,
};

/// The user of the process that keeps a container running: its own user cannot signal it.
const KEEPER: &str = "65534:65534";

#[async_trait]
impl Maker for Container {
    async fn make_whole(&self, spec: Spec) -> Result<Handle> {
        let (image, parent, depth) = match &spec.origin {
            Origin::Template => (self.template(&spec.template).await?, None, 0),
            Origin::Snapshot(from) => {
                let (image, depth) = self.snapshot_image(from).await?;
                (image, Some(from.id.clone()), depth)
            }
        };
        let id = SandboxId::generate(self.0.entropy.as_ref());
        let mark = self.0.making.begin(&name_of(&id))?;
        let made = self.make_of(&spec, &image, &id, parent, depth).await;
        if let Err(error) = made {
            match self.unmake(&id).await {
                Ok(()) => mark.done(),
                Err(left) => {
                    tracing::warn!(sandbox = %id, error = %left, "a half-made container is left");
                }
            }
            return Err(error);
        }
        mark.done();
        Ok(Handle {
            provider: NAME.to_owned(),
            id,
            incarnation: spec.incarnation,
            expires_at: spec.expires_at,
            tier: NAME.to_owned(),
        })
    }

    async fn unmake(&self, id: &SandboxId) -> Result<()> {
        self.remove_container(&name_of(id)).await?;
        self.close_doors(id);
        Ok(())
    }
}

impl Container {
    /// The image of a snapshot, and its depth. One that is not ours is none.
    async fn snapshot_image(&self, from: &SnapshotRef) -> Result<(String, u32)> {
        let none = || Error::NoSnapshot {
            id: from.id.to_string(),
        };
        if from.provider != NAME {
            return Err(none());
        }
        let image = image_of(&from.id)?;
        let seen = self.docker().inspect_image(&image).await;
        let seen = match seen {
            Err(error) if status(&error) == Some(404) => return Err(none()),
            other => other.map_err(failed("looking for the snapshot"))?,
        };
        let labels = seen.config.and_then(|config| config.labels);
        let labels = labels.unwrap_or_default();
        let tags = seen.repo_tags.unwrap_or_default();
        if !labels::is(&labels, &self.0.settings, "snapshot") || !is_whole(&tags) {
            return Err(none());
        }
        Ok((image, labels::depth(&labels)))
    }

    async fn make_of(
        &self,
        spec: &Spec,
        image: &str,
        id: &SandboxId,
        parent: Option<SnapshotId>,
        depth: u32,
    ) -> Result<()> {
        let marks = Marks::of(spec, id.clone(), parent, depth);
        let hosts = net::hosts(&spec.destinations)?;
        self.open_doors(id, &spec.destinations)?;
        let mut host = self.closed_in(&spec.limits);
        host.extra_hosts = Some(hosts);
        let sockets = self.sockets(id);
        host.binds = Some(vec![format!("{}:{}:ro", sockets.display(), net::MOUNT)]);
        let numbers = 1..=spec.destinations.len();
        let patience = SANDBOX_CARRIER_OFFER.as_secs().to_string();
        let mut cmd = ["bash", "-c", net::RELAY, "relay", CARRY, &patience]
            .map(str::to_owned)
            .to_vec();
        cmd.extend(numbers.map(|number| number.to_string()));
        let body = ContainerCreateBody {
            cmd: Some(cmd),
            hostname: Some("sandbox".to_owned()),
            host_config: Some(host),
            ..plain(image, marks.write(&self.0.settings))
        };
        let name = name_of(id);
        self.create_container(&name, body).await?;
        let started = self.docker().start_container(&name, None).await;
        started.map_err(failed("starting the container"))?;
        let doors = spec.destinations.len().to_string();
        let call = Call::new("init", [doors]).with_env(&spec.env);
        self.ask(&name, call, "the container").await?;
        self.write_files(&name, &spec.files).await
    }

    pub(super) async fn create_container(
        &self,
        name: &str,
        body: ContainerCreateBody,
    ) -> Result<()> {
        let options = CreateContainerOptions {
            name: Some(name.to_owned()),
            ..CreateContainerOptions::default()
        };
        let made = self.docker().create_container(Some(options), body).await;
        made.map(drop).map_err(failed("making the container"))
    }

    /// Everything that keeps a container in its place.
    fn closed_in(&self, limits: &Limits) -> HostConfig {
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
        let support = &self.0.support;
        let disk = || HashMap::from([("size".to_owned(), limits.disk_bytes.to_string())]);
        let bounded = support.resource_limits;
        HostConfig {
            network_mode: Some("none".to_owned()),
            cap_drop: Some(vec!["ALL".to_owned()]),
            security_opt: Some(vec!["no-new-privileges".to_owned()]),
            // Destinations are at port 80, and who listens for them is not root.
            sysctls: Some(HashMap::from([(
                "net.ipv4.ip_unprivileged_port_start".to_owned(),
                net::PORT.to_string(),
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

    pub(super) async fn write_files(&self, container: &str, files: &[File]) -> Result<()> {
        if files.is_empty() {
            return Ok(());
        }
        let mut body = Vec::new();
        for file in files {
            let path = file.path.relative().to_string_lossy();
            let head = format!("{}\0{}\0{path}\0", file.mode & 0o777, file.bytes.len());
            body.extend(head.bytes());
            body.extend(&file.bytes);
        }
        let call = Call::new::<String>("write", []).with_body(body);
        let what = match files {
            [one] => one.path.to_string(),
            _ => "a file".to_owned(),
        };
        self.ask(container, call, &what).await.map(drop)
    }

    pub(super) async fn remove_container(&self, name: &str) -> Result<()> {
        let options = RemoveContainerOptions {
            force: true,
            v: true,
            ..RemoveContainerOptions::default()
        };
        let remove = || self.docker().remove_container(name, Some(options.clone()));
        // Docker reports another removal under way: it is gone when it is not found.
        let removed = remove.retry(settling());
        match removed.when(|error| status(error) == Some(409)).await {
            Err(error) if status(&error) == Some(404) => Ok(()),
            other => other.map_err(failed("removing the container")),
        }
    }
}

/// A container that does nothing by itself and ends at once when it must. Without an environment: the
/// engine would keep it, and write it into every image made of the container.
pub(super) fn plain(image: &str, labels: Labels) -> ContainerCreateBody {
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
