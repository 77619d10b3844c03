//! The gateway on a real port, for tests that are about connections.

use std::net::{Ipv4Addr, SocketAddr};

use gateway::{Gateway, Listeners, Stopped};
use hub::Hub;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::TestApp;

/// A gateway that listens; ends with the test.
#[derive(Debug)]
pub struct Served {
    pub address: SocketAddr,
    /// Where sandboxes connect, and where metrics are, if they are separate.
    pub sandboxes: Option<SocketAddr>,
    pub metrics: Option<SocketAddr>,
    stop: CancellationToken,
    serving: JoinHandle<std::io::Result<Stopped>>,
}

impl TestApp {
    pub async fn serve(&self) -> Served {
        listen(self.gateway.clone(), false).await
    }

    /// With a listener for each kind of client.
    pub async fn serve_apart(&self) -> Served {
        listen(self.gateway.clone(), true).await
    }

    /// With live sessions.
    pub async fn serve_hub(&self, hub: Hub) -> Served {
        listen(self.gateway.clone().with_hub(hub), false).await
    }
}

async fn bind() -> TcpListener {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
    listener.expect("a free port")
}

async fn listen(gateway: Gateway, apart: bool) -> Served {
    let mut listeners = Listeners::from(bind().await);
    if apart {
        listeners.sandboxes = Some(bind().await);
        listeners.metrics = Some(bind().await);
    }
    let address_of = |listener: &TcpListener| listener.local_addr().expect("a bound socket");
    let address = address_of(&listeners.people);
    let sandboxes = listeners.sandboxes.as_ref().map(address_of);
    let metrics = listeners.metrics.as_ref().map(address_of);
    let stop = CancellationToken::new();
    let serving = gateway::serve(listeners, gateway, stop.clone());
    Served {
        address,
        sandboxes,
        metrics,
        stop,
        serving: tokio::spawn(serving),
    }
}

impl Served {
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Tells it to stop, without waiting.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// How it ended, once it did.
    pub async fn stopped(self) -> Stopped {
        let outcome = self.serving.await.expect("it does not panic");
        outcome.expect("it serves")
    }
}
