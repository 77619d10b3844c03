//! Tools that are programs: an argument vector, no shell, sandboxed. The input is a file they can only
//! read, the outputs are the files that the policy names, and no output of a failed call is kept.

mod confine;
mod files;
mod process;

use std::{
    collections::HashMap,
    ffi::OsString,
    fs::File,
    io,
    os::unix::process::ExitStatusExt as _,
    path::Path,
    pin::{Pin, pin},
    process::ExitStatus,
    sync::{Mutex, OnceLock, PoisonError},
};

use async_trait::async_trait;
use domain::policy::{
    CommandSpec, CommandStep, Engine, Operation, PackageName, ParameterValues, Permit, Places,
    ToolSpec, check_parameters,
};
use tokio::time::Sleep;
use tokio_util::sync::CancellationToken;

use self::{
    confine::{CallFiles, Confinement, INPUT, OUTPUT, ProgramLimits, WORK, find_program},
    files::{Directories, WROTE_TOO_MUCH},
    process::Process,
};
use crate::{Availability, Executor, Failure, Output, PermittedCall, Produced, input::one_input};

/// The exit code of a shell and of bubblewrap for a program that a signal ended.
const SIGNALLED: i32 = 128;
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;

/// Runs the programs of tools.
#[derive(Debug, Default)]
pub struct CommandExecutor {
    /// Determined once; a missing sandbox is checked again, because an operator may have installed
    /// it.
    confinement: OnceLock<Confinement>,
    /// The reported versions of engines.
    versions: Mutex<HashMap<Operation, String>>,
}

impl CommandExecutor {
    pub fn new() -> Self {
        Self::default()
    }

    /// Confines in a user namespace even where a better confinement works; for tests.
    #[doc(hidden)]
    pub fn in_user_namespace() -> Self {
        let executor = Self::default();
        let _ = executor.confinement.set(Confinement::UserNamespace);
        executor
    }

    /// The sandbox for programs; the error is a remedy.
    fn confinement(&self) -> Result<Confinement, String> {
        if let Some(known) = self.confinement.get() {
            return Ok(*known);
        }
        let found = Confinement::find()?;
        Ok(*self.confinement.get_or_init(|| found))
    }

    /// The same, for callers that must not block this thread.
    async fn find_confinement(&self) -> Result<Confinement, String> {
        if let Some(known) = self.confinement.get() {
            return Ok(*known);
        }
        let finding = tokio::task::spawn_blocking(Confinement::find);
        let found = finding.await.map_err(|error| error.to_string())??;
        Ok(*self.confinement.get_or_init(|| found))
    }

    /// The engine's reported version; cached.
    fn version(
        &self,
        spec: &ToolSpec,
        command: &CommandSpec,
        confinement: Confinement,
    ) -> Option<String> {
        let mut versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = versions.get(&spec.operation) {
            return Some(known.clone());
        }
        let argv = command.probe.iter().filter_map(|word| word.fixed());
        let version = confinement.probe(&argv.collect::<Vec<_>>())?;
        versions.insert(spec.operation.clone(), version.clone());
        Some(version)
    }
}

#[async_trait]
impl Executor for CommandExecutor {
    /// Takes some tens of milliseconds the first time, because engines are run; `execute` itself detects
    /// what is missing.
    fn availability(&self, spec: &ToolSpec) -> Availability {
        let Engine::Command(command) = &spec.engine else {
            let hint = "the tool is no program".to_owned();
            return Availability::Missing { hint };
        };
        let confinement = match check_programs(command).and_then(|()| self.confinement()) {
            Ok(confinement) => confinement,
            Err(hint) => return Availability::Missing { hint },
        };
        let program = command.steps.first().and_then(CommandStep::program);
        let program = program.unwrap_or_default();
        if command.probe.is_empty() {
            return Availability::Ready(program.to_owned());
        }
        match self.version(spec, command, confinement) {
            Some(version) => Availability::Ready(version),
            None => Availability::Missing {
                hint: hint(program, "does not start", command),
            },
        }
    }

    async fn execute(&self, permit: Permit, call: PermittedCall) -> Result<Produced, Failure> {
        call.spend(permit)?;
        let Engine::Command(command) = &call.spec.engine else {
            return Err(Failure::Invalid("the tool is no program".into()));
        };
        let values = check_parameters(&call.spec.parameters, &call.parameters)
            .map_err(|error| Failure::Invalid(error.to_string()))?;
        let input = one_input(&call.spec, &call.inputs, command.takes_input())?;
        let lines = lines(command, &values)?;
        let unavailable = |hint| Failure::Unavailable { hint };
        check_programs(command).map_err(unavailable)?;
        let confinement = self.find_confinement().await.map_err(unavailable)?;
        let command_run = CommandRun {
            spec: &call.spec,
            command,
            confinement,
            user: confinement.next_user(),
            input: input.map(|input| input.path.as_path()),
            scratch: &call.scratch,
        };
        let outputs = command_run.run(lines, &call.cancel).await?;
        Ok(Produced {
            outputs,
            ..Produced::default()
        })
    }
}

/// Whether every program exists; the error is a remedy.
fn check_programs(command: &CommandSpec) -> Result<(), String> {
    let programs = command.steps.iter().filter_map(CommandStep::program);
    for program in programs {
        if find_program(program).is_none() {
            return Err(hint(program, "was not found", command));
        }
    }
    Ok(())
}

fn hint(program: &str, trouble: &str, command: &CommandSpec) -> String {
    let packages: Vec<&str> = command.packages.iter().map(PackageName::as_str).collect();
    let packages = packages.join(" ");
    if packages.is_empty() {
        return format!("{program} {trouble}; install it where the gateway runs");
    }
    format!("{program} {trouble}; install it, for example with `apt-get install {packages}`")
}

/// The arguments of every step, before any of them runs.
fn lines(command: &CommandSpec, values: &ParameterValues) -> Result<Vec<Vec<String>>, Failure> {
    let places = Places {
        input: INPUT,
        output: OUTPUT,
        work: WORK,
    };
    let step = |step: &CommandStep| {
        let words = step.argv.iter();
        let words = words.map(|argument| argument.fill(places, values));
        words.collect::<Result<Vec<_>, _>>()
    };
    let lines: Result<Vec<_>, _> = command.steps.iter().map(step).collect();
    lines.map_err(|error| Failure::Invalid(error.to_string()))
}

/// One call under way.
struct CommandRun<'a> {
    spec: &'a ToolSpec,
    command: &'a CommandSpec,
    confinement: Confinement,
    user: u32,
    input: Option<&'a Path>,
    scratch: &'a Path,
}

impl CommandRun<'_> {
    async fn run(
        &self,
        lines: Vec<Vec<String>>,
        cancel: &CancellationToken,
    ) -> Result<Vec<Output>, Failure> {
        let directories = Directories::make(self.scratch, self.user, self.input)
            .map_err(|error| start_failure(&error))?;
        // One deadline for all steps.
        let mut deadline = pin!(tokio::time::sleep(self.spec.timeout));
        for (step, words) in self.command.steps.iter().zip(lines) {
            let mut line = self.confined_words(&directories);
            line.extend(words.into_iter().map(OsString::from));
            let stdout = step.stdout.as_ref().map(|file| {
                // A link created by an earlier step is not followed.
                File::create_new(directories.output.join(file.as_str()))
            });
            let stdout = stdout.transpose().map_err(|error| start_failure(&error))?;
            let process = Process::start(line, stdout)
                .await
                .map_err(|error| start_failure(&error))?;
            let overflow = directories.wait_for_overflow(self.command);
            let status = wait_for_end(process, cancel, deadline.as_mut(), overflow).await?;
            check_status(status)?;
        }
        directories.collect(self.command)
    }

    fn confined_words(&self, directories: &Directories) -> Vec<OsString> {
        let command = self.command;
        let limits = ProgramLimits {
            // One core for as long as the call may take.
            cpu_seconds: self.spec.timeout.as_secs() + 1,
            memory_bytes: command.memory_bytes,
            // One more, so that a truncated file can be distinguished from one that fits.
            file_bytes: command.work_bytes_max.max(command.output_bytes_max) + 1,
            processes: command.processes_max,
        };
        let files = CallFiles {
            input: self.input,
            output: &directories.output,
            work: &directories.work,
            user: self.user,
        };
        self.confinement.command(limits, Some(files))
    }
}

/// Waits for the first of: its end, a cancellation, the deadline, too much output. In all but the first
/// case the process has ended when this returns.
async fn wait_for_end(
    mut process: Process,
    cancel: &CancellationToken,
    deadline: Pin<&mut Sleep>,
    overflow: impl Future<Output = ()>,
) -> Result<ExitStatus, Failure> {
    let failure = tokio::select! {
        biased;
        () = cancel.cancelled() => Failure::Cancelled,
        status = process.wait() => {
            let status = status.map_err(|error| start_failure(&error))?;
            let log_tail = process.read_log_tail().await;
            tracing::debug!(%status, log_tail, "a step of a tool has ended");
            return Ok(status);
        }
        () = deadline => Failure::Timeout,
        () = overflow => WROTE_TOO_MUCH,
    };
    process.end().await;
    Err(failure)
}

fn check_status(status: ExitStatus) -> Result<(), Failure> {
    let ended = status.code().or_else(|| Some(SIGNALLED + status.signal()?));
    let reason = match ended {
        Some(0) => return Ok(()),
        Some(code) if code == SIGNALLED + SIGXFSZ => return Err(WROTE_TOO_MUCH),
        Some(code) if code == SIGNALLED + SIGXCPU => {
            "the tool used more processor time than it may"
        }
        _ => "the tool ended with an error",
    };
    let retryable = false;
    Err(Failure::Tool { reason, retryable })
}

fn start_failure(error: &io::Error) -> Failure {
    tracing::error!(%error, "a tool could not be started");
    Failure::Tool {
        reason: "the tool could not be started",
        retryable: true,
    }
}
