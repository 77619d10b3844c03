//! Making a sandbox and removing it.

use std::{io, path::Path};

use async_trait::async_trait;

use super::{
    Local, NAME, Tier, blocking,
    cgroup::wait,
    confine, hold,
    launch::Launch,
    net,
    pid::{self, Process},
    record::{Record, State},
    remove::remove_all,
    root, store,
};
use crate::{Error, Handle, Origin, Result, SandboxId, Spec, unclaimed::Maker};

#[async_trait]
impl Maker for Local {
    async fn make_whole(&self, spec: Spec) -> Result<Handle> {
        if self.0.tier == Tier::Root {
            net::check(&spec.destinations)?;
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
                if let Err(left) = self.unmake(&id).await {
                    tracing::error!(sandbox = %id, error = %left, "a failed sandbox was not removed");
                }
                Err(error)
            }
        }
    }

    /// The record goes last.
    async fn unmake(&self, id: &SandboxId) -> Result<()> {
        let record = match self.0.records.read(id) {
            Ok(mut record) => {
                let processes = record.processes();
                record.state = State::Destroying { processes };
                // Another process may have finished it by now.
                let written = self.0.records.write(&record);
                if self.0.records.read(id) != Err(Error::Gone) {
                    written?;
                }
                processes
            }
            Err(_) => None,
        };
        self.end(id).await?;
        if let Some((init, monitor)) = record {
            hold::end(init);
            let gone = || init.is_alive() != Some(true) && monitor.is_alive() != Some(true);
            wait(
                "ending the sandbox",
                domain::limits::SANDBOX_FREEZE_TIMEOUT,
                gone,
            )
            .await?;
        }
        let place = self.place(id);
        let (records, id) = (self.0.records.clone(), id.clone());
        blocking(move || {
            let failed = |error| Error::failed("removing the sandbox", error);
            remove_all(&place.run).map_err(failed)?;
            root::unmark(&id).map_err(failed)?;
            records.remove(&id)
        })
        .await
    }
}

impl Local {
    /// Finds what it stands on and writes that down as used.
    async fn begin(&self, id: &SandboxId, spec: &Spec) -> Result<Record> {
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
            let template = inner.store.template(&entries)?;
            let base = inner.store.base(template, from.as_ref())?;
            let owner = Process::of(std::process::id());
            let record = Record {
                id,
                label,
                incarnation,
                tier: inner.tier,
                boot_id: pid::boot_id(),
                owner: owner.map_err(|error| Error::failed("looking at ourselves", error))?,
                template: base.template,
                layers: base.layers,
                parent: base.parent,
                state: State::Creating,
            };
            inner.records.begin(&record)?;
            Ok(record)
        })
        .await
    }

    async fn build(&self, id: &SandboxId, spec: &Spec, mut record: Record) -> Result<()> {
        let place = self.place(id);
        let failed = |error: io::Error| Error::failed("making the sandbox", error);
        let hosts = match self.0.tier {
            Tier::Root => net::hosts(&spec.destinations),
            Tier::Rootless => "127.0.0.1 localhost sandbox\n::1 localhost\n".to_owned(),
        };
        if self.0.tier == Tier::Root {
            root::mark(id, &self.0.directory).map_err(failed)?;
        }
        place.make(&hosts).map_err(failed)?;
        // First of all the groups: whatever is started for the sandbox is in them, and ends with them.
        let (procs, pair) = match self.group(id) {
            Some(group) => {
                group.create(&spec.limits).map_err(failed)?;
                let procs = group.enter("init").map_err(failed)?;
                let pair = net::allocate(id)?;
                let disk = self.disk(spec.limits.disk_bytes, &place.image);
                let network = net::create(id, pair, &spec.destinations, &procs);
                tokio::try_join!(disk, network)?;
                (procs, Some(pair))
            }
            None => (Vec::new(), None),
        };
        let base = store::Base {
            template: record.template.clone(),
            layers: record.layers.clone(),
            parent: None,
        };
        let launch = Launch {
            id,
            place: &place,
            lower: &base.lower(),
            store: self.0.store.root(),
            procs: &procs,
            env: &spec.env,
            shared_memory_bytes: spec.limits.memory_bytes / 4,
            filters: &self.0.filters,
            owner: pair.map(|pair| confine::owner(pair.inside)),
        };
        let furnish = async {
            match pair {
                Some(pair) => net::furnish(id, pair, &procs).await,
                None => Ok(()),
            }
        };
        let (launched, ()) = tokio::try_join!(launch.run(), furnish)?;
        record.state = State::Running {
            init: launched.init,
            monitor: launched.monitor,
        };
        self.0.records.write(&record)?;
        let init = launched.init;
        let gone_on = launched.go().await;
        // A removal before that was recorded did not know of its processes.
        let is_ours = self.0.records.read(id).as_ref() == Ok(&record);
        if gone_on.is_err() || !is_ours {
            hold::end(init);
        }
        gone_on?;
        if !is_ours {
            return Err(Error::Gone);
        }
        let (home, files) = (self.home(&record)?, spec.files.clone());
        blocking(move || files.iter().try_for_each(|file| home.write(file))).await
    }

    /// An empty disk, copied from one that is made once for each size.
    async fn disk(&self, bytes: u64, to: &Path) -> Result<()> {
        let image = self.0.directory.join("images").join(bytes.to_string());
        if !image.exists() {
            let scratch = self.0.store.scratch();
            let scratch = scratch.map_err(|error| Error::failed("making the disk", error))?;
            root::make_image(scratch.path(), bytes, &image).await?;
        }
        root::copy_image(&image, to).await
    }

    /// Ends everything of it in the kernel that the root tier makes.
    async fn end(&self, id: &SandboxId) -> Result<()> {
        if let Some(group) = self.group(id) {
            group.destroy().await?;
            net::destroy(id).await?;
        }
        Ok(())
    }

    /// Removes whatever there is of a dead one but its disk and its record.
    pub(super) async fn lay_down(&self, id: &SandboxId) -> Result<()> {
        self.end(id).await?;
        if self.0.tier == Tier::Root {
            let failed = |error| Error::failed("removing the sandbox", error);
            remove_all(&self.place(id).run).map_err(failed)?;
            root::unmark(id).map_err(failed)?;
        }
        Ok(())
    }
}
