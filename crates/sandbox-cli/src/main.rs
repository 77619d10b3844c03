//! The `proliferate` command inside a sandbox: what the agent does outside of it, asked of the gateway; what
//! runs in the background of it, asked of the daemon; and that daemon itself.
//!
//! It holds nothing but the sandbox token, and decides nothing about the world outside: the gateway does.

mod cli;
mod client;
mod commands;
mod daemon;
mod dotenv;
mod env;
mod envfiles;
mod exit;
mod failure;
mod invocation;
mod jail;
mod limits;
mod params;
mod printer;
mod strict_json;
mod system;

use std::process::ExitCode;

use clap::Parser as _;
use serde_json::Value;

use crate::{
    cli::{ActionsCommand, Cli, Command, EnvCommand, ServicesCommand},
    client::{Client, DaemonClient},
    env::{Settings, TokenSource},
    envfiles::get::EnvOutput,
    exit::Exit,
    failure::Failure,
    printer::Printer,
};

fn main() -> ExitCode {
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) => {
            // Help goes to stdout, complaints to stderr; a reader that went away is no error.
            let _ = error.print();
            let is_fine = error.exit_code() == 0;
            return if is_fine { Exit::Ok } else { Exit::Usage }.into();
        }
    };
    // The token is never printed.
    let token = TokenSource::find(variable).and_then(|source| source.read());
    let printer = token.map_or_else(|_| Printer::default(), Printer::without);
    match run(&printer, command) {
        Ok(document) => {
            if let Some(document) = document {
                printer.document(&document);
            }
            Exit::Ok.into()
        }
        Err(failure) => {
            printer.failure(&failure);
            failure.exit.into()
        }
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The document for stdout, if there is one left to print.
fn run(printer: &Printer, command: Command) -> Result<Option<Value>, Failure> {
    match command {
        Command::Actions(command) => actions(printer, command).map(Some),
        Command::Services(command) => services(printer, command),
        Command::Env(command) => env_files(printer, &command),
        Command::Daemon(args) => {
            let token = TokenSource::find(variable)?;
            daemon::run(&args, printer, token, &env::paths(variable)).map(|()| None)
        }
        Command::Keeper(args) => daemon::keeper::run(&args).map(|()| None),
    }
}

fn actions(printer: &Printer, command: ActionsCommand) -> Result<Value, Failure> {
    let settings = Settings::read(variable)?;
    let runtime = runtime(Exit::Gateway)?;
    let mut client = Client::new(settings)?;
    runtime.block_on(commands::run(&mut client, printer, command))
}

fn services(printer: &Printer, command: ServicesCommand) -> Result<Option<Value>, Failure> {
    let token = TokenSource::find(variable)?.read()?;
    let daemon = DaemonClient::new(
        env::daemon_url(variable)?,
        token,
        env::daemon_timeout(variable),
    )?;
    runtime(Exit::Daemon)?.block_on(commands::services::run(&daemon, printer, command))
}

fn env_files(printer: &Printer, command: &EnvCommand) -> Result<Option<Value>, Failure> {
    let paths = env::paths(variable);
    match command {
        EnvCommand::Apply(args) => envfiles::apply::run(&paths, printer, args).map(Some),
        EnvCommand::Scrub(args) => envfiles::scrub::run(&paths, args).map(Some),
        EnvCommand::Restore => envfiles::restore::run(&paths).map(Some),
        EnvCommand::Get(args) => match envfiles::get::run(&paths, args)? {
            EnvOutput::Document(document) => Ok(Some(document)),
            EnvOutput::Bare(value) => {
                printer.bare(value.expose());
                Ok(None)
            }
        },
    }
}

fn runtime(exit: Exit) -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.map_err(|error| Failure::new(exit, format!("cannot start: {error}")))
}
