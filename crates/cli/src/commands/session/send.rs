//! `proliferate session send`.

use std::io::Read as _;

use domain::{id::SessionId, limits::PROMPT_LENGTH_MAX};
use tokio::sync::mpsc;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    live::{self, TypedLine, Until, Watch},
};

/// Say something to a session's agent, and print the message's id.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id, a part of it, or its title
    id: Selector<SessionId>,
    /// What to say; `-` reads it from the input
    #[arg(required = true)]
    text: Vec<String>,
    /// Show what the agent does until it is done
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let text = match &args.text[..] {
        [only] if only == "-" => read()?,
        words => words.join(" "),
    };
    if args.wait {
        let (sender, lines) = mpsc::channel(1);
        // The channel has room for one line, and no call waits for a decision yet.
        let at = context.clock.monotonic();
        let _ = sender.send(TypedLine { text, at }).await;
        drop(sender);
        let watch = Watch::new(context, &client, id, None);
        return watch.run(lines, Until::Answered).await;
    }
    let accepted = live::send(context, &client, id, &text).await?;
    context
        .printer
        .result(&accepted, |accepted| accepted.message_id.clone());
    Ok(Exit::Ok)
}

fn read() -> Result<String, Failure> {
    let mut text = String::new();
    // A character has four bytes at most.
    let max = (PROMPT_LENGTH_MAX as u64 + 1) * 4;
    let read = std::io::stdin().lock().take(max).read_to_string(&mut text);
    read.map_err(|error| Failure::caused(Exit::Usage, "the input cannot be read", &error))?;
    Ok(text)
}
