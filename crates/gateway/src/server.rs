//! Serving until told to stop, then stopping in order and within a bound.
//!
//! Owns the listeners and what happens on one connection from its first byte to its end. How many there may be is the
//! table's (`connections`), what is said on them the router's.

use std::{io, sync::Arc, time::Duration};

use axum::Router;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    connections::{ConnectionBounds, Connections, Place, Proxies},
    router::{for_metrics, for_sandboxes, router},
    state::Gateway,
};

mod connection;

use connection::Connection;

/// Pause after a failure to accept that is ours (no more files), so that it does not spin.
const ACCEPT_RETRY_AFTER: Duration = Duration::from_millis(200);

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Every request under way was answered.
    Drained,
    /// Some were not answered within the bound.
    Abandoned,
}

/// Where clients come in, each kind with a share of its own.
#[derive(Debug)]
pub struct Listeners {
    /// People, and programs with tokens of an organization.
    pub people: TcpListener,
    /// Sandboxes: of the routes, those that a sandbox uses.
    pub sandboxes: Option<TcpListener>,
    /// `/metrics`, which is then nowhere else.
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

/// Serves until `stop`: then no new connection is accepted, requests under way are answered, and
/// what takes longer than the drain is abandoned.
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
    // INVARIANT: when this function has returned, or was dropped, no request is worked on.
    let _abandon = abandon.clone().drop_guard();
    let table = |name, bounds: &ConnectionBounds, proxies| {
        let clock = Arc::clone(&gateway.app.clock);
        Connections::new(name, bounds.clone(), proxies, clock)
    };
    let entrance = |listener, table, router: Router<Gateway>| Entrance {
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
    let people = entrance(people, for_people, router(&gateway));
    let sandboxes = sandboxes.map(|listener| {
        let proxies = Proxies::of_sandboxes(trusted);
        let table = table("sandboxes", &options.sandboxes, proxies);
        entrance(listener, table, for_sandboxes(&gateway))
    });
    let metrics = metrics.map(|listener| {
        let proxies = Proxies::of_people(trusted);
        let table = table("metrics", &ConnectionBounds::metrics(), proxies);
        entrance(listener, table, for_metrics(&gateway))
    });
    tokio::join!(people.open(), open(sandboxes), open(metrics));
    connections.close();
    sockets.close();
    let ended = async { tokio::join!(connections.wait(), sockets.wait()) };
    match tokio::time::timeout(drain, ended).await {
        Ok(((), ())) => Ok(Stopped::Drained),
        Err(_) => Ok(Stopped::Abandoned),
    }
}

async fn open(entrance: Option<Entrance>) {
    if let Some(entrance) = entrance {
        entrance.open().await;
    }
}

/// A listener and what its connections are served with.
struct Entrance {
    listener: TcpListener,
    connections: TaskTracker,
    connection: Connection,
}

impl Entrance {
    /// Accepts until the server stops.
    ///
    /// INVARIANT: it waits for no client. A connection for which there is no place is closed, and the next one is looked
    /// at.
    async fn open(self) {
        loop {
            let accepted = tokio::select! {
                () = self.connection.stopped() => return,
                accepted = self.accept() => accepted,
            };
            if let Some((stream, place)) = accepted {
                self.connections
                    .spawn(self.connection.clone().serve(stream, place));
            }
        }
    }

    /// The next connection; `None` if there is no place for it, or it was gone before it was ours.
    async fn accept(&self) -> Option<(TcpStream, Place)> {
        let table = &self.connection.table;
        match self.listener.accept().await {
            Ok((stream, remote)) => {
                let place = table.admit(remote.ip())?;
                // Small answers must not wait for more to send.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "TCP_NODELAY could not be set");
                }
                Some((stream, place))
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
                    table.make_room();
                    tokio::time::sleep(ACCEPT_RETRY_AFTER).await;
                }
                None
            }
        }
    }
}
