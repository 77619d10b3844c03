//! The table of services: what is known of each, written to the disk with every change.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::{Value, json};
use wire::problem::Code;

use super::{
    restart_rule::{self, RestartDecision},
    saved::{SavedServices, Service, ServiceStatus},
};
use crate::{
    daemon::{complain::complain, keeper::ServiceEnd, refusal::Refusal},
    limits::SERVICES_MAX,
};

/// How long services may take to stop, and how long the first restart waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ServiceTimes {
    pub(crate) grace: Duration,
    pub(crate) pause_first: Duration,
}

#[derive(Debug)]
pub(super) struct ServiceTable {
    directory: PathBuf,
    pub(super) times: ServiceTimes,
    saved: Mutex<SavedServices>,
}

impl ServiceTable {
    /// Reads what an earlier daemon saved. A file that cannot be read is renamed.
    pub(super) fn open(directory: PathBuf, times: ServiceTimes) -> Self {
        let path = directory.join("state.json");
        let (saved, is_read) = SavedServices::read(&path);
        if !is_read {
            complain("the state of an earlier daemon cannot be read and was put aside");
            let _ = std::fs::rename(&path, path.with_extension("unreadable"));
        }
        Self {
            directory,
            times,
            saved: Mutex::new(saved),
        }
    }

    pub(super) fn services(&self) -> Vec<Service> {
        self.lock().services.clone()
    }

    pub(super) fn list(&self) -> Value {
        let saved = self.lock();
        let services: Vec<Value> = saved.services.iter().map(|one| self.view(one)).collect();
        json!({"services": services, "exposedPort": saved.exposed_port})
    }

    pub(super) fn expose(&self, port: u16) {
        let mut saved = self.lock();
        saved.exposed_port = Some(port);
        self.save(&saved);
    }

    pub(super) fn exposed_port(&self) -> Option<u16> {
        self.lock().exposed_port
    }

    /// Adds a service, in place of the one that has its name.
    pub(super) fn put(&self, service: Service) -> Result<(), Refusal> {
        let mut saved = self.lock();
        let services = &mut saved.services;
        match services.iter().position(|known| known.name == service.name) {
            Some(at) => services[at] = service,
            None if services.len() >= SERVICES_MAX => {
                let why = format!("There are {SERVICES_MAX} services already.");
                return Err(Refusal::new(Code::LimitReached, why));
            }
            None => services.push(service),
        }
        self.save(&saved);
        Ok(())
    }

    pub(super) fn change(&self, name: &str, change: impl FnOnce(&mut Service)) {
        let mut saved = self.lock();
        let Some(service) = saved.services.iter_mut().find(|known| known.name == name) else {
            return;
        };
        change(service);
        self.save(&saved);
    }

    pub(super) fn set_status(&self, name: &str, status: ServiceStatus) {
        self.change(name, |service| service.status = status);
    }

    /// Records the end of a service, and returns how long to wait before the next start, if there is one.
    pub(super) fn record_end(
        &self,
        service: &Service,
        end: ServiceEnd,
        ran_for: Duration,
    ) -> Option<Duration> {
        let first = self.times.pause_first;
        let mut in_a_row = service.in_a_row;
        let decision = restart_rule::decide(service.restart, end, ran_for, first, &mut in_a_row);
        let status = match decision {
            RestartDecision::Stay => ServiceStatus::Stopped { ended: Some(end) },
            RestartDecision::Failed => ServiceStatus::Error {
                ended: Some(end),
                reason: "it failed".to_owned(),
            },
            RestartDecision::GiveUp => ServiceStatus::Error {
                ended: Some(end),
                reason: format!("it failed {} times in a row", in_a_row + 1),
            },
            RestartDecision::RestartAfter(_) => ServiceStatus::Restarting { ended: end },
        };
        self.change(&service.name, |service| {
            service.status = status;
            service.in_a_row = in_a_row;
            if matches!(decision, RestartDecision::RestartAfter(_)) {
                service.restarts += 1;
            }
        });
        match decision {
            RestartDecision::RestartAfter(pause) => Some(pause),
            _ => None,
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<Service> {
        let saved = self.lock();
        saved
            .services
            .iter()
            .find(|known| known.name == name)
            .cloned()
    }

    pub(super) fn require(&self, name: &str) -> Result<Service, Refusal> {
        self.get(name)
            .ok_or_else(|| Refusal::new(Code::NotFound, "There is no such service."))
    }

    /// The view of a service for clients.
    pub(super) fn view_of(&self, name: &str) -> Value {
        self.get(name)
            .map_or(Value::Null, |service| self.view(&service))
    }

    fn view(&self, service: &Service) -> Value {
        let mut view = json!({
            "name": service.name,
            "command": service.command,
            "cwd": service.cwd,
            "logFile": self.log_path(&service.name),
            "restart": service.restart,
            "restarts": service.restarts,
        });
        let (status, ended, reason) = match &service.status {
            ServiceStatus::Starting => ("starting", None, None),
            ServiceStatus::Running { pid, started_at_ms } => {
                view["pid"] = json!(pid);
                view["startedAt"] = json!(started_at_ms);
                ("running", None, None)
            }
            ServiceStatus::Restarting { ended } => ("restarting", Some(*ended), None),
            ServiceStatus::Stopped { ended } => ("stopped", *ended, None),
            ServiceStatus::Error { ended, reason } => ("error", *ended, Some(reason)),
        };
        view["status"] = json!(status);
        match ended {
            Some(ServiceEnd::Code(code)) => view["exitCode"] = json!(code),
            Some(ServiceEnd::Signal(signal)) => view["signal"] = json!(signal),
            Some(ServiceEnd::Unknown) | None => {}
        }
        if let Some(reason) = reason {
            view["reason"] = json!(reason);
        }
        view
    }

    /// The file in which the keeper of a service records it.
    pub(super) fn record_path(&self, name: &str) -> PathBuf {
        self.directory
            .join("run")
            .join(format!("{}.json", file_name(name)))
    }

    pub(super) fn log_path(&self, name: &str) -> PathBuf {
        self.directory
            .join("logs")
            .join(format!("{}.log", file_name(name)))
    }

    fn save(&self, saved: &SavedServices) {
        if let Err(error) = saved.write(&self.directory.join("state.json")) {
            complain(&format!("cannot write the state: {error}"));
        }
    }

    fn lock(&self) -> MutexGuard<'_, SavedServices> {
        self.saved.lock().unwrap_or_else(PoisonError::into_inner)
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
pub(crate) fn make_directories(directory: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    for name in ["", "run", "logs"] {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory.join(name))?;
    }
    Ok(())
}
