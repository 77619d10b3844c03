//! `proliferate action show`.

use domain::id::InvocationId;

use super::fields::RECORD;
use crate::{
    call_text::CallText,
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    invocations,
    printer::Output,
    screen_rows,
};

/// Show what an agent asked for, without secrets, and what became of it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The invocation's id, or a part of it
    id: Selector<InvocationId>,
    /// Open the whole call, as it would run, before deciding about it; the gateway records that it was opened
    #[arg(long)]
    whole: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let printer = context.printer;
    let invocation = invocations::fetch(&client, id).await?;
    if !args.whole {
        RECORD.print(printer, &invocation);
        return Ok(Exit::Ok);
    }
    let opened = invocations::open(&client, invocation.session_id, invocation.id).await?;
    if printer.output == Output::Json {
        printer.json(&opened);
        return Ok(Exit::Ok);
    }
    printer.data(&RECORD.text(&invocation));
    printer.data(&invocations::title_of(&opened));
    let call = CallText::new(&opened.params, screen_rows::columns());
    printer.data(&call.whole().join("\n"));
    Ok(Exit::Ok)
}
