//! Where a policy comes from, and loading it.

use std::path::PathBuf;

use app::policy::{Policy, PolicySource, Problems};

use crate::{context::Context, exit::Exit, failure::Failure};

/// The name of the policy in the binary.
pub(super) const BUILT_IN: &str = "builtin";

/// The policy that a command looks at.
#[derive(Debug, clap::Args)]
pub(super) struct PolicyArgs {
    /// Directory with lanes.yaml, roles.yaml and tools.yaml, or `builtin`
    #[arg(long, value_name = "DIR", default_value = BUILT_IN)]
    pub(super) policy: String,
}

/// `builtin` or a directory; one of that name is written `./builtin`.
pub(super) fn source_of(name: &str) -> PolicySource {
    if name == BUILT_IN {
        PolicySource::BuiltIn
    } else {
        PolicySource::Directory(PathBuf::from(name))
    }
}

/// Loads a policy. Warnings go to stderr, mistakes end the command.
pub(super) async fn load(context: &Context, name: &str) -> Result<Policy, Failure> {
    let source = source_of(name);
    let loaded = source
        .load()
        .await
        .map_err(|problems| refusal(&source, &problems))?;
    for warning in &loaded.warnings {
        context.printer.warning(warning);
    }
    Ok(loaded.policy)
}

/// Every mistake on a line that editors can jump to.
pub(super) fn refusal(source: &PolicySource, problems: &Problems) -> Failure {
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
