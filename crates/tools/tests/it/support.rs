//! Calls of tools for tests.

use std::{collections::BTreeSet, fs, path::PathBuf, sync::Arc, time::Duration};

use domain::{
    clock::Clock as _,
    id::{ArtifactId, OrganizationId, RunId},
    policy::{
        ArtifactKind, CommandSpec, CommandStep, Engine, MediaType, OutputFile, ParameterSpec,
        ToolSpec,
    },
};
use serde_json::{Map, Value};
use tempfile::TempDir;
use testkit::{
    clock::{FakeClock, SeededEntropy},
    permit::permit,
};
use tokio_util::sync::CancellationToken;
use tools::{
    CallScope, CommandExecutor, Executor, Failure, Input, OutputContent, PermittedCall, Produced,
};

pub(crate) const MEGABYTE: u64 = 1024 * 1024;

/// A tool around an engine.
pub(crate) fn tool(engine: Engine, produces: &str) -> ToolSpec {
    ToolSpec {
        operation: "test.tool".parse().unwrap(),
        version: "1".parse().unwrap(),
        description: "test".into(),
        enabled: true,
        engine,
        parameters: Vec::new(),
        timeout: Duration::from_mins(1),
        idempotent: true,
        external: false,
        writes_shared: false,
        accepts: BTreeSet::new(),
        produces: BTreeSet::from([produces.parse().unwrap()]),
    }
}

/// A tool that runs a script of the test's own; `text.txt` is its output.
pub(crate) fn script(text: &str) -> ToolSpec {
    steps(&[&["bash", "-c", text]])
}

pub(crate) fn steps(steps: &[&[&str]]) -> ToolSpec {
    let step = |words: &&[&str]| CommandStep {
        argv: words.iter().map(|word| word.parse().unwrap()).collect(),
        stdout: None,
    };
    let output = OutputFile {
        file: "text.txt".parse().unwrap(),
        kind: "text".parse().unwrap(),
        media_type: "text/plain".parse().unwrap(),
    };
    let engine = Engine::Command(CommandSpec {
        packages: vec!["a-package".parse().unwrap()],
        probe: Vec::new(),
        memory_bytes: 512 * MEGABYTE,
        processes_max: 16,
        work_bytes_max: MEGABYTE,
        output_bytes_max: MEGABYTE,
        steps: steps.iter().map(step).collect(),
        outputs: vec![output],
    });
    tool(engine, "text")
}

pub(crate) fn command_of(tool: &mut ToolSpec) -> &mut CommandSpec {
    match &mut tool.engine {
        Engine::Command(command) => command,
        _ => panic!("no command"),
    }
}

/// A call that is being prepared.
pub(crate) struct Call {
    pub(crate) tool: Arc<ToolSpec>,
    pub(crate) parameters: Map<String, Value>,
    pub(crate) cancel: CancellationToken,
    pub(crate) scratch: TempDir,
    inputs: Vec<(MediaType, PathBuf)>,
    files: TempDir,
}

impl Call {
    pub(crate) fn of(tool: impl Into<Arc<ToolSpec>>) -> Self {
        Self {
            tool: tool.into(),
            parameters: Map::new(),
            cancel: CancellationToken::new(),
            scratch: TempDir::new().unwrap(),
            inputs: Vec::new(),
            files: TempDir::new().unwrap(),
        }
    }

    pub(crate) fn with_input(mut self, media_type: &str, bytes: &[u8]) -> Self {
        let path = self.files.path().join(format!("{}", self.inputs.len()));
        fs::write(&path, bytes).unwrap();
        self.inputs.push((media_type.parse().unwrap(), path));
        self
    }

    pub(crate) fn with_parameter(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.parameters.insert(name.into(), value.into());
        self
    }

    pub(crate) fn work(&self) -> PermittedCall {
        let now = FakeClock::new().now();
        let entropy = SeededEntropy::new(1);
        let input = |(media_type, path): &(MediaType, PathBuf)| Input {
            artifact_id: ArtifactId::generate(now, &entropy),
            kind: ArtifactKind::new("document").unwrap(),
            media_type: media_type.clone(),
            path: path.clone(),
        };
        PermittedCall {
            spec: self.tool.clone(),
            scope: CallScope {
                organization_id: OrganizationId::new("org-1").unwrap(),
                run_id: RunId::generate(now, &entropy),
                case_id: None,
                session_id: None,
                client_session_id: None,
                override_ticket_id: None,
            },
            parameters: self.parameters.clone(),
            inputs: self.inputs.iter().map(input).collect(),
            scratch: self.scratch.path().to_owned(),
            cancel: self.cancel.clone(),
        }
    }

    pub(crate) async fn run(&self, executor: &dyn Executor) -> Result<Produced, Failure> {
        let permit = permit(&self.tool.operation);
        executor.execute(permit, self.work()).await
    }

    /// The one output as text.
    pub(crate) async fn text(&self, executor: &dyn Executor) -> Result<String, Failure> {
        let produced = self.run(executor).await?;
        let [output] = &produced.outputs[..] else {
            panic!("not one output: {produced:?}");
        };
        let OutputContent::File(path) = &output.content else {
            panic!("no file: {output:?}");
        };
        assert!(path.starts_with(self.scratch.path()));
        Ok(fs::read_to_string(path).unwrap())
    }
}

/// Every kind of sandbox that works for this user, which is one for most and two for root.
pub(crate) fn executors() -> Vec<CommandExecutor> {
    vec![CommandExecutor::new(), CommandExecutor::in_user_namespace()]
}

pub(crate) fn parameter(name: &str, pattern: &str) -> ParameterSpec {
    ParameterSpec {
        name: name.parse().unwrap(),
        kind: domain::policy::ParameterKind::Text(pattern.parse().unwrap()),
        default: None,
    }
}
