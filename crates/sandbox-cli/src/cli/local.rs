//! `env` and `daemon`: values on this sandbox's disk, and the program that the others talk to.

use std::{net::SocketAddr, path::PathBuf};

use clap::{ArgAction, Args, Subcommand};

#[derive(Debug, Subcommand)]
#[command(disable_help_subcommand = true)]
pub(crate) enum EnvCommand {
    /// Keep values, and write the env files that ask for them; all of it or nothing
    #[command(after_help = "Examples:
  proliferate env apply --spec '[{\"path\": \".env\", \"keys\": [{\"key\": \"API_KEY\", \"required\": true}]}]'
  proliferate env apply --values - < values.json")]
    Apply(EnvApplyArgs),
    /// Take values off the disk, the kept ones and those in env files, and remember their names
    Scrub(EnvScrubArgs),
    /// Put back what `env scrub --hold` took out of env files
    Restore,
    /// Show one value, or the names of all
    #[command(after_help = "Examples:
  proliferate env get
  export API_KEY=\"$(proliferate env get --name API_KEY --raw)\"")]
    Get(EnvGetArgs),
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct EnvApplyArgs {
    /// The files: a JSON array of {path, workspacePath, keys: [{key, required}]}, `@FILE`, or `-` for stdin
    #[arg(long, value_name = "JSON")]
    pub(crate) spec: Option<String>,
    /// Values to keep: a JSON object of texts, `@FILE`, or `-` for stdin
    #[arg(long, value_name = "JSON")]
    pub(crate) values: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct EnvScrubArgs {
    /// The files: a JSON array as for `env apply`, `@FILE`, or `-` for stdin
    #[arg(long, value_name = "JSON")]
    pub(crate) spec: Option<String>,
    /// Hold what is taken out of the files for `env restore`, and leave the kept values: both are outside the home
    /// directory, which is all that a snapshot has
    #[arg(long, action = ArgAction::SetTrue)]
    pub(crate) hold: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EnvGetArgs {
    /// Whose value; without it the names are listed
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// The bare value instead of JSON, without a line feed behind it
    #[arg(long, requires = "name")]
    pub(crate) raw: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DaemonArgs {
    /// Where it listens
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4000")]
    pub(crate) listen: SocketAddr,
    /// Where the exposed port is shown; without it nowhere
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) preview_listen: Option<SocketAddr>,
    /// Where it keeps its state and the logs of services
    #[arg(long, value_name = "DIR", default_value = "/tmp/proliferate")]
    pub(crate) state_dir: PathBuf,
    /// Start the daemon as a child, and again whenever that dies
    #[arg(long, action = ArgAction::SetTrue)]
    pub(crate) supervise: bool,
    /// How long a service may take to stop, for tests
    #[arg(long, hide = true)]
    pub(crate) grace_ms: Option<u64>,
    /// Before the first restart, of a service or of the daemon, for tests
    #[arg(long, hide = true)]
    pub(crate) pause_ms: Option<u64>,
}

/// What the daemon starts to hold one service.
#[derive(Debug, Args)]
pub(crate) struct KeeperArgs {
    /// The file that says how the service is
    #[arg(long)]
    pub(crate) record: PathBuf,
    /// The file that its output goes to
    #[arg(long)]
    pub(crate) log: PathBuf,
    /// How long the service may take to stop
    #[arg(long)]
    pub(crate) grace_ms: u64,
    /// The daemon that wants it
    #[arg(long)]
    pub(crate) daemon: i32,
    /// The command line for bash
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) command: String,
}
