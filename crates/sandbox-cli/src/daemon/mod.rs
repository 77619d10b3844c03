//! `daemon`: serves this sandbox to the gateway and to commands in it.
//!
//! INVARIANT: it can die at any moment and lose nothing: services are held by keepers, what it knows is on
//! disk, and the next one goes on from there.

mod complain;
mod context;
mod files;
mod git;
mod http;
pub(crate) mod keeper;
mod log;
mod preview;
mod process;
mod refusal;
mod restart_daemon;
mod services;
mod terminal;

use std::{fs::File, path::Path, sync::Arc, time::Duration};

use rustix::fs::{FlockOperation, Mode, OFlags};
use serde_json::json;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::Semaphore,
};

use self::{
    context::DaemonContext,
    services::{ServiceSupervisor, ServiceTimes},
};
use crate::{
    cli,
    env::TokenSource,
    envfiles::EnvPaths,
    exit::Exit,
    failure::Failure,
    jail::Jail,
    limits::{RESTART_PAUSE_FIRST, STOP_GRACE, TERMINALS_MAX},
    printer::Printer,
};

/// Serves until a signal ends it. Services continue.
pub(crate) fn run(
    args: &cli::DaemonArgs,
    printer: &Printer,
    token: TokenSource,
    paths: &EnvPaths,
) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| failed("start", &error))?;
    if args.supervise {
        return runtime.block_on(restart_daemon::run(args.pause_ms));
    }
    let served = runtime.block_on(serve(args, printer, token, paths));
    // Requests that still run are given up, as they would be if the daemon died.
    runtime.shutdown_background();
    served
}

async fn serve(
    args: &cli::DaemonArgs,
    printer: &Printer,
    token: TokenSource,
    paths: &EnvPaths,
) -> Result<(), Failure> {
    let mut terminate = signal(SignalKind::terminate()).map_err(|error| failed("start", &error))?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(|error| failed("start", &error))?;
    services::make_directories(&args.state_dir)
        .map_err(|error| failed("make the directory of its state", &error))?;
    let directory = args
        .state_dir
        .canonicalize()
        .map_err(|error| failed("find its state", &error))?;
    let _lock = lock_state(&directory)?;
    let jail = Jail::new(&paths.workspace).map_err(|error| failed("open the workspace", &error))?;
    let jail = Arc::new(jail);
    let listener = listen(args.listen).await?;
    let preview = match args.preview_listen {
        Some(address) => Some(listen(address).await?),
        None => None,
    };
    let address = |listener: &TcpListener| {
        listener
            .local_addr()
            .map_err(|error| failed("listen", &error))
    };
    let own = address(&listener)?;
    let own_preview = preview.as_ref().map(address).transpose()?;
    let times = ServiceTimes {
        grace: args.grace_ms.map_or(STOP_GRACE, Duration::from_millis),
        pause_first: args
            .pause_ms
            .map_or(RESTART_PAUSE_FIRST, Duration::from_millis),
    };
    let services = ServiceSupervisor::resume(Arc::clone(&jail), directory, times).await;
    let daemon = Arc::new(DaemonContext {
        token,
        jail,
        services,
        terminals: Arc::new(Semaphore::new(TERMINALS_MAX)),
        own_ports: [Some(own), own_preview]
            .into_iter()
            .flatten()
            .map(|own| own.port())
            .collect(),
    });
    printer.document(&json!({"listening": own, "preview": own_preview}));
    if let Some(preview) = preview {
        tokio::spawn(preview::serve(Arc::clone(&daemon), preview));
    }
    tokio::select! {
        () = http::serve(daemon, listener) => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

async fn listen(address: std::net::SocketAddr) -> Result<TcpListener, Failure> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|error| failed(&format!("listen on {address}"), &error))
}

/// Makes sure that there is one daemon for one state. The kernel releases the lock when the daemon dies.
fn lock_state(directory: &Path) -> Result<File, Failure> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::open(
        directory.join("daemon.lock"),
        flags,
        Mode::from_raw_mode(0o600),
    );
    let file = File::from(opened.map_err(|error| failed("lock its state", &error.into()))?);
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(_) => Err(Failure::new(
            Exit::Failed,
            "another daemon has this state directory",
        )),
    }
}

fn failed(what: &str, error: &std::io::Error) -> Failure {
    Failure::new(Exit::Failed, format!("the daemon cannot {what}: {error}"))
}
