//! Creates the container of a sandbox, and removes it.

use async_trait::async_trait;
use bollard::models::ContainerCreateBody;
use domain::limits::SANDBOX_CARRIER_OFFER;

use super::{
    container_body::{confined_host, idle_container},
    helper::HelperCall,
    inbound::OFFER_PROGRAM,
    labels::SandboxLabels,
    names::container_name,
    outbound::{self, host_entries},
    provider::ContainerProvider,
    response::failed,
    settings::NAME,
};
use crate::{Handle, Origin, Result, SandboxId, SnapshotId, Spec, unclaimed::SandboxMaker};

#[async_trait]
impl SandboxMaker for ContainerProvider {
    async fn make_sandbox(&self, spec: Spec) -> Result<Handle> {
        let parts = self.parts();
        let (image, parent, depth) = match &spec.origin {
            Origin::Template => (parts.templates.image_with(&spec.template).await?, None, 0),
            Origin::Snapshot(from) => {
                let (image, depth) = parts.images.find(from).await?;
                (image, Some(from.id.clone()), depth)
            }
        };
        let id = parts.engine.generate_id();
        let note = parts.engine.notes().begin(&container_name(&id))?;
        let made = self.start(&spec, &image, &id, parent, depth).await;
        if let Err(error) = made {
            match self.remove_sandbox(&id).await {
                Ok(()) => note.remove(),
                Err(left) => {
                    tracing::warn!(sandbox = %id, error = %left, "a half-made container is left");
                }
            }
            return Err(error);
        }
        note.remove();
        Ok(Handle {
            provider: NAME.to_owned(),
            id,
            incarnation: spec.incarnation,
            expires_at: spec.expires_at,
            tier: NAME.to_owned(),
        })
    }

    async fn remove_sandbox(&self, id: &SandboxId) -> Result<()> {
        let parts = self.parts();
        parts.engine.remove_container(&container_name(id)).await?;
        parts.tunnels.close(id);
        Ok(())
    }
}

impl ContainerProvider {
    /// Creates the container, starts it, and writes its environment and files.
    async fn start(
        &self,
        spec: &Spec,
        image: &str,
        id: &SandboxId,
        parent: Option<SnapshotId>,
        depth: u32,
    ) -> Result<()> {
        let parts = self.parts();
        let labels = SandboxLabels::of(spec, id.clone(), parent, depth);
        let hosts = host_entries(&spec.destinations)?;
        parts.tunnels.open_outbound(id, &spec.destinations)?;
        let mut host = confined_host(&spec.limits, parts.engine.support());
        host.extra_hosts = Some(hosts);
        let sockets = parts.tunnels.socket_directory(id);
        host.binds = Some(vec![format!(
            "{}:{}:ro",
            sockets.display(),
            outbound::MOUNT
        )]);
        let numbers = 1..=spec.destinations.len();
        let patience = SANDBOX_CARRIER_OFFER.as_secs().to_string();
        let mut cmd = [
            "bash",
            "-c",
            outbound::RELAY,
            "relay",
            OFFER_PROGRAM,
            &patience,
        ]
        .map(str::to_owned)
        .to_vec();
        cmd.extend(numbers.map(|number| number.to_string()));
        let body = ContainerCreateBody {
            cmd: Some(cmd),
            hostname: Some("sandbox".to_owned()),
            host_config: Some(host),
            ..idle_container(image, labels.write(parts.engine.settings()))
        };
        let name = container_name(id);
        parts.engine.create_container(&name, body).await?;
        let started = parts.engine.docker().start_container(&name, None).await;
        started.map_err(failed("starting the container"))?;
        let destinations = spec.destinations.len().to_string();
        let call = HelperCall::new("init", [destinations]).with_env(&spec.env);
        parts.helper.call(&name, call, "the container").await?;
        parts.helper.write_files(&name, &spec.files).await
    }
}
