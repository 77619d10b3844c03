//! Where agents run, and the agent itself. The gateway works without them, so a missing one is a warning.

use config::{SandboxProvider, Settings};
use sandbox::local::{Local, Tier, TierReport, probe};

use super::check::Check;
use crate::{context::Context, exit::Exit, failure::Failure, load::Loaded, sandboxes};

const SANDBOX: &str = "sandbox";
const AGENT: &str = "agent";

pub(super) async fn check(settings: &Settings) -> Vec<Check> {
    let mut checks = vec![agent(settings)];
    if settings.sandbox.provider == SandboxProvider::Off {
        let fix = "set `sandbox.provider` to `auto` to run agents on this machine";
        checks.push(Check::warn(SANDBOX, "switched off: no agent runs", fix));
        return checks;
    }
    if settings.sandbox.provider == SandboxProvider::Container {
        checks.extend(containers(settings).await);
        return checks;
    }
    // Asked by trying, which waits for processes.
    match tokio::task::spawn_blocking(probe).await {
        Ok(report) => checks.extend(tiers(settings.sandbox.provider, &report)),
        Err(_) => checks.push(Check::warn(
            SANDBOX,
            "could not be tried",
            "run `proliferate doctor` again",
        )),
    }
    checks
}

async fn containers(settings: &Settings) -> Vec<Check> {
    let entropy = std::sync::Arc::new(app::system::SystemEntropy);
    let opened = match sandboxes::containers(&settings.sandbox, &settings.data_dir, entropy).await {
        Ok(opened) => opened,
        Err(error) => {
            let fix =
                "start Docker or podman's service, and make the image: scripts/container-image.sh";
            return vec![Check::fail(SANDBOX, error.to_string(), fix)];
        }
    };
    let can = opened.engine_support();
    let mut checks = vec![Check::ok(SANDBOX, "containers")];
    let gaps = [
        (
            can.resource_limits,
            "memory, processes and processors of this machine",
        ),
        (can.disk_limit, "the disk of this machine"),
        (false, "this machine's kernel, which containers share"),
    ];
    for (_, gap) in gaps.iter().filter(|(kept, _)| !kept) {
        checks.push(Check::ok(SANDBOX, format!("does not protect: {gap}")));
    }
    checks
}

fn agent(settings: &Settings) -> Check {
    match sandboxes::installation(&settings.sandbox) {
        Ok(_) => Check::ok(
            AGENT,
            format!("OpenCode {}", agent::install::OPENCODE_VERSION),
        ),
        Err(missing) => {
            let fix = "run what it says, or set `sandbox.agent_directory`";
            Check::warn(AGENT, missing.to_string(), fix)
        }
    }
}

fn tiers(wanted: SandboxProvider, report: &TierReport) -> Vec<Check> {
    let Some(tier) = report.tier else {
        let detail = "no sandbox can be made here";
        let missing = report.missing.iter();
        return missing
            .map(|fix| Check::warn(SANDBOX, detail, fix))
            .collect();
    };
    let mut checks = Vec::new();
    if wanted == SandboxProvider::Root && tier == Tier::Rootless {
        for fix in &report.missing {
            let detail = "`sandbox.provider` is `root`, which this machine does not allow";
            checks.push(Check::fail(SANDBOX, detail, fix));
        }
        return checks;
    }
    let tier = match wanted {
        SandboxProvider::Rootless => Tier::Rootless,
        _ => tier,
    };
    checks.push(Check::ok(SANDBOX, format!("local, {}", tier.as_str())));
    for gap in tier.unprotected() {
        checks.push(Check::ok(SANDBOX, format!("does not protect: {gap}")));
    }
    for limit in &report.missing_limits {
        let detail = "a limit of sandboxes cannot be set on this machine";
        checks.push(Check::warn(SANDBOX, detail, limit));
    }
    let better = report
        .missing
        .iter()
        .filter(|_| wanted == SandboxProvider::Auto);
    checks.extend(better.map(|fix| Check::warn(SANDBOX, "a better tier is possible", fix)));
    checks
}

/// Removes the sandboxes of a gateway that ended without doing so. Not while one runs.
pub(super) async fn clean(context: &Context, loaded: &Loaded) -> Result<(), Failure> {
    let settings = &loaded.settings.sandbox;
    if !loaded.data_dir.path().exists() || !settings.directory.exists() {
        context.printer.note("no sandbox was ever made here");
        return Ok(());
    }
    let _lock = loaded.data_dir.lock()?;
    let wrong = |error: sandbox::Error| Failure::new(Exit::Failed, error.to_string());
    if settings.provider == SandboxProvider::Container {
        let entropy = std::sync::Arc::clone(&context.entropy);
        let opened = sandboxes::containers(settings, &loaded.settings.data_dir, entropy).await;
        let cleaned = opened
            .map_err(wrong)?
            .clean(|_| true)
            .await
            .map_err(wrong)?;
        let removed = cleaned.len();
        context
            .printer
            .note(&format!("removed {removed} sandboxes"));
        return Ok(());
    }
    let Some(tier) = sandboxes::tier(settings).await else {
        let message = "no sandbox can be made here, so none can be removed either";
        return Err(Failure::new(Exit::Failed, message));
    };
    let entropy = std::sync::Arc::clone(&context.entropy);
    let local = Local::open(&settings.directory, tier, entropy).map_err(wrong)?;
    let cleaned = local.clean(|_| true).await.map_err(wrong)?;
    let (sandboxes, scratch) = (cleaned.sandboxes.len(), cleaned.scratch);
    context.printer.note(&format!(
        "removed {sandboxes} sandboxes and {scratch} half-made things"
    ));
    Ok(())
}
