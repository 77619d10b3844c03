//! `proliferate session logs`.

use domain::id::SessionId;
use wire::live::ServerMessage;

use super::client;
use crate::{
    client::{EndpointArgs, Heard},
    context::Context,
    exit::Exit,
    failure::Outcome,
    live::{Questions, View},
    printer::Output,
};

/// Print the conversation of a session so far.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    id: SessionId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let mut events = client.events(args.id, None);
    let init = loop {
        if let Heard::Frame(frame) = events.next().await?
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
    let mut questions = Questions::default();
    for asked in &init.pending_approvals {
        questions.add(asked, std::time::Duration::ZERO, view.text_columns());
    }
    let mut lines = view.lines(&ServerMessage::Init(init));
    lines.extend(
        questions
            .waiting()
            .flat_map(|question| view.asked(question)),
    );
    for line in lines {
        printer.data(&line);
    }
    Ok(Exit::Ok)
}
