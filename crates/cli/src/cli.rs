//! The command line: which commands there are and what all of them take. Each command's own options
//! stand with it, in `commands/`.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::{commands, printer::Output};

/// The gateway between coding agents and the world.
///
/// Settings come from flags, then environment variables, then the file named by `--config`, then
/// defaults. Data goes to stdout, everything else to stderr.
#[derive(Debug, Parser)]
#[command(
    name = "proliferate",
    version,
    propagate_version = false,
    max_term_width = 100
)]
#[command(subcommand_required = true, arg_required_else_help = true)]
#[command(disable_help_subcommand = true)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// How data is written
    #[arg(short = 'o', long = "format", global = true, value_name = "FORMAT")]
    #[arg(value_enum, default_value_t, hide_possible_values = false)]
    pub format: Output,
    /// TOML file with settings [env: PROLIFERATE_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Directory for everything kept on disk [env: PROLIFERATE_DATA_DIR]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Dev(commands::dev::Args),
    Demo(commands::demo::Args),
    Serve(commands::serve::Args),
    Worker(commands::worker::Args),
    Migrate(commands::migrate::Args),
    Doctor(commands::doctor::Args),
    Drain(commands::drain::Args),
    LoginLink(commands::login_link::Args),
    Login(commands::login::Args),
    Logout(commands::logout::Args),
    #[command(subcommand)]
    Context(commands::context::ContextCommand),
    Setup(commands::setup::Args),
    #[command(subcommand)]
    Org(commands::org::OrgCommand),
    #[command(subcommand)]
    Token(commands::token::TokenCommand),
    #[command(subcommand)]
    Session(commands::session::SessionCommand),
    #[command(subcommand, visible_alias = "jobs")]
    Job(commands::job::JobCommand),
    #[command(subcommand)]
    Snapshot(commands::snapshot::SnapshotCommand),
    #[command(subcommand)]
    Repo(commands::repo::RepoCommand),
    #[command(subcommand)]
    Configuration(commands::configuration::ConfigurationCommand),
    #[command(subcommand)]
    Secret(commands::secret::SecretCommand),
    #[command(subcommand)]
    Automation(commands::automation::AutomationCommand),
    #[command(subcommand)]
    Budget(commands::budget::BudgetCommand),
    #[command(subcommand)]
    Limits(commands::limits::LimitsCommand),
    #[command(subcommand)]
    OrgLimits(commands::org_limits::OrgLimitsCommand),
    #[command(subcommand)]
    Action(commands::action::ActionCommand),
    #[command(subcommand)]
    Grant(commands::grant::GrantCommand),
    #[command(subcommand)]
    Integration(commands::integration::IntegrationCommand),
    #[command(subcommand)]
    Connector(commands::connector::ConnectorCommand),
    #[command(subcommand)]
    Webhook(commands::webhook::WebhookCommand),
    #[command(subcommand)]
    Case(commands::case::CaseCommand),
    #[command(subcommand)]
    Artifact(commands::artifact::ArtifactCommand),
    Call(commands::call::Args),
    #[command(subcommand)]
    Run(commands::run::RunCommand),
    #[command(subcommand)]
    Audit(commands::audit::AuditCommand),
    #[command(subcommand)]
    Policy(commands::policy::PolicyCommand),
    #[command(subcommand)]
    Lock(commands::lock::LockCommand),
    #[command(subcommand)]
    Override(commands::overrides::OverrideCommand),
    #[command(subcommand)]
    Member(commands::member::MemberCommand),
    #[command(subcommand)]
    Config(commands::config::ConfigCommand),
    Openapi(commands::openapi::Args),
    Completions(commands::completions::Args),
    Help(commands::help::Args),
    #[command(hide = true)]
    Reference(commands::reference::Args),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_valid() {
        Cli::command().debug_assert();
    }
}
