//! The `proliferate` command inside a sandbox: what the agent does outside of it, asked of the gateway.
//!
//! It holds nothing but the sandbox token, starts no program, and decides nothing: the gateway does.

mod cli;
mod client;
mod commands;
mod env;
mod exit;
mod failure;
mod invocation;
mod limits;
mod params;
mod printer;
mod strict_json;
mod system;

use std::process::ExitCode;

use clap::Parser as _;
use serde_json::Value;

use crate::{
    cli::{Cli, Command},
    client::Client,
    env::Settings,
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
    let (printer, outcome) = match Settings::read(|name| std::env::var(name).ok()) {
        Ok(settings) => {
            let printer = Printer::without(settings.token.clone());
            let outcome = run(settings, &printer, command);
            (printer, outcome)
        }
        Err(failure) => (Printer::default(), Err(failure)),
    };
    match outcome {
        Ok(document) => {
            printer.document(&document);
            Exit::Ok.into()
        }
        Err(failure) => {
            printer.failure(&failure);
            failure.exit.into()
        }
    }
}

fn run(settings: Settings, printer: &Printer, command: Command) -> Result<Value, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Gateway, format!("cannot start: {error}")))?;
    let mut client = Client::new(settings)?;
    runtime.block_on(commands::run(&mut client, printer, command))
}
