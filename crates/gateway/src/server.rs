//! Serving until told to stop, then stopping in order and within a bound.
//!
//! Owns the listeners and each connection from its first byte to its end. The table (`connections`) limits their
//! number, the router handles their requests.

use std::{io, sync::Arc, time::Duration};

use app::identity;
use axum::Router;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    connections::{ConnectionBounds, ConnectionSlot, Connections, Proxies},
    router::{for_metrics, for_sandboxes, router},
    state::Gateway,
};

mod connection;

use connection::Connection;

/// Pause after a failure to accept that is the gateway's own (no file descriptors left), so that it
/// does not spin.
const ACCEPT_RETRY_AFTER: Duration = Duration::from_millis(200);

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Every request under way got its response.
    Drained,
    /// Some did not within the bound.
    Abandoned,
}

/// The listeners, each with limits of its own.
#[derive(Debug)]
pub struct Listeners {
    /// Users, and programs with tokens of an organization.
    pub people: TcpListener,
    /// Sandboxes: only the routes for sandboxes.
    pub sandboxes: Option<TcpListener>,
    /// `/metrics`, which is then on no other listener.
    pub metrics: Option<TcpListener>,
}

impl From<TcpListener> for Listeners {
    fn from(people: TcpListener) -> Self {
        Self {
            people,
            sandboxes: None,
            metrics: None,
        }
    }
}

/// Serves until `stop`: then no new connection is accepted, requests under way are finished, and
/// those that take longer than the drain are abandoned.
pub async fn serve(
    listeners: impl Into<Listeners>,
    gateway: Gateway,
    stop: CancellationToken,
) -> io::Result<Stopped> {
    let Listeners {
        people,
        sandboxes,
        metrics,
    } = listeners.into();
    let gateway = gateway.until(stop.clone());
    let gateway = gateway.with_metrics_apart(metrics.is_some());
    let sockets = gateway.sockets.open.clone();
    let drain = gateway.options.shutdown_drain;
    let connections = TaskTracker::new();
    let (abandon, options) = (CancellationToken::new(), &gateway.options);
    // INVARIANT: after this function has returned, or was dropped, no request is processed.
    let _abandon = abandon.clone().drop_guard();
    let table = |name, bounds: &ConnectionBounds, proxies| {
        let clock = Arc::clone(&gateway.app.clock);
        Connections::new(name, bounds.clone(), proxies, clock)
    };
    let bound = |listener, table, router: Router<Gateway>| BoundListener {
        listener,
        connections: connections.clone(),
        connection: Connection::new(
            table,
            TowerToHyperService::new(router.with_state(gateway.clone())),
            options.request_timeout,
            (stop.clone(), abandon.clone()),
        ),
    };
    let trusted = &options.trusted_proxies;
    let for_people = table("people", &options.people, Proxies::of_people(trusted));
    let people = bound(people, for_people, router(&gateway));
    let sandboxes = sandboxes.map(|listener| {
        let proxies = Proxies::of_sandboxes(trusted);
        let table = table("sandboxes", &options.sandboxes, proxies);
        bound(listener, table, for_sandboxes(&gateway))
    });
    let metrics = metrics.map(|listener| {
        let proxies = Proxies::of_people(trusted);
        let table = table("metrics", &ConnectionBounds::metrics(), proxies);
        bound(listener, table, for_metrics(&gateway))
    });
    let changes = identity::receive_access_changes(gateway.app.clone(), stop.clone());
    tokio::join!(people.open(), open(sandboxes), open(metrics), changes);
    connections.close();
    sockets.close();
    let ended = async { tokio::join!(connections.wait(), sockets.wait()) };
    match tokio::time::timeout(drain, ended).await {
        Ok(((), ())) => Ok(Stopped::Drained),
        Err(_) => Ok(Stopped::Abandoned),
    }
}

async fn open(bound: Option<BoundListener>) {
    if let Some(bound) = bound {
        bound.open().await;
    }
}

/// A listener and the settings of its connections.
struct BoundListener {
    listener: TcpListener,
    connections: TaskTracker,
    connection: Connection,
}

impl BoundListener {
    /// Accepts until the server stops.
    ///
    /// INVARIANT: it waits for no client. A connection without a slot is closed, and the next one is accepted.
    async fn open(self) {
        loop {
            let accepted = tokio::select! {
                () = self.connection.stopped() => return,
                accepted = self.accept() => accepted,
            };
            if let Some((stream, slot)) = accepted {
                self.connections
                    .spawn(self.connection.clone().serve(stream, slot));
            }
        }
    }

    /// The next connection; `None` if there is no slot for it, or it was closed before it was
    /// accepted.
    async fn accept(&self) -> Option<(TcpStream, ConnectionSlot)> {
        let table = &self.connection.table;
        match self.listener.accept().await {
            Ok((stream, remote)) => {
                let slot = table.admit(remote.ip())?;
                // Small responses must not wait for further data.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "TCP_NODELAY could not be set");
                }
                Some((stream, slot))
            }
            Err(error) => {
                let theirs = [
                    io::ErrorKind::ConnectionAborted,
                    io::ErrorKind::ConnectionReset,
                    io::ErrorKind::ConnectionRefused,
                ];
                if !theirs.contains(&error.kind()) {
                    let listener = table.name;
                    tracing::error!(%error, listener, "connections cannot be accepted");
                    table.close_idle();
                    tokio::time::sleep(ACCEPT_RETRY_AFTER).await;
                }
                None
            }
        }
    }
}
