//! `proliferate grant backtest`.

use wire::grant::BacktestResponse;

use super::{draft::Draft, fields::BACKTEST};
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// Show which calls of the last 30 days a grant would have allowed, and make none.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    draft: Draft,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let request = args.draft.request(context, &client).await?;
    let tested: BacktestResponse = client.post("/v1/grants/backtest", &request).await?;
    let printer = context.printer;
    if printer.output == Output::Json {
        printer.json(&tested);
        return Ok(Exit::Ok);
    }
    BACKTEST.print_table(printer, &tested.calls);
    let (allowed, all) = (tested.allowed, tested.calls.len());
    printer.note(&format!("{allowed} of {all} would have run without asking"));
    if tested.truncated {
        printer.warning("there were more calls than are looked at");
    }
    Ok(Exit::Ok)
}
