//! The real agent in both tiers: it boots isolated, and contacts no host.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::PathBuf,
    time::Duration,
};

use sandbox::{
    Endpoint, Env, File, HomePath, ProcessSpec, Provider as _, SnapshotRequest, TemplateEntry,
    local::{Tier, Traffic},
};

use crate::{
    conformance::until,
    support::{Machine, bounded, spec},
};

fn opencode() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let binary = manifest.join("../agent/opencode/node_modules/opencode-linux-x64/bin/opencode");
    binary.canonicalize().expect(
        "npm install --no-save --prefix crates/agent/opencode --ignore-scripts brings the agent",
    )
}

/// The answer to one request on a new connection, if it comes in time.
fn get(address: SocketAddr, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(10))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    )?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}

async fn boot(machine: &Machine, handle: &sandbox::Handle) -> Endpoint {
    let endpoint = machine.local.endpoint(handle, 4096).await.unwrap();
    let (host, port) = (
        endpoint.listen.ip().to_string(),
        endpoint.listen.port().to_string(),
    );
    let words = ["opencode", "serve", "--port", &port, "--hostname", &host];
    let mut agent = ProcessSpec::new("agent", words);
    agent.cwd = HomePath::workspace();
    machine.local.start(handle, agent).await.unwrap();
    let healthy = || async {
        let answer = tokio::task::spawn_blocking(move || get(endpoint.address, "/global/health"));
        answer
            .await
            .unwrap()
            .is_ok_and(|text| text.contains("\"healthy\":true"))
    };
    if tokio::time::timeout(Duration::from_mins(1), until(healthy))
        .await
        .is_err()
    {
        let log = machine.local.log(handle, "agent", 0).await.unwrap();
        let state = machine.local.process(handle, "agent").await.unwrap();
        panic!("{state:?} {}", String::from_utf8_lossy(&log.bytes));
    }
    endpoint
}

async fn the_agent_boots(tier: Tier) {
    bounded(async {
        let machine = Machine::new(tier);
        let mut spec = spec();
        spec.limits.memory_bytes = 2 * 1024 * 1024 * 1024;
        spec.template = vec![TemplateEntry {
            source: opencode(),
            target: HomePath::new(".local/bin/opencode").unwrap(),
        }];
        let config = br#"{"$schema":"https://opencode.ai/config.json","share":"disabled"}"#;
        let path = HomePath::new(".config/opencode/opencode.json").unwrap();
        spec.files = vec![File::new(path, config.to_vec())];
        spec.env = Env::of([
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
            ("npm_config_offline", "true"),
        ])
        .unwrap();
        let handle = machine.local.create(spec.clone()).await.unwrap();
        boot(&machine, &handle).await;
        if tier == Tier::Root {
            let traffic = machine.local.traffic(&handle).await.unwrap();
            assert_eq!(traffic, Traffic::default());
        }
        // Taken while it runs, and good for another one.
        let snapshot = machine.local.snapshot(&handle, SnapshotRequest::default());
        let snapshot = snapshot.await.unwrap();
        machine.local.destroy(&handle).await.unwrap();
        spec.origin = sandbox::Origin::Snapshot(snapshot);
        let handle = machine.local.create(spec).await.unwrap();
        let endpoint = boot(&machine, &handle).await;
        // The first request of a directory makes it load what belongs to it.
        let knows = || async {
            let answer = tokio::task::spawn_blocking(move || get(endpoint.address, "/path"));
            let answer = answer.await.unwrap();
            answer.is_ok_and(|text| text.contains("/home/user/workspace"))
        };
        until(knows).await;
    })
    .await;
}

#[tokio::test]
async fn root_tier_runs_the_agent() {
    the_agent_boots(Tier::Root).await;
}

#[tokio::test]
async fn rootless_tier_runs_the_agent() {
    the_agent_boots(Tier::Rootless).await;
}
