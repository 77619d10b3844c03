//! Services: started in order, kept running, stopped with everything they started, and found again by the
//! next daemon.
//!
//! INVARIANT: one task sees to a service at a time; starting, stopping and replacing go one after another.

mod backoff;
mod run;
mod see_to;
mod state;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    sync::{oneshot, watch},
    task::JoinHandle,
};
use wire::problem::Code;

use self::{
    run::Run,
    see_to::{Found, see_to},
    state::{Saved, Service, Status},
};
use super::{complain, keeper::Ended, refusal::Refusal};
use crate::{
    cli::{Restart, service_name},
    jail::Jail,
    limits::{SERVICE_COMMAND_BYTES_MAX, SERVICES_MAX},
};

/// How quickly things go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) grace: Duration,
    pub(crate) pause_first: Duration,
}

/// A request to run a service.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Asked {
    name: String,
    command: String,
    #[serde(default)]
    cwd: Option<String>,
    #[serde(default)]
    workspace_path: Option<String>,
    #[serde(default)]
    restart: Restart,
}

/// All services of this sandbox.
#[derive(Debug)]
pub(crate) struct Services {
    jail: Arc<Jail>,
    directory: PathBuf,
    pace: Pace,
    inner: Mutex<Inner>,
    /// Held while something is started or stopped.
    gate: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct Inner {
    saved: Saved,
    controls: Vec<Control>,
}

/// The task that sees to one service.
#[derive(Debug)]
struct Control {
    name: String,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Services {
    /// Takes over what an earlier daemon left: living services are watched, the others are treated as if
    /// they had ended now, in the order in which they were started.
    pub(crate) async fn resume(jail: Arc<Jail>, directory: PathBuf, pace: Pace) -> Arc<Self> {
        let path = directory.join("state.json");
        let (saved, is_read) = Saved::read(&path);
        if !is_read {
            complain("the state of an earlier daemon cannot be read and was put aside");
            let _ = std::fs::rename(&path, path.with_extension("unreadable"));
        }
        let wanted: Vec<Service> = saved
            .services
            .iter()
            .filter(|service| service.status.is_wanted())
            .cloned()
            .collect();
        let inner = Mutex::new(Inner {
            saved,
            controls: Vec::new(),
        });
        let gate = tokio::sync::Mutex::default();
        let services = Arc::new(Self {
            jail,
            directory,
            pace,
            inner,
            gate,
        });
        for Service { name, status, .. } in wanted {
            let found = Run::of(&services.record(&name), pace.grace);
            // What was only about to be started has not ended.
            let found = Some(found).filter(|found| found.is_ok() || status != Status::Starting);
            if let Err(why) = services.keep(&name, found).await {
                complain(&format!("{name}: {why}"));
            }
        }
        services
    }

    pub(crate) fn list(&self) -> Value {
        let inner = self.lock();
        let services: Vec<Value> = inner
            .saved
            .services
            .iter()
            .map(|one| self.info(one))
            .collect();
        json!({"services": services, "exposedPort": inner.saved.exposed_port})
    }

    /// Starts a service, in the place of the one that has its name.
    pub(crate) async fn start(self: &Arc<Self>, asked: Asked) -> Result<Value, Refusal> {
        service_name(&asked.name).map_err(|why| Refusal::field("name", why))?;
        let is_usable = !asked.command.trim().is_empty() && !asked.command.contains('\0');
        if !is_usable || asked.command.len() > SERVICE_COMMAND_BYTES_MAX {
            return Err(Refusal::field("command", "is empty or too long"));
        }
        let repository = asked.workspace_path.as_deref().unwrap_or(".");
        let cwd = match asked.cwd.as_deref().unwrap_or(".") {
            absolute if absolute.starts_with('/') => absolute.to_owned(),
            below => format!("{repository}/{below}"),
        };
        let cwd = self.jail.directory(&cwd);
        let cwd =
            cwd.map_err(|escape| Refusal::field("cwd", format!("cannot be used: {escape}")))?;
        let _gate = self.gate.lock().await;
        self.end(&asked.name).await;
        let name = asked.name.clone();
        let service = Service {
            name: asked.name,
            command: asked.command,
            cwd,
            restart: asked.restart,
            status: Status::Starting,
            restarts: 0,
            in_a_row: 0,
        };
        self.put(service)?;
        self.started(&name).await
    }

    /// Stops a service and starts it as it was.
    pub(crate) async fn restart(self: &Arc<Self>, name: &str) -> Result<Value, Refusal> {
        let _gate = self.gate.lock().await;
        self.known(name)?;
        self.end(name).await;
        self.change(name, |service| {
            service.restarts = 0;
            service.in_a_row = 0;
            service.status = Status::Starting;
        });
        self.started(name).await
    }

    pub(crate) async fn stop(&self, name: &str) -> Result<Value, Refusal> {
        let _gate = self.gate.lock().await;
        self.known(name)?;
        self.end(name).await;
        Ok(json!({"success": true, "service": self.shown(name)}))
    }

    /// Where the log of a service is.
    pub(crate) fn log_of(&self, name: &str) -> Result<PathBuf, Refusal> {
        self.known(name)?;
        Ok(self.log(name))
    }

    pub(crate) fn expose(&self, port: u16) -> Value {
        let mut inner = self.lock();
        inner.saved.exposed_port = Some(port);
        self.save(&inner.saved);
        json!({"success": true, "exposedPort": port})
    }

    pub(crate) fn exposed(&self) -> Option<u16> {
        self.lock().saved.exposed_port
    }

    async fn started(self: &Arc<Self>, name: &str) -> Result<Value, Refusal> {
        match self.keep(name, None).await {
            Ok(()) => Ok(json!({"service": self.shown(name)})),
            Err(why) => Err(Refusal::new(
                Code::Internal,
                format!("The service {name}: {why}."),
            )),
        }
    }

    /// Has a task see to a service, and waits until it was started once.
    async fn keep(self: &Arc<Self>, name: &str, found: Option<Found>) -> Result<(), String> {
        let (stop, stopped) = watch::channel(false);
        let (first, began) = oneshot::channel();
        let task = see_to(Arc::clone(self), name.to_owned(), found, stopped, first);
        let task = tokio::spawn(task);
        let control = Control {
            name: name.to_owned(),
            stop,
            task,
        };
        self.lock().controls.push(control);
        began
            .await
            .unwrap_or_else(|_| Err("it was not started".to_owned()))
    }

    /// Ends the task of a service and with it the service, if there is one.
    async fn end(&self, name: &str) {
        let control = {
            let mut inner = self.lock();
            let at = inner
                .controls
                .iter()
                .position(|control| control.name == name);
            at.map(|at| inner.controls.swap_remove(at))
        };
        if let Some(control) = control {
            let _ = control.stop.send(true);
            let _ = control.task.await;
        }
    }

    fn put(&self, service: Service) -> Result<(), Refusal> {
        let mut inner = self.lock();
        let services = &mut inner.saved.services;
        match services.iter().position(|known| known.name == service.name) {
            Some(at) => services[at] = service,
            None if services.len() >= SERVICES_MAX => {
                let why = format!("There are {SERVICES_MAX} services already.");
                return Err(Refusal::new(Code::LimitReached, why));
            }
            None => services.push(service),
        }
        self.save(&inner.saved);
        Ok(())
    }

    /// Changes what is known of a service, and writes it down.
    fn change<T>(&self, name: &str, change: impl FnOnce(&mut Service) -> T) -> Option<T> {
        let mut inner = self.lock();
        let service = inner
            .saved
            .services
            .iter_mut()
            .find(|known| known.name == name)?;
        let changed = change(service);
        self.save(&inner.saved);
        Some(changed)
    }

    fn now(&self, name: &str, status: Status) {
        self.change(name, |service| service.status = status);
    }

    fn get(&self, name: &str) -> Option<Service> {
        let inner = self.lock();
        inner
            .saved
            .services
            .iter()
            .find(|known| known.name == name)
            .cloned()
    }

    fn known(&self, name: &str) -> Result<Service, Refusal> {
        self.get(name)
            .ok_or_else(|| Refusal::new(Code::NotFound, "There is no such service."))
    }

    fn shown(&self, name: &str) -> Value {
        self.get(name)
            .map_or(Value::Null, |service| self.info(&service))
    }

    fn save(&self, saved: &Saved) {
        if let Err(error) = saved.write(&self.directory.join("state.json")) {
            complain(&format!("cannot write the state: {error}"));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, name: &str) -> PathBuf {
        self.directory
            .join("run")
            .join(format!("{}.json", file_name(name)))
    }

    fn log(&self, name: &str) -> PathBuf {
        self.directory
            .join("logs")
            .join(format!("{}.log", file_name(name)))
    }

    fn info(&self, service: &Service) -> Value {
        let mut info = json!({
            "name": service.name,
            "command": service.command,
            "cwd": service.cwd,
            "logFile": self.log(&service.name),
            "restart": service.restart,
            "restarts": service.restarts,
        });
        let (status, ended, reason) = match &service.status {
            Status::Starting => ("starting", None, None),
            Status::Running { pid, started_at_ms } => {
                info["pid"] = json!(pid);
                info["startedAt"] = json!(started_at_ms);
                ("running", None, None)
            }
            Status::Restarting { ended } => ("restarting", Some(*ended), None),
            Status::Stopped { ended } => ("stopped", *ended, None),
            Status::Error { ended, reason } => ("error", *ended, Some(reason)),
        };
        info["status"] = json!(status);
        match ended {
            Some(Ended::Code(code)) => info["exitCode"] = json!(code),
            Some(Ended::Signal(signal)) => info["signal"] = json!(signal),
            Some(Ended::Unknown) | None => {}
        }
        if let Some(reason) = reason {
            info["reason"] = json!(reason);
        }
        info
    }
}

/// A name as part of a file's name: what is odd in one is written as its bytes.
fn file_name(name: &str) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for (at, byte) in name.bytes().enumerate() {
        let is_plain =
            byte.is_ascii_alphanumeric() || b"-_".contains(&byte) || (byte == b'.' && at > 0);
        if is_plain {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02x}");
        }
    }
    text
}

/// Makes the directories that services need.
pub(crate) fn prepare(directory: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    for name in ["", "run", "logs"] {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory.join(name))?;
    }
    Ok(())
}
