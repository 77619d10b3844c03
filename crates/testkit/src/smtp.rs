//! A mail server for tests: aiosmtpd, a program of others (`test-support/smtp`). Owns the process and what it received;
//! knows nothing of what the mails are about.

use std::{
    fs,
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use app::mail::{MailEncryption, MailSettings};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpStream;

const PROBE_EVERY: Duration = Duration::from_millis(20);
/// A minute together, for a machine that is busy.
const PROBES_MAX: u32 = 3000;
/// Ports tried before giving up: another process may take one between choosing and using it.
const PORTS_MAX: u32 = 5;
/// Debian's own, which has the server's library.
const PYTHON: &str = "/usr/bin/python3";
const SERVER: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../test-support/smtp/server.py"
);
/// A certificate for this machine and nothing else, which no authority signed.
const CERTIFICATE: &str = "[req]\ndistinguished_name=name\nx509_extensions=v3\nprompt=no\n[name]\nCN=localhost\n\
                           [v3]\nsubjectAltName=DNS:localhost\nbasicConstraints=critical,CA:FALSE\n";

/// Killed when dropped.
#[derive(Debug)]
pub struct SmtpServer {
    address: SocketAddr,
    encryption: MailEncryption,
    folder: TempDir,
    process: Option<Child>,
}

impl SmtpServer {
    pub async fn start(encryption: MailEncryption) -> Self {
        for _ in 0..PORTS_MAX {
            let mut server = Self {
                address: crate::port::free_address(),
                encryption,
                folder: TempDir::new().expect("a temporary folder"),
                process: None,
            };
            if encryption != MailEncryption::None {
                make_certificate(server.folder.path());
            }
            if server.spawn().await {
                return server;
            }
        }
        panic!("the mail server did not start on any of {PORTS_MAX} ports");
    }

    /// What a gateway is told of it.
    pub fn settings(&self) -> MailSettings {
        let is_encrypted = self.encryption != MailEncryption::None;
        let certificate = self.folder.path().join("certificate.pem");
        MailSettings {
            host: "localhost".to_owned(),
            port: self.address.port(),
            encryption: self.encryption,
            credentials: is_encrypted.then(|| ("gateway".to_owned(), "hush".into())),
            from: "Proliferate <agents@acme.example>".to_owned(),
            authority: is_encrypted.then(|| fs::read(certificate).expect("a certificate")),
        }
    }

    /// What it accepted, the oldest first.
    pub fn mails(&self) -> Vec<Value> {
        let files = fs::read_dir(self.folder.path()).expect("a folder");
        let files = files.map(|file| file.expect("a file").path());
        let is_mail = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "json");
        let mut paths: Vec<_> = files.filter(is_mail).collect();
        paths.sort();
        let read = |path: &std::path::PathBuf| {
            let text = fs::read_to_string(path).expect("a mail");
            serde_json::from_str(&text).expect("a mail")
        };
        paths.iter().map(read).collect()
    }

    /// The text of the last mail, with lines as they were before they were sent.
    pub fn last_text(&self) -> String {
        let mails = self.mails();
        let text = mails.last().expect("a mail")["text"].as_str();
        let text = text.expect("a text").replace("\r\n", "\n");
        // Long lines are broken where quoted-printable breaks them.
        text.replace("=\n", "").replace("=3D", "=")
    }

    /// Ends it; what it accepted is kept.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().expect("it is our child");
            process.wait().expect("it is our child");
        }
    }

    /// Starts it again on the same port.
    pub async fn restart(&mut self) {
        self.stop();
        assert!(self.spawn().await, "the mail server did not start again");
    }

    /// False when it ended because another program has its port.
    async fn spawn(&mut self) -> bool {
        let encryption = match self.encryption {
            MailEncryption::None => "none",
            MailEncryption::StartTls => "starttls",
            MailEncryption::Tls => "tls",
        };
        let folder = self.folder.path();
        let process = Command::new(PYTHON)
            .arg(SERVER)
            .arg(self.address.port().to_string())
            .arg(folder)
            .arg(encryption)
            .args([folder.join("certificate.pem"), folder.join("key.pem")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("python3 is installed");
        let process = self.process.insert(process);
        for _ in 0..PROBES_MAX {
            if process.try_wait().expect("it is our child").is_some() {
                return false;
            }
            if TcpStream::connect(self.address).await.is_ok() {
                return true;
            }
            tokio::time::sleep(PROBE_EVERY).await;
        }
        panic!("the mail server does not listen");
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn make_certificate(folder: &Path) {
    let configuration = folder.join("certificate.cnf");
    fs::write(&configuration, CERTIFICATE).expect("a file");
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
        ])
        .args(["-nodes", "-days", "2", "-config"])
        .arg(configuration)
        .arg("-keyout")
        .arg(folder.join("key.pem"))
        .arg("-out")
        .arg(folder.join("certificate.pem"))
        .stderr(Stdio::null())
        .status();
    assert!(made.expect("openssl is installed").success());
}
