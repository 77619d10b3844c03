//! `proliferate member list`.

use wire::member::MembersResponse;

use super::fields::{MEMBER_LIST, MEMBERS};
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// List the members of the organization, by name.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let members: MembersResponse = client.get(MEMBERS, &()).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&members),
        Output::Table => {
            MEMBER_LIST.print_table(context.printer, &members.items);
            if members.has_more {
                let note = "there are more members than are shown";
                context.printer.note(note);
            }
        }
    }
    Ok(Exit::Ok)
}
