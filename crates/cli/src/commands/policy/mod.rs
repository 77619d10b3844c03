//! `proliferate policy`: what a policy says, what is wrong with one, what it would decide, and what was
//! decided about a recorded call. Works on files and on the database; a running gateway is not asked.

mod check;
mod diff;
mod recorded;
mod show;
mod who_can;
mod why;

use std::path::PathBuf;

pub(super) use why::scope_entry;

use app::policy::{Policy, PolicySource, Problems};
use clap::Subcommand;
use domain::policy::{FilePin, PolicyVersions};
use serde_json::{Value, json};

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Look at policies: lanes, roles and tools.
#[derive(Debug, Subcommand)]
pub enum Command {
    Check(check::Args),
    Show(show::Args),
    Diff(diff::Args),
    WhoCan(who_can::Args),
    Why(why::Args),
}

/// Which policy is asked.
#[derive(Debug, clap::Args)]
struct Which {
    /// Directory with lanes.yaml, roles.yaml and tools.yaml, or `builtin`
    #[arg(long, value_name = "DIR", default_value = BUILT_IN)]
    policy: String,
}

const BUILT_IN: &str = "builtin";

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Check(args) => check::run(context, args).await,
        Command::Show(args) => show::run(context, args).await,
        Command::Diff(args) => diff::run(context, args).await,
        Command::WhoCan(args) => who_can::run(context, args).await,
        Command::Why(args) => why::run(context, args).await,
    }
}

/// `builtin` or a directory; one of that name is written `./builtin`.
fn source(name: &str) -> PolicySource {
    if name == BUILT_IN {
        PolicySource::BuiltIn
    } else {
        PolicySource::Directory(PathBuf::from(name))
    }
}

/// Loads a policy. Warnings go to stderr, mistakes end the command.
async fn load(context: &Context, name: &str) -> Result<Policy, Failure> {
    let source = source(name);
    let loaded = source
        .load()
        .await
        .map_err(|problems| refused(&source, &problems))?;
    for warning in &loaded.warnings {
        context.printer.warning(warning);
    }
    Ok(loaded.policy)
}

/// Every mistake on a line that editors can jump to.
fn refused(source: &PolicySource, problems: &Problems) -> Failure {
    let lines = problems.all.iter().map(|problem| match source {
        PolicySource::BuiltIn => problem.to_string(),
        PolicySource::Directory(directory) => format!("{}{problem}", directory.join("").display()),
    });
    let message = match problems.all.len() {
        1 => "the policy has a mistake".to_owned(),
        count => format!("the policy has {count} mistakes"),
    };
    let lines: Vec<String> = [message].into_iter().chain(lines).collect();
    Failure::new(Exit::Failed, lines.join("\n"))
}

fn versions_json(versions: &PolicyVersions) -> Value {
    let pin = |pin: &FilePin| json!({"commit": pin.commit, "blob": pin.blob, "sha256": pin.sha256});
    json!({
        "lanes": pin(&versions.lanes),
        "roles": pin(&versions.roles),
        "tools": pin(&versions.tools),
    })
}

/// Names, one after another, or a dash.
fn list<T: ToString>(names: impl IntoIterator<Item = T>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    if names.is_empty() {
        "-".to_owned()
    } else {
        names.join(", ")
    }
}

fn strings<T: ToString>(names: impl IntoIterator<Item = T>) -> Vec<String> {
    names.into_iter().map(|name| name.to_string()).collect()
}
