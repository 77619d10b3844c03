//! Makes a sandbox and removes it.

use std::{io, path::Path};

use async_trait::async_trait;

use super::{
    Local,
    cgroup::wait_until,
    confine, freeze,
    launch::Launch,
    name::NAME,
    network,
    record::{RecordState, SandboxRecord},
    remove::remove_all,
    root_tier, store,
    tier::Tier,
};
use crate::{
    Error, Handle, Origin, Result, SandboxId, Spec,
    blocking::blocking,
    pid::{self, ProcessIdentity},
    unclaimed::SandboxMaker,
};

#[async_trait]
impl SandboxMaker for Local {
    async fn make_sandbox(&self, spec: Spec) -> Result<Handle> {
        if self.0.tier == Tier::Root {
            network::check_destinations(&spec.destinations)?;
        }
        let id = SandboxId::generate(self.0.entropy.as_ref());
        let record = self.begin(&id, &spec).await?;
        match self.build(&id, &spec, record).await {
            Ok(()) => Ok(Handle {
                provider: NAME.to_owned(),
                id,
                incarnation: spec.incarnation,
                expires_at: spec.expires_at,
                tier: self.0.tier.as_str().to_owned(),
            }),
            Err(error) => {
                if let Err(left) = self.remove_sandbox(&id).await {
                    tracing::error!(sandbox = %id, error = %left, "a failed sandbox was not removed");
                }
                Err(error)
            }
        }
    }

    /// Removes the record last.
    async fn remove_sandbox(&self, id: &SandboxId) -> Result<()> {
        let record = match self.0.records.read(id) {
            Ok(mut record) => {
                let processes = record.processes();
                record.state = RecordState::Destroying { processes };
                // Another process may have finished it by now.
                let written = self.0.records.write(&record);
                if self.0.records.read(id) != Err(Error::Gone) {
                    written?;
                }
                processes
            }
            Err(_) => None,
        };
        self.destroy_kernel_objects(id).await?;
        if let Some((init, monitor)) = record {
            freeze::kill(init);
            let gone = || init.is_alive() != Some(true) && monitor.is_alive() != Some(true);
            wait_until(
                "ending the sandbox",
                domain::limits::SANDBOX_FREEZE_TIMEOUT,
                gone,
            )
            .await?;
        }
        let layout = self.layout(id);
        let (records, id) = (self.0.records.clone(), id.clone());
        blocking(move || {
            let failed = |error| Error::failed("removing the sandbox", error);
            remove_all(&layout.run).map_err(failed)?;
            root_tier::remove_owner_link(&id).map_err(failed)?;
            records.remove(&id)
        })
        .await
    }
}

impl Local {
    /// Finds the template and layers of a sandbox, and writes its first record, which keeps them from being collected.
    async fn begin(&self, id: &SandboxId, spec: &Spec) -> Result<SandboxRecord> {
        let from = match &spec.origin {
            Origin::Template => None,
            Origin::Snapshot(from) if from.provider == NAME => Some(from.clone()),
            Origin::Snapshot(_) => {
                return Err(Error::invalid("the snapshot is another provider's"));
            }
        };
        let inner = std::sync::Arc::clone(&self.0);
        let (id, label, incarnation) = (id.clone(), spec.label.clone(), spec.incarnation.0);
        let entries = spec.template.clone();
        blocking(move || {
            let _lock = inner.store.lock(false)?;
            let template = inner.store.ensure_template(&entries)?;
            let base = inner.store.base(template, from.as_ref())?;
            let owner = ProcessIdentity::of(std::process::id());
            let record = SandboxRecord {
                id,
                label,
                incarnation,
                tier: inner.tier,
                boot_id: pid::boot_id(),
                owner: owner.map_err(|error| Error::failed("looking at ourselves", error))?,
                template: base.template,
                layers: base.layers,
                parent: base.parent,
                state: RecordState::Creating,
            };
            inner.records.begin(&record)?;
            Ok(record)
        })
        .await
    }

    async fn build(&self, id: &SandboxId, spec: &Spec, mut record: SandboxRecord) -> Result<()> {
        let layout = self.layout(id);
        let failed = |error: io::Error| Error::failed("making the sandbox", error);
        let hosts = match self.0.tier {
            Tier::Root => network::hosts(&spec.destinations),
            Tier::Rootless => "127.0.0.1 localhost sandbox\n::1 localhost\n".to_owned(),
        };
        if self.0.tier == Tier::Root {
            root_tier::write_owner_link(id, &self.0.directory).map_err(failed)?;
        }
        layout.make(&hosts).map_err(failed)?;
        // First of all the groups: whatever is started for the sandbox is in them, and ends with them.
        let (procs, pair) = match self.group(id) {
            Some(group) => {
                group.create(&spec.limits).map_err(failed)?;
                let procs = group.make_subgroup("init").map_err(failed)?;
                let pair = network::allocate(id)?;
                let disk = self.make_disk(spec.limits.disk_bytes, &layout.image);
                let network = network::create(id, pair, &spec.destinations, &procs);
                tokio::try_join!(disk, network)?;
                (procs, Some(pair))
            }
            None => (Vec::new(), None),
        };
        let base = store::HomeBase {
            template: record.template.clone(),
            layers: record.layers.clone(),
            parent: None,
        };
        let launch = Launch {
            id,
            layout: &layout,
            lower: &base.lower(),
            store: self.0.store.root(),
            procs: &procs,
            env: &spec.env,
            shared_memory_bytes: spec.limits.memory_bytes / 4,
            filters: &self.0.filters,
            owner: pair.map(|pair| confine::namespace_owner(pair.inside)),
        };
        let inside = async {
            match pair {
                Some(pair) => network::create_inside(id, pair, &procs).await,
                None => Ok(()),
            }
        };
        let (launched, ()) = tokio::try_join!(launch.run(), inside)?;
        record.state = RecordState::Running {
            init: launched.init,
            monitor: launched.monitor,
        };
        self.0.records.write(&record)?;
        let init = launched.init;
        let continued = launched.go().await;
        // A removal that began before this record was written did not know of its processes.
        let is_ours = self.0.records.read(id).as_ref() == Ok(&record);
        if continued.is_err() || !is_ours {
            freeze::kill(init);
        }
        continued?;
        if !is_ours {
            return Err(Error::Gone);
        }
        let (home, files) = (self.home(&record)?, spec.files.clone());
        blocking(move || files.iter().try_for_each(|file| home.write(file))).await
    }

    /// Makes an empty disk: copies one that is made once for each size.
    async fn make_disk(&self, bytes: u64, to: &Path) -> Result<()> {
        let image = self.0.directory.join("images").join(bytes.to_string());
        if !image.exists() {
            let scratch = self.0.store.scratch();
            let scratch = scratch.map_err(|error| Error::failed("making the disk", error))?;
            root_tier::make_image(scratch.path(), bytes, &image).await?;
        }
        root_tier::copy_image(&image, to).await
    }

    /// Removes everything of it in the kernel that the root tier makes.
    async fn destroy_kernel_objects(&self, id: &SandboxId) -> Result<()> {
        if let Some(group) = self.group(id) {
            group.destroy().await?;
            network::destroy(id).await?;
        }
        Ok(())
    }

    /// Removes everything of a dead sandbox but its disk and its record.
    pub(super) async fn remove_all_but_disk(&self, id: &SandboxId) -> Result<()> {
        self.destroy_kernel_objects(id).await?;
        if self.0.tier == Tier::Root {
            let failed = |error| Error::failed("removing the sandbox", error);
            remove_all(&self.layout(id).run).map_err(failed)?;
            root_tier::remove_owner_link(id).map_err(failed)?;
        }
        Ok(())
    }
}
