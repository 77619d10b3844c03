//! `services`: what runs in the background of this sandbox.

use clap::{Args, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};

use crate::limits::{LOG_TAIL_BYTES_DEFAULT, LOG_TAIL_BYTES_MAX, SERVICE_NAME_BYTES_MAX};

#[derive(Debug, Subcommand)]
#[command(disable_help_subcommand = true)]
pub(crate) enum ServicesCommand {
    /// List the services, how they are, and the port that is shown to users
    List,
    /// Start a service, or several in order; one of the same name is replaced
    #[command(after_help = "Examples:
  proliferate services start --name web --command 'npm run dev' --cwd apps/web
  proliferate services start --spec @services.json")]
    Start(StartArgs),
    /// Stop a service with everything it started
    Stop(ServiceNameArgs),
    /// Stop a service and start it again
    Restart(ServiceNameArgs),
    /// Show the end of a service's log
    #[command(after_help = "Examples:
  proliferate services logs --name web
  proliferate services logs --name web --follow")]
    Logs(LogsArgs),
    /// Show users what listens on a port
    #[command(after_help = "Example:
  proliferate services expose --port 3000")]
    Expose(ExposeArgs),
}

#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// Its name
    #[arg(long, value_parser = name, requires = "command", required_unless_present = "spec")]
    pub(crate) name: Option<String>,
    /// A command line for bash
    #[arg(long, requires = "name", allow_hyphen_values = true)]
    pub(crate) command: Option<String>,
    /// The folder to run it in, below the workspace
    #[arg(long, value_name = "DIR", requires = "name")]
    pub(crate) cwd: Option<String>,
    /// When it is started again after it ended by itself
    #[arg(long, value_enum, default_value_t = Restart::OnFailure)]
    pub(crate) restart: Restart,
    /// A JSON array of {name, command, cwd, workspacePath}, `@FILE` with one, or `-` for stdin
    #[arg(long, value_name = "JSON", conflicts_with_all = ["name", "command", "cwd"])]
    pub(crate) spec: Option<String>,
}

/// When a service is started again after it ended by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Restart {
    /// Never
    Never,
    /// If it ended with an error
    #[default]
    OnFailure,
    /// However it ended
    Always,
}

#[derive(Debug, Args)]
pub(crate) struct ServiceNameArgs {
    /// The service, as `services list` names it
    #[arg(long, value_parser = name)]
    pub(crate) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct LogsArgs {
    /// The service, as `services list` names it
    #[arg(long, value_parser = name)]
    pub(crate) name: String,
    /// Go on with what is written from now on: one JSON document on each line
    #[arg(long)]
    pub(crate) follow: bool,
    /// How much of the end
    #[arg(long, value_name = "N", default_value_t = LOG_TAIL_BYTES_DEFAULT)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=LOG_TAIL_BYTES_MAX))]
    pub(crate) bytes: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ExposeArgs {
    /// The port
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: u16,
}

/// What can be shown on a line, and be part of a file's name once odd bytes are written out.
pub(crate) fn name(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() || text.contains(char::is_control) {
        return Err("is not a name");
    }
    let odd = text
        .bytes()
        .filter(|byte| !byte.is_ascii_alphanumeric())
        .count();
    if text.len() + 2 * odd > SERVICE_NAME_BYTES_MAX {
        return Err("is too long for a name");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_bounded_and_of_one_line() {
        for bad in ["", " ", "a\n", "a\0", &"x".repeat(201), &"é".repeat(60)] {
            assert!(name(bad).is_err(), "{bad}");
        }
        for good in [
            "web",
            "api-1",
            "a_b.c",
            "..",
            "a/b",
            "web app",
            "dépôt",
            &"x".repeat(100),
        ] {
            assert!(name(good).is_ok(), "{good}");
        }
    }
}
