//! The gateway on a real port, for tests that are about connections.

use std::net::{Ipv4Addr, SocketAddr};

use gateway::{Gateway, Stopped};
use hub::house::House;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::TestApp;

/// A gateway that listens; ends with the test.
#[derive(Debug)]
pub struct Served {
    pub address: SocketAddr,
    stop: CancellationToken,
    serving: JoinHandle<std::io::Result<Stopped>>,
}

impl TestApp {
    pub async fn serve(&self) -> Served {
        listen(self.gateway.clone()).await
    }

    /// With live sessions.
    pub async fn serve_house(&self, house: House) -> Served {
        listen(self.gateway.clone().with_house(house)).await
    }
}

async fn listen(gateway: Gateway) -> Served {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .await
        .expect("a free port");
    let address = listener.local_addr().expect("a bound socket");
    let stop = CancellationToken::new();
    let serving = gateway::serve(listener, gateway, stop.clone());
    Served {
        address,
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
