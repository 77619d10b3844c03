//! Gateways as processes, each at an address that it comes back to.

use std::net::SocketAddr;

use testkit::process::{Running, Workspace};

pub(super) const GATEWAYS: usize = 3;

pub(super) struct Fleet<'a> {
    workspace: &'a Workspace,
    addresses: [SocketAddr; GATEWAYS],
    gateways: Vec<Running>,
}

impl<'a> Fleet<'a> {
    pub(super) async fn serve(workspace: &'a Workspace, addresses: [SocketAddr; GATEWAYS]) -> Self {
        let mut gateways: Vec<_> = addresses.iter().map(|at| spawn(workspace, at)).collect();
        for (gateway, address) in gateways.iter_mut().zip(&addresses) {
            gateway.ready(&format!("http://{address}")).await;
        }
        Self {
            workspace,
            addresses,
            gateways,
        }
    }

    pub(super) fn urls(&self) -> Vec<String> {
        let urls = self.addresses.iter();
        urls.map(|address| format!("http://{address}")).collect()
    }

    pub(super) fn kill(&mut self, number: usize) {
        self.gateways[number].kill();
    }

    pub(super) fn freeze(&self, number: usize) {
        self.gateways[number].freeze();
    }

    pub(super) fn thaw(&self, number: usize) {
        self.gateways[number].thaw();
    }

    pub(super) async fn start(&mut self, number: usize) {
        let address = &self.addresses[number];
        self.gateways[number] = spawn(self.workspace, address);
        self.gateways[number]
            .ready(&format!("http://{address}"))
            .await;
    }

    /// Stops one in order and puts another in its place.
    pub(super) async fn roll(&mut self, number: usize) {
        self.terminate(number).await;
        self.start(number).await;
    }

    pub(super) async fn stop(mut self) {
        for number in 0..GATEWAYS {
            self.terminate(number).await;
        }
    }

    async fn terminate(&mut self, number: usize) {
        let gateway = &mut self.gateways[number];
        gateway.terminate();
        assert_eq!(gateway.wait().await.code(), Some(0), "{}", gateway.stderr());
    }
}

fn spawn(workspace: &Workspace, address: &SocketAddr) -> Running {
    let listen = address.to_string();
    let arguments = [
        "serve",
        "--with-worker",
        "--listen",
        &listen,
        // The port above might be another gateway's.
        "--sandbox-listen",
        "127.0.0.1:0",
        "--log-format",
        "json",
    ];
    workspace.spawn(&arguments)
}
