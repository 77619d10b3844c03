//! What does mediation cost? A tool that does nothing, called through the whole pipeline (authenticated,
//! decided, claimed, written down before and after, both events recorded, the sequencer at work beside it),
//! against a bare handler that answers the same bytes.

use std::{path::Path, sync::Arc};

use anyhow::{Context, ensure};
use app::policy::{PolicyFiles, PolicySource};
use async_trait::async_trait;
use domain::policy::{Permit, ToolSpec};
use serde_json::{Value, json};
use testkit::database::Backend;
use tokio::task::JoinSet;
use tools::{Availability, Executor, Executors, Failure, PermittedCall, Produced};

use crate::{
    client::{Client, request},
    load::{self, LoadMeasurement},
    table::Table,
    target::{BACKENDS, Target, bare_handler},
};

pub(crate) const NAME: &str = "mediated call";

/// A tool that may be run again, and one that must not: for the second the disk has the decision before
/// the tool is called.
pub(crate) const TOOLS: [(&str, &str, bool); 2] = [
    ("bench.noop", "mediated call", true),
    ("bench.effect", "mediated call, effect", false),
];

const INSTANCES: usize = 3;
/// Goes into every number of them.
const CALLERS: usize = 48;

#[derive(Debug)]
struct Noop;

#[async_trait]
impl Executor for Noop {
    fn availability(&self, _: &ToolSpec) -> Availability {
        Availability::Ready("nothing to do".to_owned())
    }

    async fn execute(&self, permit: Permit, _: PermittedCall) -> Result<Produced, Failure> {
        drop(permit);
        Ok(Produced::default())
    }
}

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let directory = tempfile::tempdir()?;
    write_policy(directory.path())?;
    for (backend, on) in BACKENDS {
        let source = PolicySource::Directory(directory.path().to_owned());
        let target = Target::start_with(backend, source, with_tools).await?;
        target.sequence();
        for (operation, name, _) in TOOLS {
            let (call, body) = prepare(&target, operation).await?;
            let direct = bare_handler(body).await?;
            for workers in [1, 16, 64] {
                let bytes = call.clone();
                let plain = load::run(direct, workers, 200, move |_, _| bytes.clone()).await?;
                table.row("bare handler", "-", &plain, None);
                let bytes = call.clone();
                let ours =
                    load::run(target.address, workers, 200, move |_, _| bytes.clone()).await?;
                table.row(name, on, &ours, Some(&plain));
            }
        }
    }
    instances(table, directory.path()).await
}

/// Several instances on one database, with as many callers in all. They share the processors of this machine, so this
/// says what one costs the others, and not what more machines bring.
async fn instances(table: &mut Table, policy: &Path) -> anyhow::Result<()> {
    let source = || PolicySource::Directory(policy.to_owned());
    let (operation, name, _) = TOOLS[0];
    let first = Target::start_with(Backend::Postgres, source(), with_tools).await?;
    first.sequence();
    let mut targets = vec![first];
    loop {
        let mut loops = JoinSet::new();
        for target in &targets {
            let (call, _) = prepare(target, operation).await?;
            let (address, workers) = (target.address, CALLERS / targets.len());
            loops.spawn(load::run(address, workers, 200, move |_, _| call.clone()));
        }
        let measured = loops
            .join_all()
            .await
            .into_iter()
            .collect::<Result<_, _>>()?;
        let name = format!("{name}, {} of {INSTANCES} instances", targets.len());
        table.row(
            &name,
            "PostgreSQL",
            &LoadMeasurement::together(measured)?,
            None,
        );
        if targets.len() == INSTANCES {
            return Ok(());
        }
        targets.push(targets[0].start_beside(source(), with_tools).await?);
    }
}

pub(crate) fn with_tools(mut executors: Executors) -> Executors {
    for (operation, ..) in TOOLS {
        if let Ok(operation) = operation.parse() {
            executors = executors.with_builtin(operation, Arc::new(Noop));
        }
    }
    executors
}

/// The built-in policy and a lane with two tools that do nothing.
pub(crate) fn write_policy(directory: &Path) -> anyhow::Result<()> {
    let files = PolicyFiles::built_in();
    let mut lanes = String::from_utf8(files.lanes.bytes)?;
    lanes.push_str(
        "
  - lane_id: BENCH
    purpose: Do nothing, quickly.
    allowed_callers:
      roles: [ORGANIZATION_ADMIN]
    allowed_actions:
      tools: [bench.noop, bench.effect]
      writes: []
    scope:
      requires: [run_id]
      prohibits: []
    audit: {required: true, level: full}
",
    );
    let roles = String::from_utf8(files.roles.bytes)?;
    let roles = roles.replace(
        "        - SYSTEM_OVERRIDE",
        "        - SYSTEM_OVERRIDE\n        - BENCH",
    );
    let mut tools = String::from_utf8(files.tools.bytes)?;
    for (operation, _, idempotent) in TOOLS {
        let tool = format!(
            "
  - operation: {operation}
    version: \"1\"
    description: Does nothing.
    enabled: true
    executor: builtin
    timeout_ms: 15000
    idempotent: {idempotent}
    external: {external}
    writes_shared: false
    accepts: []
    produces: []
",
            external = !idempotent,
        );
        tools.push_str(&tool);
    }
    std::fs::write(directory.join("lanes.yaml"), lanes)?;
    std::fs::write(directory.join("roles.yaml"), roles)?;
    std::fs::write(directory.join("tools.yaml"), tools)?;
    Ok(())
}

/// Opens a run; the request that calls the tool, and the bytes that come back.
pub(crate) async fn prepare(
    target: &Target,
    operation: &str,
) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    let mut client = Client::connect(target.address).await?;
    let body = json!({"run_kind": "agent"}).to_string();
    let open = request("POST", "/v1/runs", &target.token, "", &body);
    let (status, body) = client.exchange(&open).await?;
    ensure!(status == 201, "opening a run answered {status}");
    let run: Value = serde_json::from_slice(body)?;
    let run = run["run_id"].as_str().context("a run's id")?;
    let body = json!({
        "tool_name": operation,
        "operation": operation,
        "lane_id": "BENCH",
        "parent_run_id": run,
        "parameters": {"query": "what does this cost?", "limit": 20},
    });
    let call = request(
        "POST",
        "/v1/tool-calls",
        &target.token,
        "",
        &body.to_string(),
    );
    let (status, body) = client.exchange(&call).await?;
    ensure!(
        status == 200,
        "calling answered {status}: {}",
        String::from_utf8_lossy(body)
    );
    Ok((call.clone(), body.to_vec()))
}
