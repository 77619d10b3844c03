//! A tool server that we did not write: `@modelcontextprotocol/server-everything` over streamable HTTP, as
//! a process of its own. `./test` installs it from `test-support/mcp/package-lock.json`.

use std::path::Path;

use crate::{
    port::free_address,
    process::{Running, Workspace},
};

const ENTRY: &str =
    "test-support/mcp/node_modules/@modelcontextprotocol/server-everything/dist/index.js";
/// Ports tried: another process may take one between choosing and using it.
const PORTS_MAX: u32 = 5;

/// The server; killed when dropped.
#[derive(Debug)]
pub struct Everything {
    port: u16,
    _running: Running,
    _workspace: Workspace,
}

impl Everything {
    pub async fn start() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let entry = root.join(ENTRY);
        assert!(
            entry.exists(),
            "{ENTRY} is not there; run ./test: it installs what tests need"
        );
        let entry = entry.to_str().expect("a readable path");
        for _ in 0..PORTS_MAX {
            let port = free_address().port();
            let workspace = Workspace::new("node").env("PORT", port.to_string());
            let mut running = workspace.spawn(&[entry, "streamableHttp"]);
            let listens = format!("listening on port {port}");
            if running.says_or_ends(&listens).await {
                return Self {
                    port,
                    _running: running,
                    _workspace: workspace,
                };
            }
        }
        panic!("no port for the tool server");
    }

    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.host())
    }

    /// Host and port, as the egress guard is told about them.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}
