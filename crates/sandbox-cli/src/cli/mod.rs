//! The command line. Every group and command says in one sentence what it does.

mod local;
mod services;

use clap::{Args, Parser, Subcommand, ValueEnum};
use uuid::Uuid;
use wire::grant::GrantScope;

use crate::{
    env,
    exit::Exit,
    limits::{IDEMPOTENCY_KEY_LENGTH_MAX, WAIT_SECONDS_DEFAULT, WAIT_SECONDS_MAX},
};

pub(crate) use local::{
    DaemonArgs, EnvApplyArgs, EnvCommand, EnvGetArgs, EnvScrubArgs, KeeperArgs,
};
pub(crate) use services::{LogsArgs, Restart, ServicesCommand, StartArgs, name as service_name};

/// Do things outside of this sandbox, through the gateway; run services and keep env files inside of it.
///
/// Prints one JSON document on stdout; lines on stderr begin with `error:`, `hint:` or `note:`.
#[derive(Debug, Parser)]
#[command(name = "proliferate", bin_name = "proliferate", version)]
#[command(disable_help_subcommand = true, arg_required_else_help = true)]
#[command(color = clap::ColorChoice::Never, term_width = 100, after_long_help = after_help())]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

fn after_help() -> String {
    let (url, session, token, file) = (
        env::GATEWAY_URL,
        env::SESSION_ID,
        env::TOKEN,
        env::TOKEN_FILE,
    );
    let (daemon, workspace, values) = (env::DAEMON_URL, env::WORKSPACE, env::VALUES_FILE);
    format!(
        "Environment:\n  {url}\n  {session}\n  {token}, or {file} with the path of a file\n  \
         {daemon} (http://127.0.0.1:4000)\n  {workspace} (/home/user/workspace)\n  \
         {values} (/tmp/.proliferate_env.json)\n\n{}",
        Exit::list()
    )
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Actions in connected services: find, run, wait, ask for grants
    #[command(subcommand)]
    Actions(ActionsCommand),
    /// What runs in the background: start, stop, look at logs, show a port
    #[command(subcommand)]
    Services(ServicesCommand),
    /// Values of the environment and the files they are written to
    #[command(subcommand)]
    Env(EnvCommand),
    /// Serve this sandbox: services, terminal, files, git
    Daemon(DaemonArgs),
    /// Hold one service
    #[command(hide = true)]
    Keeper(KeeperArgs),
}

#[derive(Debug, Subcommand)]
#[command(disable_help_subcommand = true)]
pub(crate) enum ActionsCommand {
    /// List the connected services and their actions
    List,
    /// Show how to use a service
    Guide(GuideArgs),
    /// Run an action; a write that needs approval is waited for
    Run(RunArgs),
    /// Go on waiting for an invocation
    Wait(WaitArgs),
    /// Ask for a standing permission
    #[command(subcommand)]
    Grant(GrantCommand),
    /// Look at standing permissions
    #[command(subcommand)]
    Grants(GrantsCommand),
}

#[derive(Debug, Args)]
pub(crate) struct GuideArgs {
    /// The service, as `actions list` names it
    #[arg(long, value_parser = name)]
    pub(crate) integration: String,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The service, as `actions list` names it
    #[arg(long, value_parser = name)]
    pub(crate) integration: String,
    /// The action, as `actions list` names it
    #[arg(long, value_parser = name)]
    pub(crate) action: String,
    /// A JSON object, `@FILE` with one, or `-` for stdin
    #[arg(
        long,
        value_name = "JSON",
        default_value = "{}",
        allow_hyphen_values = true
    )]
    pub(crate) params: String,
    #[command(flatten)]
    pub(crate) limit: WaitLimit,
    /// The key of an earlier run whose outcome is unknown: it is not done twice
    #[arg(long, value_name = "KEY", value_parser = key)]
    pub(crate) idempotency_key: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct WaitArgs {
    /// The invocation's id
    pub(crate) invocation: Uuid,
    #[command(flatten)]
    pub(crate) limit: WaitLimit,
}

#[derive(Debug, Args)]
pub(crate) struct WaitLimit {
    /// How long to wait until it ends; 0 shows at once how it stands
    #[arg(long = "wait", value_name = "SECONDS", default_value_t = WAIT_SECONDS_DEFAULT)]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=WAIT_SECONDS_MAX))]
    pub(crate) seconds: u64,
}

#[derive(Debug, Subcommand)]
#[command(disable_help_subcommand = true)]
pub(crate) enum GrantCommand {
    /// Ask an admin to let calls of an action run without approval
    Request(GrantRequestArgs),
}

#[derive(Debug, Args)]
pub(crate) struct GrantRequestArgs {
    /// The service, or `*` for every one
    #[arg(long, value_parser = name)]
    pub(crate) integration: String,
    /// The action, or `*` for every one
    #[arg(long, value_parser = name)]
    pub(crate) action: String,
    /// Whose calls it is for
    #[arg(long, value_enum, default_value_t = GrantScopeArg::Session)]
    pub(crate) scope: GrantScopeArg,
    /// How many calls; without it there is no limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
    pub(crate) max_calls: Option<i64>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum GrantScopeArg {
    /// Of this session
    Session,
    /// Of every session of the organization
    Org,
}

impl From<GrantScopeArg> for GrantScope {
    fn from(scope: GrantScopeArg) -> Self {
        match scope {
            GrantScopeArg::Session => Self::Session,
            GrantScopeArg::Org => Self::Organization,
        }
    }
}

#[derive(Debug, Subcommand)]
#[command(disable_help_subcommand = true)]
pub(crate) enum GrantsCommand {
    /// List the grants that cover this session, newest first
    List(GrantsListArgs),
}

#[derive(Debug, Args)]
pub(crate) struct GrantsListArgs {
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) limit: u32,
    /// Go on after an earlier page: its `nextCursor`
    #[arg(long, value_name = "CURSOR")]
    pub(crate) cursor: Option<String>,
}

/// Something that can stand in a path; whether there is such a thing the gateway knows.
fn name(text: &str) -> Result<String, &'static str> {
    if text.is_empty() || text == "." || text == ".." || text.contains(char::is_control) {
        return Err("not a name");
    }
    if text.len() > 128 {
        return Err("too long for a name");
    }
    Ok(text.to_owned())
}

/// Something that can stand in a header.
fn key(text: &str) -> Result<String, &'static str> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    if text.is_empty() || text.len() > IDEMPOTENCY_KEY_LENGTH_MAX || !is_plain {
        return Err("not a key");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn names_cannot_leave_their_place_in_a_path() {
        for bad in ["", ".", "..", "a\nb", &"x".repeat(129)] {
            assert!(name(bad).is_err(), "{bad}");
        }
        for good in [
            "linear",
            "connector:0192f0c1-2345-7abc-8def-0123456789ab",
            "*",
            "a/b",
        ] {
            assert!(name(good).is_ok(), "{good}");
        }
    }
}
