//! A sandbox with files of holes, and with more than a snapshot may have, which is saved over and over. LoadMeasurement where this
//! machine allows sandboxes.

use std::{future::Future, sync::Arc, time::Duration};

use anyhow::ensure;
use app::system::SystemEntropy;
use domain::caller::Incarnation;
use sandbox::{
    ExecRequest, Provider as _, SnapshotRequest, Spec,
    local::{Local, probe},
};
use tokio::time::timeout;

use super::callers::Observed;

pub(super) const NAME: &str = "snapshots of holes";
/// 600 GB that are not there, some hundred thousand names and a gigabyte that is.
const FILL: &str = "cd workspace && truncate -s 150G a b c d && mkdir many && cd many && \
                    seq 1 100000 | xargs touch && head -c 1000000000 /dev/urandom > ../large";
const FILL_MAX: Duration = Duration::from_mins(2);
/// Every other snapshot is given up after so long, as one of a session that is stopped.
const GIVEN_UP: Duration = Duration::from_millis(200);

/// Saves for as long as the callers watch; nothing if this machine allows no sandbox.
pub(super) async fn attack(
    watched: impl Future<Output = anyhow::Result<Observed>>,
) -> anyhow::Result<Option<Observed>> {
    let Some(tier) = tokio::task::spawn_blocking(probe).await?.tier else {
        return Ok(None);
    };
    let directory = tempfile::tempdir()?;
    let local = Local::open(
        &directory.path().join("state"),
        tier,
        Arc::new(SystemEntropy),
    )?;
    let observed = attack_on(&local, watched).await;
    // Also when it failed: nothing stays on the machine.
    local.clean(|_| true).await?;
    observed.map(Some)
}

async fn attack_on(
    local: &Local,
    watched: impl Future<Output = anyhow::Result<Observed>>,
) -> anyhow::Result<Observed> {
    let made = local.create(Spec::new("bench", Incarnation(1))).await?;
    let mut fill = ExecRequest::shell(FILL);
    fill.timeout = FILL_MAX;
    ensure!(
        local.exec(&made, fill).await?.is_success(),
        "the sandbox could not be filled"
    );
    let saving = async {
        for number in 0_u64.. {
            let saved = local.snapshot(&made, SnapshotRequest::default());
            // Refused for its size, saved or given up: all are answers.
            if number % 2 == 0 {
                let _ = timeout(GIVEN_UP, saved).await;
            } else {
                let _ = saved.await;
            }
        }
    };
    let observed = tokio::select! {
        observed = watched => observed?,
        () = saving => anyhow::bail!("nothing is saved any more"),
    };
    let alive = local.exec(&made, ExecRequest::shell("echo on")).await?;
    ensure!(alive.is_success(), "the sandbox does not go on");
    Ok(observed)
}
