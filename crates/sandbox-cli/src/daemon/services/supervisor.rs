//! Starts, restarts and stops services on request, and takes over those of an earlier daemon.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    sync::{oneshot, watch},
    task::JoinHandle,
};
use wire::problem::Code;

use super::{
    lifecycle::{FoundRun, run_service},
    saved::{Service, ServiceStatus},
    service_run::ServiceRun,
    table::{ServiceTable, ServiceTimes},
};
use crate::{
    cli::{Restart, service_name},
    daemon::{complain::complain, refusal::Refusal},
    jail::Jail,
    limits::SERVICE_COMMAND_BYTES_MAX,
};

/// A request to run a service.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ServiceRequest {
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
pub(crate) struct ServiceSupervisor {
    jail: Arc<Jail>,
    table: Arc<ServiceTable>,
    tasks: Mutex<Vec<ServiceTask>>,
    /// Held while a service is started or stopped.
    changing: tokio::sync::Mutex<()>,
}

/// The task that runs one service.
#[derive(Debug)]
struct ServiceTask {
    name: String,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl ServiceSupervisor {
    /// Takes over what an earlier daemon left: living services are watched, the others are treated as if
    /// they had ended now, in the order in which they were started.
    pub(crate) async fn resume(
        jail: Arc<Jail>,
        directory: PathBuf,
        times: ServiceTimes,
    ) -> Arc<Self> {
        let supervisor = Arc::new(Self {
            jail,
            table: Arc::new(ServiceTable::open(directory, times)),
            tasks: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
        });
        for Service { name, status, .. } in supervisor.table.services() {
            if !status.is_wanted() {
                continue;
            }
            let found = ServiceRun::find(&supervisor.table.record_path(&name), times.grace);
            // What was only about to be started has not ended.
            let is_meant = found.is_ok() || status != ServiceStatus::Starting;
            if let Err(why) = supervisor.spawn(&name, is_meant.then_some(found)).await {
                complain(&format!("{name}: {why}"));
            }
        }
        supervisor
    }

    pub(crate) fn list(&self) -> Value {
        self.table.list()
    }

    /// Starts a service, in the place of the one that has its name.
    pub(crate) async fn start(&self, request: ServiceRequest) -> Result<Value, Refusal> {
        service_name(&request.name).map_err(|why| Refusal::field("name", why))?;
        let is_usable = !request.command.trim().is_empty() && !request.command.contains('\0');
        if !is_usable || request.command.len() > SERVICE_COMMAND_BYTES_MAX {
            return Err(Refusal::field("command", "is empty or too long"));
        }
        let repository = request.workspace_path.as_deref().unwrap_or(".");
        let cwd = match request.cwd.as_deref().unwrap_or(".") {
            absolute if absolute.starts_with('/') => absolute.to_owned(),
            below => format!("{repository}/{below}"),
        };
        let cwd = self.jail.directory(&cwd);
        let cwd =
            cwd.map_err(|escape| Refusal::field("cwd", format!("cannot be used: {escape}")))?;
        let _changing = self.changing.lock().await;
        self.end_task(&request.name).await;
        let name = request.name.clone();
        let service = Service {
            name: request.name,
            command: request.command,
            cwd,
            restart: request.restart,
            status: ServiceStatus::Starting,
            restarts: 0,
            in_a_row: 0,
        };
        self.table.put(service)?;
        self.spawn_requested(&name).await
    }

    /// Stops a service and starts it as it was.
    pub(crate) async fn restart(&self, name: &str) -> Result<Value, Refusal> {
        let _changing = self.changing.lock().await;
        self.table.require(name)?;
        self.end_task(name).await;
        self.table.change(name, |service| {
            service.restarts = 0;
            service.in_a_row = 0;
            service.status = ServiceStatus::Starting;
        });
        self.spawn_requested(name).await
    }

    pub(crate) async fn stop(&self, name: &str) -> Result<Value, Refusal> {
        let _changing = self.changing.lock().await;
        self.table.require(name)?;
        self.end_task(name).await;
        Ok(json!({"success": true, "service": self.table.view_of(name)}))
    }

    /// The path of a service's log.
    pub(crate) fn log_path(&self, name: &str) -> Result<PathBuf, Refusal> {
        self.table.require(name)?;
        Ok(self.table.log_path(name))
    }

    pub(crate) fn expose(&self, port: u16) -> Value {
        self.table.expose(port);
        json!({"success": true, "exposedPort": port})
    }

    pub(crate) fn exposed_port(&self) -> Option<u16> {
        self.table.exposed_port()
    }

    async fn spawn_requested(&self, name: &str) -> Result<Value, Refusal> {
        match self.spawn(name, None).await {
            Ok(()) => Ok(json!({"service": self.table.view_of(name)})),
            Err(why) => Err(Refusal::new(
                Code::Internal,
                format!("The service {name}: {why}."),
            )),
        }
    }

    /// Spawns the task that runs a service, and waits until the service was started once.
    async fn spawn(&self, name: &str, found: Option<FoundRun>) -> Result<(), String> {
        let (stop, stop_requested) = watch::channel(false);
        let (started, first_start) = oneshot::channel();
        let task = run_service(
            Arc::clone(&self.table),
            name.to_owned(),
            found,
            stop_requested,
            started,
        );
        let task = tokio::spawn(task);
        self.tasks().push(ServiceTask {
            name: name.to_owned(),
            stop,
            task,
        });
        first_start
            .await
            .unwrap_or_else(|_| Err("it was not started".to_owned()))
    }

    /// Ends the task of a service and with it the service, if there is one.
    async fn end_task(&self, name: &str) {
        let task = {
            let mut tasks = self.tasks();
            let at = tasks.iter().position(|task| task.name == name);
            at.map(|at| tasks.swap_remove(at))
        };
        if let Some(task) = task {
            let _ = task.stop.send(true);
            let _ = task.task.await;
        }
    }

    fn tasks(&self) -> MutexGuard<'_, Vec<ServiceTask>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
