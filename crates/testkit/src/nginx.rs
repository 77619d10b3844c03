//! nginx in front of gateways, with the configuration that the documentation has: what is written there is what is
//! tested. Owns the process; knows nothing of what is asked through it.

use std::{
    fmt::Write as _,
    fs::{self, File},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    time::Duration,
};

use tempfile::TempDir;
use tokio::net::TcpStream;

const PAGE: &str = include_str!("../../../docs/concepts/load-balancers.md");
const PROBE_EVERY: Duration = Duration::from_millis(20);
/// A minute together, for a machine that is busy.
const PROBES_MAX: u32 = 3000;
/// Ports tried before giving up: another process may take one between choosing and using it.
const PORTS_MAX: u32 = 5;

/// Killed when dropped.
#[derive(Debug)]
pub struct Nginx {
    pub address: SocketAddr,
    process: Child,
    folder: TempDir,
}

impl Nginx {
    pub async fn start(gateways: &[SocketAddr]) -> Self {
        for _ in 0..PORTS_MAX {
            let mut nginx = Self::spawn(gateways);
            if nginx.listens().await {
                return nginx;
            }
        }
        panic!("nginx did not start on any of {PORTS_MAX} ports");
    }

    fn spawn(gateways: &[SocketAddr]) -> Self {
        let address = crate::port::free_address();
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("nginx.conf");
        let text = configuration(gateways, address, &folder.path().display().to_string());
        fs::write(&file, text).expect("a file for the configuration");
        let errors = File::create(folder.path().join("errors")).expect("a file for errors");
        let process = Command::new("nginx")
            .arg("-c")
            .arg(&file)
            .args(["-e", "stderr"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors)
            .spawn()
            .expect("nginx is installed");
        Self {
            address,
            process,
            folder,
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// False when it ended because another program has its port.
    async fn listens(&mut self) -> bool {
        for _ in 0..PROBES_MAX {
            let ended = self.process.try_wait().expect("it is our child");
            if ended.is_some() {
                let errors = self.errors();
                assert!(errors.contains("Address already in use"), "{errors}");
                return false;
            }
            if TcpStream::connect(self.address).await.is_ok() {
                return true;
            }
            tokio::time::sleep(PROBE_EVERY).await;
        }
        panic!("nginx does not listen: {}", self.errors());
    }

    fn errors(&self) -> String {
        fs::read_to_string(self.folder.path().join("errors")).unwrap_or_default()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // One that has ended already cannot be killed, which is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The configuration from the documentation page, with these addresses, and what nginx needs to run
/// it without a service.
fn configuration(gateways: &[SocketAddr], address: SocketAddr, folder: &str) -> String {
    let documented = block("nginx");
    let mut gateways = gateways.iter();
    let mut text = String::new();
    for line in documented.lines() {
        let line = match line.trim().strip_prefix("server 10.0.0.") {
            Some(rest) => {
                let (_, options) = rest.split_once(' ').expect("options after the address");
                let gateway = gateways.next().expect("as many gateways as the page has");
                format!("    server {gateway} {options}")
            }
            None => line.replace("listen 80;", &format!("listen {address};")),
        };
        writeln!(text, "{line}").expect("text takes text");
    }
    assert!(gateways.next().is_none(), "the page has fewer gateways");
    assert!(text.contains(&format!("listen {address};")), "{text}");
    let paths: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {folder}/{name};\n"))
        .concat();
    format!(
        "daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log stderr warn;\n\
         events {{ worker_connections 1024; }}\nhttp {{\naccess_log off;\n{paths}{text}}}\n"
    )
}

/// The text that the page has in its first block of this language.
pub fn block(language: &str) -> &'static str {
    let begin = format!("```{language}\n");
    let (_, rest) = PAGE.split_once(&begin).expect("the page has such a block");
    rest.split_once("```").expect("the block has an end").0
}
