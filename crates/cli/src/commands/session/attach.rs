//! `proliferate session attach`.

use std::{
    io::{BufRead as _, IsTerminal as _},
    sync::Arc,
};

use domain::{clock::Clock, id::SessionId};
use tokio::sync::mpsc;

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    failure::Outcome,
    live::{TypedLine, Until, Watch},
    printer::Output,
};

/// Lines that wait to be sent; more are read when these are.
const LINES_MAX: usize = 16;

/// Watch a session and talk to its agent.
///
/// Shows the conversation so far, then everything as it happens. Each line of input goes to the agent. Calls that wait
/// for a person have labels: `y` or `n` decides the one that was named last, `y 2` the one labelled 2, and `v` shows
/// what is folded or left out of it. Comes back by itself when the connection breaks. Over a pipe it ends when the
/// agent has answered all lines; with `-o json` it prints each frame of the protocol as a line.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id, a part of it, or its title
    id: Selector<SessionId>,
    /// Only what came after this place in its log
    #[arg(long, value_name = "NUMBER")]
    after: Option<u64>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let is_person = std::io::stdin().is_terminal();
    if is_person && context.printer.output == Output::Table {
        context
            .printer
            .note("type to the agent; /help says what else");
    }
    let until = if is_person {
        Until::Left
    } else {
        Until::Answered
    };
    let watch = Watch::new(context, &client, id, args.after);
    watch.run(lines(Arc::clone(&context.clock)), until).await
}

/// What is typed, line by line, with the moment when each was read.
fn lines(clock: Arc<dyn Clock>) -> mpsc::Receiver<TypedLine> {
    let (sender, receiver) = mpsc::channel(LINES_MAX);
    // A thread, because reading a terminal cannot be given up; it ends with the process.
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(text) = line else { break };
            let at = clock.monotonic();
            if sender.blocking_send(TypedLine { text, at }).is_err() {
                break;
            }
        }
    });
    receiver
}
