//! `proliferate member remove`.

use domain::id::UserId;
use wire::member::{RemoveMemberQuery, RemovedMemberView};

use super::fields::MEMBERS;
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Remove a member, or leave: logins, API keys, streams and terminals of theirs end within seconds.
///
/// Sessions and automations go to the successor. It cannot be undone, so it is asked for with `--yes`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The member's user id
    user: UserId,
    /// User id of the admin or owner whom sessions and automations go to (default: you, or an owner if you leave)
    #[arg(long, value_name = "USER")]
    successor: Option<UserId>,
    /// Erase the name and address of the user, too; for owners
    #[arg(long)]
    erase: bool,
    /// Do it
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    if !args.yes {
        let message = format!("{} was not removed: it cannot be undone", args.user);
        return Err(Failure::new(Exit::Usage, message).hint("add `--yes` to do it"));
    }
    let query = RemoveMemberQuery {
        successor: args.successor.map(|user| user.to_string()),
        erase: args.erase,
    };
    let path = format!("{MEMBERS}/{}", args.user);
    let client = connect(context, args.endpoint)?;
    let removed: RemovedMemberView = client.delete_with(&path, &query).await?;
    context.printer.changed(&removed, |removed| {
        let RemovedMemberView {
            sessions,
            automations,
            successor,
            ..
        } = removed;
        let erased = match (args.erase, removed.is_erased) {
            (true, true) => "; name and address are erased",
            (true, false) => {
                "; name and address stay: the user is a member of another organization"
            }
            (false, _) => "",
        };
        format!(
            "{} is removed; {sessions} sessions and {automations} automations went to {successor}{erased}",
            args.user
        )
    });
    Ok(Exit::Ok)
}
