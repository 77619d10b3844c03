//! Finds the containers of sandboxes, and continues those that stand still.

use bollard::models::ContainerStateStatusEnum as EngineStatus;
use domain::limits::{SANDBOX_DRAIN, SANDBOX_ENGINE_TIMEOUT};

use super::{
    engine::Engine,
    labels::SandboxLabels,
    names::container_name,
    progress::Progress,
    response::{failed, retry_unreadable, status_code},
    settings::NAME,
};
use crate::{Error, Handle, Liveness, Result};

/// A container of this installation that exists.
pub(super) struct SandboxContainer {
    pub(super) name: String,
    /// The image it was made of.
    pub(super) image: String,
    pub(super) labels: SandboxLabels,
    pub(super) state: ContainerState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContainerState {
    Running,
    Paused,
    Ended,
}

#[derive(Clone)]
pub(super) struct Containers {
    engine: Engine,
}

impl Containers {
    pub(super) fn new(engine: Engine) -> Self {
        Self { engine }
    }

    /// Finds the container of a handle, whatever its state.
    pub(super) async fn find(&self, handle: &Handle) -> Result<SandboxContainer> {
        if handle.provider != NAME {
            return Err(Error::Gone);
        }
        let name = container_name(&handle.id);
        let docker = self.engine.docker();
        let seen = retry_unreadable(|| docker.inspect_container(&name, None)).await;
        let seen = match seen {
            Err(error) if status_code(&error) == Some(404) => return Err(Error::Gone),
            other => other.map_err(failed("looking at the container"))?,
        };
        let labels = seen.config.and_then(|config| config.labels);
        let labels = SandboxLabels::read(&labels.unwrap_or_default(), self.engine.settings());
        let labels = labels.ok_or(Error::Gone)?;
        if labels.id != handle.id || labels.incarnation != handle.incarnation {
            return Err(Error::Gone);
        }
        Ok(SandboxContainer {
            name,
            image: seen.image.unwrap_or_default(),
            labels,
            state: match seen.state.and_then(|state| state.status) {
                Some(EngineStatus::RUNNING) => ContainerState::Running,
                Some(EngineStatus::PAUSED) => ContainerState::Paused,
                _ => ContainerState::Ended,
            },
        })
    }

    /// Finds a container that runs or is paused.
    pub(super) async fn find_living(&self, handle: &Handle) -> Result<SandboxContainer> {
        let sandbox = self.find(handle).await?;
        match sandbox.state {
            ContainerState::Ended => Err(Error::Gone),
            ContainerState::Running | ContainerState::Paused => Ok(sandbox),
        }
    }

    /// Finds a container in which programs can be started. While a snapshot of it is made it stands still; this waits for
    /// the end of that.
    pub(super) async fn find_running(&self, handle: &Handle) -> Result<SandboxContainer> {
        let step = "joining the sandbox";
        let has_snapshot_under_way =
            || self.engine.notes().progress_of_snapshot(&handle.id) == Progress::UnderWay;
        let looking = async {
            loop {
                // Before and after: a snapshot may begin or end while the engine is asked.
                let had_snapshot_under_way = has_snapshot_under_way();
                let sandbox = self.find_living(handle).await?;
                if sandbox.state != ContainerState::Paused {
                    return Ok(sandbox);
                }
                if !had_snapshot_under_way && !has_snapshot_under_way() {
                    return Err(Error::failed(step, "it is paused"));
                }
                tokio::time::sleep(SANDBOX_DRAIN / 4).await;
            }
        };
        let looked = tokio::time::timeout(SANDBOX_ENGINE_TIMEOUT, looking).await;
        looked.map_err(|_| Error::TimedOut { step })?
    }

    /// Continues a container that stands still because of a snapshot whose maker died. The engine does it by itself when
    /// it is done with the snapshot, and cannot where it died too.
    pub(super) async fn resume_after_snapshot(&self, handle: &Handle) -> Result<()> {
        match self.engine.notes().progress_of_snapshot(&handle.id) {
            // No snapshot of ours paused it: an operator did.
            Progress::Done => Ok(()),
            Progress::UnderWay => self.find_running(handle).await.map(drop),
            Progress::Abandoned => {
                let resumed = self.resume(handle).await;
                // It went on by itself meanwhile.
                if self.find_living(handle).await?.state == ContainerState::Running {
                    return Ok(());
                }
                resumed
            }
        }
    }

    pub(super) async fn liveness(&self, handle: &Handle) -> Liveness {
        match self.find_living(handle).await {
            Ok(_) => Liveness::Alive,
            Err(Error::Gone) => Liveness::Dead,
            Err(_) => Liveness::Unknown,
        }
    }

    /// Resumes a paused container. A container that runs already is no error.
    async fn resume(&self, handle: &Handle) -> Result<()> {
        let sandbox = self.find_living(handle).await?;
        if sandbox.state != ContainerState::Paused {
            return Ok(());
        }
        let resumed = self.engine.docker().unpause_container(&sandbox.name).await;
        resumed.map_err(failed("resuming the container"))
    }
}
