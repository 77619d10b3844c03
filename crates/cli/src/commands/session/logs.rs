//! `proliferate session logs`.

use domain::id::SessionId;
use wire::live::ServerMessage;

use crate::{
    client::{EndpointArgs, Selector, StreamItem, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    live::{PendingCalls, View},
    printer::Output,
};

/// Print the conversation of a session so far.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id, a part of it, or its title
    id: Selector<SessionId>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let mut events = client.events(id, None);
    let init = loop {
        if let StreamItem::Frame(frame) = events.next().await?
            && let ServerMessage::Init(init) = frame.message
        {
            break init;
        }
    };
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(&init);
        return Ok(Exit::Ok);
    }
    let mut view = View::new(*printer);
    let mut pending = PendingCalls::default();
    for asked in &init.pending_approvals {
        pending.add(asked, std::time::Duration::ZERO, view.text_columns());
    }
    let mut lines = view.lines(&ServerMessage::Init(init));
    lines.extend(pending.waiting().flat_map(|call| view.asked(call)));
    for line in lines {
        printer.data(&line);
    }
    Ok(Exit::Ok)
}
