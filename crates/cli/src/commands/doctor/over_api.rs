//! The same checks for the API: a gateway that runs is asked what its installation stands on.

use std::sync::Arc;

use app::installation::{CheckRunner, CheckState, InstallationCheck, InstallationChecks};
use async_trait::async_trait;

use super::{
    check::{Check, Status},
    checks,
};
use crate::{context::Context, load::Loaded};

/// The checks of a running gateway, with its settings.
#[derive(Debug)]
struct DoctorChecks {
    context: Arc<Context>,
    loaded: Arc<Loaded>,
}

/// The checks, as the gateway runs them.
pub(crate) fn runner(context: &Context, loaded: &Arc<Loaded>) -> CheckRunner {
    let (config_file, data_dir) = (context.config_file.clone(), context.data_dir.clone());
    CheckRunner::new(DoctorChecks {
        context: Arc::new(Context::new(context.printer, config_file, data_dir)),
        loaded: Arc::clone(loaded),
    })
}

#[async_trait]
impl InstallationChecks for DoctorChecks {
    async fn run(&self) -> Vec<InstallationCheck> {
        let found = checks(&self.context, &self.loaded).await;
        found.into_iter().map(InstallationCheck::from).collect()
    }
}

impl From<Check> for InstallationCheck {
    fn from(check: Check) -> Self {
        Self {
            name: check.name.to_owned(),
            state: match check.status {
                Status::Ok => CheckState::Ok,
                Status::Warn => CheckState::Warning,
                Status::Fail => CheckState::Failed,
            },
            sentence: check.detail,
            remedy: check.fix,
        }
    }
}
