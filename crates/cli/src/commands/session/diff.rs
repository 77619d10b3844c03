//! `proliferate session diff`.

use domain::id::SessionId;
use wire::live::{GitDiff, GitDiffQuery};

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, printable_lines},
};

/// Show what a session's agent has changed since the last commit.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id, a part of it, or its title
    id: Selector<SessionId>,
    /// Only this file
    path: Option<String>,
    /// Folder of the repository, below the workspace
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/proliferate/{id}/git/diff");
    let query = GitDiffQuery {
        workspace_path: args.folder,
        path: args.path,
    };
    let diff: GitDiff = client.get(&path, &query).await?;
    if context.printer.output == Output::Json {
        context.printer.json(&diff);
        return Ok(Exit::Ok);
    }
    for line in diff.diff.lines() {
        context.printer.data(&printable_lines(line));
    }
    if diff.diff.is_empty() {
        context.printer.note("nothing has changed");
    }
    if diff.truncated {
        context
            .printer
            .note("there is more; name a file to see its changes alone");
    }
    Ok(Exit::Ok)
}
