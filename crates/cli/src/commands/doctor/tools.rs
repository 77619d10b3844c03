//! The policy that calls are decided by, and the engines of the tools it names. A tool without its engine
//! answers that it is unavailable, and everything else works, so a missing one is a warning. Without a
//! valid policy nothing starts.

use app::policy::{Policy, PolicySource};
use config::{SafetyLock, Settings};
use domain::policy::Executor;
use tools::{Availability, Executors};

use super::check::Check;
use crate::wiring;

const POLICY: &str = "policy";
const TOOL: &str = "tool";

pub(super) async fn check(settings: &Settings) -> Vec<Check> {
    let source = wiring::policy_source(settings);
    let loaded = match source.load().await {
        Ok(loaded) => loaded,
        Err(problems) => {
            let detail = format!("{}: {}", name(&source), problems.all[0]);
            let fix = "`proliferate policy check DIR` lists all that is wrong with it";
            return vec![Check::fail(POLICY, detail, fix)];
        }
    };
    let mut checks = vec![policy(settings, &source)];
    for warning in loaded.warnings {
        let fix = "commit the files, so that a pin says where to find what decided";
        checks.push(Check::warn(POLICY, warning, fix));
    }
    match wiring::executors(settings) {
        Ok(executors) => {
            // Engines are asked for their versions, which waits for processes.
            let asking = tokio::task::spawn_blocking(move || ask(&loaded.policy, &executors));
            checks.extend(asking.await.unwrap_or_default());
        }
        Err(failure) => checks.push(Check::fail(
            TOOL,
            failure.message,
            "write `HOST:PORT`, as `proliferate config check` shows",
        )),
    }
    checks
}

fn name(source: &PolicySource) -> String {
    match source {
        PolicySource::BuiltIn => "built in".to_owned(),
        PolicySource::Directory(directory) => format!("directory {}", directory.display()),
    }
}

fn policy(settings: &Settings, source: &PolicySource) -> Check {
    let name = name(source);
    match settings.policy.safety_lock {
        SafetyLock::Off => Check::ok(POLICY, name),
        SafetyLock::On => Check::warn(
            POLICY,
            format!("{name}; the safety lock is on, so every call is denied"),
            "set `policy.safety_lock` to `off` when calls may be made again",
        ),
    }
}

fn ask(policy: &Policy, executors: &Executors) -> Vec<Check> {
    let with_engines = policy
        .tools()
        .filter(|tool| tool.enabled && tool.executor() != Executor::Builtin);
    with_engines
        .filter_map(|tool| {
            let found = executors.for_spec(tool)?.availability(tool);
            let operation = &tool.operation;
            Some(match found {
                Availability::Ready(what) => Check::ok(TOOL, format!("{operation}: {what}")),
                Availability::Missing { hint } => {
                    Check::warn(TOOL, format!("{operation} has no engine here"), hint)
                }
            })
        })
        .collect()
}
