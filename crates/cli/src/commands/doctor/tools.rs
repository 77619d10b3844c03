//! Engines of the tools that the policy names. A tool without its engine answers that it is unavailable,
//! and everything else works, so a missing one is a warning.

use std::sync::Arc;

use app::policy::{PolicyFiles, load};
use domain::policy::Executor;
use tools::{
    Availability, CommandExecutor, Executors, HttpExecutor,
    egress::{EgressGuard, SystemResolver},
};

use super::Check;

const NAME: &str = "tool";

pub(super) async fn check() -> Vec<Check> {
    // Engines are asked for their versions, which waits for processes.
    let asking = tokio::task::spawn_blocking(ask);
    asking.await.unwrap_or_default()
}

fn ask() -> Vec<Check> {
    let policy = match load(PolicyFiles::built_in()) {
        Ok(policy) => policy,
        Err(problems) => {
            let fix = "`proliferate policy check` lists what is wrong with it";
            return vec![Check::fail("policy", problems.to_string(), fix)];
        }
    };
    let guard = EgressGuard::new(Arc::new(SystemResolver), []);
    let executors = Executors::new(Arc::new(CommandExecutor::new()), HttpExecutor::new(guard));
    let with_engines = policy
        .tools()
        .filter(|tool| tool.enabled && tool.executor() != Executor::Builtin);
    with_engines
        .filter_map(|tool| {
            let found = executors.for_spec(tool)?.availability(tool);
            let operation = &tool.operation;
            Some(match found {
                Availability::Ready(what) => Check::ok(NAME, format!("{operation}: {what}")),
                Availability::Missing { hint } => {
                    Check::warn(NAME, format!("{operation} has no engine here"), hint)
                }
            })
        })
        .collect()
}
