//! `proliferate action list`.

use domain::{action::InvocationStatus, id::SessionId};
use wire::action::{InboxQuery, InboxResponse, InvocationList};

use super::fields::{INBOX, OF_SESSION};
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
    value_parsers::one_of,
};

/// List what agents asked for, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only those in this state
    #[arg(long)]
    #[arg(value_parser = one_of(InvocationStatus::ALL, InvocationStatus::as_str))]
    status: Option<InvocationStatus>,
    /// Only those of this session
    #[arg(long, value_name = "ID")]
    session: Option<Selector<SessionId>>,
    /// How many at most, 1 to 100 (default 50)
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u32>,
    /// How many to pass over
    #[arg(long, value_name = "NUMBER")]
    offset: Option<u32>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let query = InboxQuery {
        status: args.status.map(Into::into),
        limit: args.limit,
        offset: args.offset,
    };
    let printer = context.printer;
    if let Some(session) = args.session {
        let session = session.resolve(&client).await?;
        let path = format!("/proliferate/{session}/actions/invocations");
        let list: InvocationList = client.get(&path, &query).await?;
        match printer.output {
            Output::Json => printer.json(&list),
            Output::Table => OF_SESSION.print_table(printer, &list.invocations),
        }
        return Ok(Exit::Ok);
    }
    let inbox: InboxResponse = client.get("/v1/actions", &query).await?;
    if printer.output == Output::Json {
        printer.json(&inbox);
        return Ok(Exit::Ok);
    }
    INBOX.print_table(printer, &inbox.invocations);
    let listed = inbox.invocations.len() as u64;
    let seen = u64::from(args.offset.unwrap_or(0)) + listed;
    if listed > 0 && seen < inbox.total {
        printer.note(&format!("{seen} of {}: add `--offset {seen}`", inbox.total));
    }
    Ok(Exit::Ok)
}
