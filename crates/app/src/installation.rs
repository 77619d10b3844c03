//! The checks of the installation: what it stands on, and what to do about what is wrong. The binary knows the settings
//! and supplies the checks; this decides who may run them, and that they are bounded.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use domain::limits::{INSTALLATION_CHECKS_MAX, INSTALLATION_CHECKS_RETRY_AFTER};
use tokio::{sync::Mutex, time::timeout};

use crate::{
    access::FleetAdmin,
    audit,
    context::App,
    error::{Error, Result},
};

/// What a check found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckState {
    Ok,
    /// The gateway works; something that a later step needs does not.
    Warning,
    Failed,
}

/// The result of one check. No secret is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallationCheck {
    pub name: String,
    pub state: CheckState,
    pub sentence: String,
    /// What to do; absent where there is nothing to do.
    pub remedy: Option<String>,
}

/// Supplies the checks of `proliferate doctor`.
#[async_trait]
pub trait InstallationChecks: fmt::Debug + Send + Sync {
    async fn run(&self) -> Vec<InstallationCheck>;
}

/// The checks of this instance, which run one at a time.
#[derive(Debug, Clone)]
pub struct CheckRunner(Arc<Runner>);

#[derive(Debug)]
struct Runner {
    checks: Box<dyn InstallationChecks>,
    running: Mutex<()>,
}

impl CheckRunner {
    pub fn new(checks: impl InstallationChecks + 'static) -> Self {
        Self(Arc::new(Runner {
            checks: Box::new(checks),
            running: Mutex::default(),
        }))
    }
}

/// Runs the checks.
pub async fn check(
    app: &App,
    admin: &FleetAdmin,
    runner: Option<&CheckRunner>,
) -> Result<Vec<InstallationCheck>> {
    let runner = runner.ok_or(Error::NotFound("check of this installation"))?;
    let _running = runner.0.running.try_lock().map_err(|_| BUSY)?;
    let mut tx = app.db.write().await?;
    audit::record_operation(&mut tx, app, admin, "installation_check", None).await?;
    tx.commit().await?;
    let checks = timeout(INSTALLATION_CHECKS_MAX, runner.0.checks.run()).await;
    Ok(checks.unwrap_or_else(|_| vec![too_slow(INSTALLATION_CHECKS_MAX)]))
}

const BUSY: Error = Error::RateLimited {
    message: "the checks of this instance are running already; try again in a moment",
    retry_after: INSTALLATION_CHECKS_RETRY_AFTER,
};

fn too_slow(max: Duration) -> InstallationCheck {
    InstallationCheck {
        name: "checks".to_owned(),
        state: CheckState::Failed,
        sentence: format!("the checks took longer than {} seconds", max.as_secs()),
        remedy: Some("run `proliferate doctor` on the machine of the gateway".to_owned()),
    }
}
