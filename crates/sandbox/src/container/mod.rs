//! Sandboxes as containers of an engine on this machine that answers the Docker API: Docker or podman.
//!
//! A container has no network but its own loopback. Whom it may talk to is behind sockets that are mounted
//! into it and lead here (`net.rs`). Its environment is never told to the engine: it is in memory inside, so
//! no image keeps it. All that is known about a container is in its labels, and what is not finished is noted
//! (`making.rs`), so this process can end at any time.

mod clean;
mod create;
mod exec;
mod image;
mod inside;
mod into;
mod labels;
mod making;
mod merge;
mod net;
mod provider;
mod snapshot;
mod squash;
mod verify;

use std::{fmt, path::PathBuf, sync::Arc};

use backon::{ConstantBuilder, Retryable as _};
use bollard::{Docker, errors::Error as EngineError, models::ContainerStateStatusEnum as Status};
use domain::{
    clock::{Entropy, random_bytes},
    limits::{
        SANDBOX_DRAIN, SANDBOX_ENGINE_SETTLE_EVERY, SANDBOX_ENGINE_SETTLE_TRIES,
        SANDBOX_ENGINE_TIMEOUT,
    },
};

pub use clean::Found;

use self::{
    labels::Marks,
    making::{Making, Progress},
};
use crate::{Error, Handle, Liveness, Result, SandboxId};

pub const NAME: &str = "container";
/// What an image is called that `scripts/container-image.sh` has made.
pub const DEFAULT_IMAGE: &str = "localhost/proliferate-sandbox:latest";

/// Where containers are made, and of what.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The engine's socket.
    pub socket: PathBuf,
    pub image: String,
    /// For the sockets of containers. No other user may read it.
    pub directory: PathBuf,
    /// Whose containers and images these are; a plain word that is the same after a restart.
    pub owner: String,
    /// Layers of a snapshot, from which on they are made into one.
    pub layers_max: u32,
}

/// The first socket that is there of those that podman (of this user, of the machine) and Docker have.
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

/// What the engine can do for a container. It depends on the engine, on its rights and on the file system it stores to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineSupport {
    /// Pauses a container, so that its files stand still while a snapshot is taken.
    pub pause: bool,
    /// Bounds memory, processes and processors.
    pub resource_limits: bool,
    /// Bounds the disk.
    pub disk_limit: bool,
}

/// The provider: cheap to clone.
#[derive(Clone)]
pub struct Container(Arc<Inner>);

struct Inner {
    docker: Docker,
    settings: Settings,
    support: EngineSupport,
    entropy: Arc<dyn Entropy>,
    doors: net::Doors,
    making: Making,
    /// One template is made at a time.
    building: tokio::sync::Mutex<()>,
}

/// A container of ours that is there.
struct Sandbox {
    name: String,
    /// The image it was made of.
    image: String,
    marks: Marks,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    Paused,
    Ended,
}

impl Container {
    /// Asks the engine what it can do. The image must be there.
    pub async fn open(settings: Settings, entropy: Arc<dyn Entropy>) -> Result<Self> {
        labels::check_owner(&settings.owner)?;
        let directory = net::prepare(&settings.directory)?;
        let settings = Settings {
            directory,
            ..settings
        };
        let socket = settings.socket.to_string_lossy();
        let seconds = SANDBOX_ENGINE_TIMEOUT.as_secs();
        let docker = Docker::connect_with_unix(&socket, seconds, bollard::API_DEFAULT_VERSION)
            .map_err(failed("talking to the container engine"))?
            .negotiate_version()
            .await
            .map_err(failed("talking to the container engine"))?;
        let making = Making::in_directory(&settings.directory);
        let support = image::engine_support(&docker, &settings, &making, entropy.as_ref()).await?;
        Ok(Self(Arc::new(Inner {
            docker,
            settings,
            support,
            entropy,
            doors: net::Doors::default(),
            making,
            building: tokio::sync::Mutex::default(),
        })))
    }

    pub fn engine_support(&self) -> EngineSupport {
        self.0.support
    }

    fn docker(&self) -> &Docker {
        &self.0.docker
    }

    fn random(&self) -> String {
        hex::encode(random_bytes::<8>(self.0.entropy.as_ref()))
    }

    /// The container of a handle, whatever its state.
    async fn find(&self, handle: &Handle) -> Result<Sandbox> {
        if handle.provider != NAME {
            return Err(Error::Gone);
        }
        let name = name_of(&handle.id);
        let seen = settled(|| self.docker().inspect_container(&name, None)).await;
        let seen = match seen {
            Err(error) if status(&error) == Some(404) => return Err(Error::Gone),
            other => other.map_err(failed("looking at the container"))?,
        };
        let labels = seen.config.and_then(|config| config.labels);
        let marks = Marks::read(&labels.unwrap_or_default(), &self.0.settings);
        let marks = marks.ok_or(Error::Gone)?;
        if marks.id != handle.id || marks.incarnation != handle.incarnation {
            return Err(Error::Gone);
        }
        Ok(Sandbox {
            name,
            image: seen.image.unwrap_or_default(),
            marks,
            state: match seen.state.and_then(|state| state.status) {
                Some(Status::RUNNING) => State::Running,
                Some(Status::PAUSED) => State::Paused,
                _ => State::Ended,
            },
        })
    }

    /// One that lives.
    async fn living(&self, handle: &Handle) -> Result<Sandbox> {
        let sandbox = self.find(handle).await?;
        match sandbox.state {
            State::Ended => Err(Error::Gone),
            State::Running | State::Paused => Ok(sandbox),
        }
    }

    /// One in which something can be done. While a snapshot of it is made it stands still, which is waited for.
    async fn awake(&self, handle: &Handle) -> Result<Sandbox> {
        let step = "joining the sandbox";
        let is_taken = || self.0.making.of_snapshot(&handle.id) == Progress::UnderWay;
        let looking = async {
            loop {
                // Before and after: it may begin or end while the engine is asked.
                let was_taken = is_taken();
                let sandbox = self.living(handle).await?;
                if sandbox.state != State::Paused {
                    return Ok(sandbox);
                }
                if !was_taken && !is_taken() {
                    return Err(Error::failed(step, "it is paused"));
                }
                tokio::time::sleep(SANDBOX_DRAIN / 4).await;
            }
        };
        let looked = tokio::time::timeout(SANDBOX_ENGINE_TIMEOUT, looking).await;
        looked.map_err(|_| Error::TimedOut { step })?
    }

    /// Lets one go on that stands still because of a snapshot whose maker died. The engine does it by itself when it
    /// is done with the snapshot, and cannot where it died too.
    async fn wake(&self, handle: &Handle) -> Result<()> {
        match self.0.making.of_snapshot(&handle.id) {
            // No snapshot of ours paused it: an operator did.
            Progress::Done => Ok(()),
            Progress::UnderWay => self.awake(handle).await.map(drop),
            Progress::Left => {
                let resumed = self.unpause(handle).await;
                // It went on by itself meanwhile.
                if self.living(handle).await?.state == State::Running {
                    return Ok(());
                }
                resumed
            }
        }
    }

    async fn is_alive(&self, handle: &Handle) -> Liveness {
        match self.living(handle).await {
            Ok(_) => Liveness::Alive,
            Err(Error::Gone) => Liveness::Dead,
            Err(_) => Liveness::Unknown,
        }
    }

    /// Resumes a paused container. A container that runs already is no error.
    async fn unpause(&self, handle: &Handle) -> Result<()> {
        let sandbox = self.living(handle).await?;
        if sandbox.state != State::Paused {
            return Ok(());
        }
        let unpaused = self.docker().unpause_container(&sandbox.name).await;
        unpaused.map_err(failed("resuming the container"))
    }
}

/// What containers of a sandbox are called.
fn name_of(id: &SandboxId) -> String {
    format!("proliferate-{id}")
}

/// podman says 500 of a container that goes while it looks at it.
fn status(error: &EngineError) -> Option<u16> {
    match error {
        EngineError::DockerResponseServerError { message, .. }
            if message.contains("no such container") =>
        {
            Some(404)
        }
        EngineError::DockerResponseServerError { status_code, .. } => Some(*status_code),
        _ => None,
    }
}

/// Asks until the answer can be read. podman calls a container `stopped` between its end and what it tidies up then;
/// that is no word of the Docker API, and the client refuses the whole answer for it.
async fn settled<T, F>(ask: impl Fn() -> F) -> std::result::Result<T, EngineError>
where
    F: Future<Output = std::result::Result<T, EngineError>>,
{
    let is_unreadable = |error: &EngineError| matches!(error, EngineError::JsonDataError { .. });
    ask.retry(settling()).when(is_unreadable).await
}

/// The pauses in which the engine completes what it has begun.
fn settling() -> ConstantBuilder {
    ConstantBuilder::new()
        .with_delay(SANDBOX_ENGINE_SETTLE_EVERY)
        .with_max_times(SANDBOX_ENGINE_SETTLE_TRIES - 1)
}

/// What the engine says names containers, images and its own trouble; it is never told more.
fn failed(step: &'static str) -> impl Fn(EngineError) -> Error {
    move |error| match error {
        EngineError::RequestTimeoutError => Error::TimedOut { step },
        EngineError::DockerResponseServerError { message, .. } => Error::failed(step, message),
        other => Error::failed(step, other),
    }
}

/// Runs what waits for a disk on a thread for it.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::failed("working on a disk", error))?
}

impl fmt::Debug for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { socket, owner, .. } = &self.0.settings;
        write!(f, "Container({owner} at {})", socket.display())
    }
}
