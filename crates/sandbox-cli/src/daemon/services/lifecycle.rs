//! The life of one service, from its start to the end without a restart.

use std::{sync::Arc, time::Duration};

use tokio::sync::{oneshot, watch};

use super::{
    saved::{Service, ServiceStatus},
    service_run::{ServiceLaunch, ServiceRun, end_orphan},
    table::ServiceTable,
};
use crate::{
    daemon::keeper::{KeeperRecord, ServiceEnd},
    system,
};

/// The keeper of an earlier daemon, or the record that it left.
pub(super) type FoundRun = Result<ServiceRun, Option<KeeperRecord>>;

/// Starts a service, and again when it ends, until it is done, given up or stopped. Sends the result of the first start.
pub(super) async fn run_service(
    table: Arc<ServiceTable>,
    name: String,
    mut found: Option<FoundRun>,
    mut stop_requested: watch::Receiver<bool>,
    started: oneshot::Sender<Result<(), String>>,
) {
    let mut started = Some(started);
    let mut send_started = move |result| {
        if let Some(started) = started.take() {
            let _ = started.send(result);
        }
    };
    loop {
        let Some(service) = table.get(&name) else {
            return;
        };
        let run = match start_or_take(&table, &service, found.take()).await {
            StartResult::Running(run) => Ok(*run),
            StartResult::Ended(end) => Err(end),
            StartResult::Failed(reason) => {
                let status = ServiceStatus::Error {
                    ended: None,
                    reason: reason.clone(),
                };
                table.set_status(&name, status);
                return send_started(Err(reason));
            }
        };
        let (end, ran_for) = match run {
            Ok(mut run) => {
                let started_at_ms = run.record.started_at_ms;
                let pid = run.record.service.pid;
                table.set_status(&name, ServiceStatus::Running { pid, started_at_ms });
                send_started(Ok(()));
                tokio::select! {
                    end = run.wait_for_end() => {
                        let ran_for = system::now_ms().saturating_sub(started_at_ms);
                        (end, Duration::from_millis(ran_for))
                    }
                    () = wait_for_stop(&mut stop_requested) => {
                        let end = run.stop().await;
                        return table.set_status(&name, ServiceStatus::Stopped { ended: Some(end) });
                    }
                }
            }
            Err(end) => (end, Duration::ZERO),
        };
        send_started(Ok(()));
        let Some(pause) = table.record_end(&service, end, ran_for) else {
            return;
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = wait_for_stop(&mut stop_requested) => {
                return table.set_status(&name, ServiceStatus::Stopped { ended: Some(end) });
            }
        }
    }
}

enum StartResult {
    Running(Box<ServiceRun>),
    /// What was found had ended before.
    Ended(ServiceEnd),
    Failed(String),
}

/// Takes the run that was found, or starts the service.
async fn start_or_take(
    table: &ServiceTable,
    service: &Service,
    found: Option<FoundRun>,
) -> StartResult {
    match found {
        Some(Ok(run)) => return StartResult::Running(Box::new(run)),
        Some(Err(Some(record))) => return StartResult::Ended(end_orphan(&record).await),
        Some(Err(None)) => return StartResult::Ended(ServiceEnd::Unknown),
        None => {}
    }
    let launch = ServiceLaunch {
        record: &table.record_path(&service.name),
        log: &table.log_path(&service.name),
        command: &service.command,
        cwd: &service.cwd,
        grace: table.times.grace,
    };
    match ServiceRun::start(launch).await {
        Ok(run) => StartResult::Running(Box::new(run)),
        Err(reason) => StartResult::Failed(reason),
    }
}

/// Waits until a stop is requested.
async fn wait_for_stop(stop_requested: &mut watch::Receiver<bool>) {
    if stop_requested
        .wait_for(|requested| *requested)
        .await
        .is_err()
    {
        // No sender of a stop is left.
        std::future::pending::<()>().await;
    }
}
