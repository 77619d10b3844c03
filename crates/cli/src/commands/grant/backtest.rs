//! `proliferate grant backtest`.

use wire::grant::{BacktestEntry, BacktestResponse};

use super::{client, draft::Draft, name};
use crate::{
    client::EndpointArgs, commands::session::seconds, context::Context, exit::Exit,
    failure::Outcome, printer::Output,
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
    let client = client(context, args.endpoint)?;
    let request = args.draft.request(context);
    let tested: BacktestResponse = client.post("/v1/grants/backtest", &request).await?;
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(&tested);
        return Ok(Exit::Ok);
    }
    let row = |call: &BacktestEntry| {
        vec![
            call.invocation_id.to_string(),
            if call.allowed { "yes" } else { "no" }.to_owned(),
            seconds(call.at),
            name(&call.integration, &call.action),
            call.reason.clone(),
        ]
    };
    let rows: Vec<_> = tested.calls.iter().map(row).collect();
    let headings = ["CALL", "ALLOWED", "CREATED", "ACTION", "REASON"];
    printer.table(&headings, &rows, "no calls in the last 30 days");
    let (allowed, all) = (tested.allowed, tested.calls.len());
    printer.note(&format!("{allowed} of {all} would have run without asking"));
    if tested.truncated {
        printer.warning("there were more calls than are looked at");
    }
    Ok(Exit::Ok)
}
