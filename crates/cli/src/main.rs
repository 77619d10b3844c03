//! The `proliferate` binary.

use std::{future::Future, process::ExitCode, time::Duration};

use anyhow::Context as _;
use clap::{CommandFactory as _, Parser as _};
use cli::{
    cli::{Cli, Command},
    commands,
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Printer,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long tasks that outlive their command may hold up the end of the process.
const RUNTIME_SHUTDOWN_MAX: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let Cli { global, command } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to stdout, complaints to stderr; a reader that went away is no error.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Exit::Usage.code()));
        }
    };
    let printer = Printer::new(global.format);
    let context = Context::new(printer, global.config, global.data_dir);
    let exit = run(&context, command).unwrap_or_else(|failure| {
        printer.failure(&failure);
        failure.exit
    });
    context.finish();
    exit.into()
}

fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Dev(args) => on_runtime(commands::dev::run(context, args)),
        Command::Demo(args) => on_runtime(commands::demo::run(context, args)),
        Command::Serve(args) => on_runtime(commands::serve::run(context, args)),
        Command::Worker(args) => on_runtime(commands::worker::run(context, args)),
        Command::Migrate(args) => on_runtime(commands::migrate::run(context, args)),
        Command::Doctor(args) => on_runtime(commands::doctor::run(context, args)),
        Command::Drain(args) => on_runtime(commands::drain::run(context, args)),
        Command::LoginLink(args) => on_runtime(commands::login_link::run(context, args)),
        Command::Login(args) => on_runtime(commands::login::run(context, args)),
        Command::Logout(args) => on_runtime(commands::logout::run(context, args)),
        Command::Context(command) => commands::context::run(context, command),
        Command::Setup(args) => on_runtime(commands::setup::run(context, args)),
        Command::Org(command) => on_runtime(commands::org::run(context, command)),
        Command::Token(command) => on_runtime(commands::token::run(context, command)),
        Command::Session(command) => on_runtime(commands::session::run(context, command)),
        Command::Snapshot(command) => on_runtime(commands::snapshot::run(context, command)),
        Command::Repo(command) => on_runtime(commands::repo::run(context, command)),
        Command::Configuration(command) => {
            on_runtime(commands::configuration::run(context, command))
        }
        Command::Secret(command) => on_runtime(commands::secret::run(context, command)),
        Command::Automation(command) => on_runtime(commands::automation::run(context, command)),
        Command::Budget(command) => on_runtime(commands::budget::run(context, command)),
        Command::Limits(command) => on_runtime(commands::limits::run(context, command)),
        Command::OrgLimits(command) => on_runtime(commands::org_limits::run(context, command)),
        Command::Job(command) => on_runtime(commands::job::run(context, command)),
        Command::Action(command) => on_runtime(commands::action::run(context, command)),
        Command::Grant(command) => on_runtime(commands::grant::run(context, command)),
        Command::Integration(command) => on_runtime(commands::integration::run(context, command)),
        Command::Connector(command) => on_runtime(commands::connector::run(context, command)),
        Command::Webhook(command) => on_runtime(commands::webhook::run(context, command)),
        Command::Case(command) => on_runtime(commands::case::run(context, command)),
        Command::Artifact(command) => on_runtime(commands::artifact::run(context, command)),
        Command::Call(args) => on_runtime(commands::call::run(context, args)),
        Command::Run(command) => on_runtime(commands::run::run(context, command)),
        Command::Audit(command) => on_runtime(commands::audit::run(context, command)),
        Command::Policy(command) => on_runtime(commands::policy::run(context, command)),
        Command::Member(command) => on_runtime(commands::member::run(context, command)),
        Command::Lock(command) => on_runtime(commands::lock::run(context, command)),
        Command::Override(command) => on_runtime(commands::overrides::run(context, command)),
        Command::Config(command) => commands::config::run(context, command),
        Command::Openapi(args) => commands::openapi::run(context, args),
        Command::Completions(args) => commands::completions::run(context, &args, Cli::command()),
        Command::Help(args) => commands::help::run(context, &args, Cli::command()),
        Command::Reference(args) => commands::reference::run(context, args, Cli::command()),
    }
}

fn on_runtime(command: impl Future<Output = Outcome>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let outcome = runtime.block_on(command);
    runtime.shutdown_timeout(RUNTIME_SHUTDOWN_MAX);
    outcome
}
