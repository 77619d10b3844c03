//! What does a sandbox cost: to set up, alone and twenty at once; until its agent answers, against the same agent bare
//! on this machine; to save and to restore, small and large?

use std::{
    net::{Ipv4Addr, SocketAddr},
    os::unix::fs::symlink,
    path::Path,
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use agent::{
    Context, Layout, Mode, contract,
    env::{Secrets, variables},
    install::{self, Installation},
};
use anyhow::Context as _;
use app::system::{SystemClock, SystemEntropy};
use domain::{caller::Incarnation, clock::Clock as _, id::SessionId, limits::AGENT_BOOT_MAX};
use futures::future::try_join_all;
use hub::{
    opencode::AgentClient,
    runtime::{BootPlan, Machine},
};
use sandbox::{
    Destination, ExecRequest, Limits, Origin, Provider as _, SnapshotRequest, Spec,
    local::{Local, probe},
};

use crate::table::Table;

pub(crate) const NAME: &str = "sandbox";

const TRIES: usize = 10;
const BOOTS: usize = 3;
const AT_ONCE: usize = 20;
const SIZES_MB: [u32; 2] = [10, 500];
/// Arbitrary: it is not used.
const SESSION: &str = "0192f0c1-2345-7abc-8def-0123456789ab";

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let report = tokio::task::spawn_blocking(probe).await?;
    let tier = report
        .tier
        .context("this machine allows no sandbox; `proliferate doctor` says why")?;
    let directory = tempfile::tempdir()?;
    let state = directory.path().join("state");
    let local = Local::open(&state, tier, Arc::new(SystemEntropy))?;
    let on = tier.as_str();
    let outcome = measure_all(table, &local, on).await;
    // Also when a measurement failed: nothing stays on the machine.
    local.clean(|_| true).await?;
    outcome
}

async fn measure_all(table: &mut Table, local: &Local, on: &str) -> anyhow::Result<()> {
    set_up(table, local, on).await?;
    for size in SIZES_MB {
        save_and_restore(table, local, on, size).await?;
    }
    boot(table, local, on).await
}

fn spec(origin: Origin) -> Spec {
    let mut spec = Spec::new("bench", Incarnation(1));
    spec.origin = origin;
    spec
}

/// The directory of the first one is made with it.
async fn set_up(table: &mut Table, local: &Local, on: &str) -> anyhow::Result<()> {
    let first = local.create(spec(Origin::Template)).await?;
    local.destroy(&first).await?;
    let mut tries = Vec::new();
    for _ in 0..TRIES {
        let clock = SystemClock::new();
        let made = local.create(spec(Origin::Template)).await?;
        tries.push(clock.monotonic());
        local.destroy(&made).await?;
    }
    table.tries("sandbox set-up", on, 1, tries, None);
    let one = || async {
        let clock = SystemClock::new();
        let made = local.create(spec(Origin::Template)).await?;
        anyhow::Ok((made, clock.monotonic()))
    };
    let made = try_join_all((0..AT_ONCE).map(|_| one())).await?;
    let tries = made.iter().map(|(_, took)| *took).collect();
    table.tries("sandbox set-up", on, AT_ONCE, tries, None);
    for (made, _) in made {
        local.destroy(&made).await?;
    }
    Ok(())
}

async fn save_and_restore(
    table: &mut Table,
    local: &Local,
    on: &str,
    size_mb: u32,
) -> anyhow::Result<()> {
    let made = local.create(spec(Origin::Template)).await?;
    // In files of a megabyte, as a repository with its packages has them rather than one.
    let line = format!(
        "for n in $(seq {size_mb}); do head -c 1000000 /dev/urandom > workspace/$n || exit 1; done; sync"
    );
    let mut fill = ExecRequest::shell(line);
    fill.timeout = Duration::from_mins(5);
    let filled = local.exec(&made, fill).await?;
    anyhow::ensure!(filled.is_success(), "the sandbox could not be filled");
    let clock = SystemClock::new();
    let snapshot = local.snapshot(&made, SnapshotRequest::default()).await?;
    let took = clock.monotonic();
    let stored = snapshot.size / 1_000_000;
    let of = format!("{on}, {size_mb} MB, {stored} MB stored");
    table.tries("sandbox snapshot", &of, 1, vec![took], None);
    local.destroy(&made).await?;
    let mut tries = Vec::new();
    for _ in 0..TRIES {
        let clock = SystemClock::new();
        let restored = local
            .create(spec(Origin::Snapshot(snapshot.clone())))
            .await?;
        tries.push(clock.monotonic());
        local.destroy(&restored).await?;
    }
    table.tries(
        "sandbox restore",
        &format!("{on}, {size_mb} MB"),
        1,
        tries,
        None,
    );
    local.collect_snapshots(&[]).await?;
    Ok(())
}

/// Until the agent answers, and the same agent without a sandbox.
async fn boot(table: &mut Table, local: &Local, on: &str) -> anyhow::Result<()> {
    let installation = Installation::find(Path::new(install::DEFAULT_DIRECTORY))?;
    let unused = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
    let machine = Machine {
        provider: Arc::new(local.clone()),
        installation,
        helper: None,
        gateway: Destination {
            name: "gateway".to_owned(),
            address: unused,
        },
        clock: Arc::new(SystemClock::new()),
        transport: None,
    };
    // In turn, so that what else the machine does weighs on both.
    let (mut tries, mut direct) = (Vec::new(), Vec::new());
    for _ in 0..BOOTS {
        direct.push(bare_handler(&machine.installation).await?);
        let gateway = machine.gateway_url();
        let model = format!("{gateway}/llm/anthropic/v1");
        let agent = Context::new(SESSION.parse()?, Mode::Coding, &gateway, &model);
        let plan = BootPlan {
            agent,
            incarnation: Incarnation(1),
            secrets: secrets(),
            environment: [].into(),
            origin: Origin::Template,
            has_foreign_conversation: false,
            repos: Vec::new(),
            env_files: Vec::new(),
            services: Vec::new(),
            limits: Limits::default(),
            expires_at: None,
        };
        let running = machine.boot(plan, |_, _| {}).await?;
        tries.push(running.timeline.total());
        local.destroy(&running.handle).await?;
    }
    table.tries("sandbox boot to agent", on, 1, tries, Some(direct));
    Ok(())
}

fn secrets() -> Secrets {
    Secrets {
        token: "sbx_bench".into(),
        model_key: "mdl_bench".into(),
        server_password: Some("bench".into()),
    }
}

/// The agent as a plain process, with the same files and variables.
async fn bare_handler(installation: &Installation) -> anyhow::Result<Duration> {
    let home = tempfile::tempdir()?;
    let place = home.path().display().to_string();
    let session: SessionId = SESSION.parse()?;
    let mut context = Context::new(
        session,
        Mode::Coding,
        "http://127.0.0.1:1",
        "http://127.0.0.1:1/v1",
    );
    context.layout = Layout {
        workspace: format!("{place}/workspace"),
        repo: format!("{place}/workspace"),
        home: place,
    };
    context.listen.hostname = Ipv4Addr::LOCALHOST.to_string();
    context.listen.port = testkit::port::free_address().port();
    let clock = SystemClock::new();
    for file in contract::files(&context) {
        let path = Path::new(&file.path);
        std::fs::create_dir_all(path.parent().unwrap_or(path))?;
        std::fs::write(path, &file.bytes)?;
    }
    for package in contract::packages(&context) {
        let path = Path::new(&package.path);
        std::fs::create_dir_all(path.parent().unwrap_or(path))?;
        symlink(installation.package(package.name), path)?;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut child = tokio::process::Command::new(&installation.program)
        .args(&contract::command(&context)[1..])
        .current_dir(&context.layout.repo)
        .env_clear()
        .env("HOME", &context.layout.home)
        .env("PATH", path)
        .envs(variables(&context, &secrets()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let base = format!("http://127.0.0.1:{}", context.listen.port).parse()?;
    let client = AgentClient::new(base, secrets().server_password)?;
    client.wait_ready(AGENT_BOOT_MAX).await?;
    let took = clock.monotonic();
    child.kill().await?;
    Ok(took)
}
