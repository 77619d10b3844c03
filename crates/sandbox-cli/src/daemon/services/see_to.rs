//! The life of one service, from its start to the end without a restart.

use std::{sync::Arc, time::Duration};

use tokio::sync::{oneshot, watch};

use super::{
    Services,
    backoff::{self, Next},
    run::{self, Launch, Run},
    state::{Service, Status},
};
use crate::{
    daemon::keeper::{Ended, Record},
    system,
};

/// A keeper of an earlier daemon, or what it left.
pub(super) type Found = Result<Run, Option<Record>>;

/// Starts a service, and again when it ends, until it is done, given up or stopped.
pub(super) async fn see_to(
    services: Arc<Services>,
    name: String,
    mut found: Option<Found>,
    mut stopped: watch::Receiver<bool>,
    first: oneshot::Sender<Result<(), String>>,
) {
    let mut first = Some(first);
    let mut tell = move |said| {
        if let Some(first) = first.take() {
            let _ = first.send(said);
        }
    };
    loop {
        let Some(service) = services.get(&name) else {
            return;
        };
        let run = match begin(&services, &service, found.take()).await {
            Begun::Run(run) => Ok(*run),
            Begun::Ended(ended) => Err(ended),
            Begun::Failed(reason) => {
                let status = Status::Error {
                    ended: None,
                    reason: reason.clone(),
                };
                services.now(&name, status);
                return tell(Err(reason));
            }
        };
        let (ended, ran_for) = match run {
            Ok(mut run) => {
                let started_at_ms = run.record.started_at_ms;
                let pid = run.record.service.pid;
                services.now(&name, Status::Running { pid, started_at_ms });
                tell(Ok(()));
                tokio::select! {
                    ended = run.ended() => {
                        let ran_for = system::now_ms().saturating_sub(started_at_ms);
                        (ended, Duration::from_millis(ran_for))
                    }
                    () = told(&mut stopped) => {
                        let ended = run.stop().await;
                        return services.now(&name, Status::Stopped { ended: Some(ended) });
                    }
                }
            }
            Err(ended) => (ended, Duration::ZERO),
        };
        tell(Ok(()));
        let Some(pause) = services.after(&name, &service, ended, ran_for) else {
            return;
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = told(&mut stopped) => {
                return services.now(&name, Status::Stopped { ended: Some(ended) });
            }
        }
    }
}

/// How a start went.
enum Begun {
    Run(Box<Run>),
    /// What was found had ended before.
    Ended(Ended),
    Failed(String),
}

/// Takes what was found, or starts the service.
async fn begin(services: &Services, service: &Service, found: Option<Found>) -> Begun {
    match found {
        Some(Ok(run)) => return Begun::Run(Box::new(run)),
        Some(Err(Some(record))) => return Begun::Ended(run::orphaned(&record).await),
        Some(Err(None)) => return Begun::Ended(Ended::Unknown),
        None => {}
    }
    let launch = Launch {
        record: &services.record(&service.name),
        log: &services.log(&service.name),
        command: &service.command,
        cwd: &service.cwd,
        grace: services.pace.grace,
    };
    match Run::start(launch).await {
        Ok(run) => Begun::Run(Box::new(run)),
        Err(reason) => Begun::Failed(reason),
    }
}

/// Waits until a stop is requested.
async fn told(stopped: &mut watch::Receiver<bool>) {
    if stopped.wait_for(|stopped| *stopped).await.is_err() {
        // No sender of a stop is left.
        std::future::pending::<()>().await;
    }
}

impl Services {
    /// Writes down what follows from an end, and says how long to wait before the next start.
    fn after(
        &self,
        name: &str,
        service: &Service,
        ended: Ended,
        ran_for: Duration,
    ) -> Option<Duration> {
        let first = self.pace.pause_first;
        let mut in_a_row = service.in_a_row;
        let next = backoff::next(service.restart, ended, ran_for, first, &mut in_a_row);
        let status = match next {
            Next::Stay => Status::Stopped { ended: Some(ended) },
            Next::Failed => Status::Error {
                ended: Some(ended),
                reason: "it failed".to_owned(),
            },
            Next::GiveUp => Status::Error {
                ended: Some(ended),
                reason: format!("it failed {} times in a row", in_a_row + 1),
            },
            Next::Again(_) => Status::Restarting { ended },
        };
        self.change(name, |service| {
            service.status = status;
            service.in_a_row = in_a_row;
            if matches!(next, Next::Again(_)) {
                service.restarts += 1;
            }
        });
        match next {
            Next::Again(pause) => Some(pause),
            _ => None,
        }
    }
}
