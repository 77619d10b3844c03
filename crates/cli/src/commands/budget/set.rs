//! `proliferate budget set`.

use domain::model_usage::micro_usd;
use wire::model_usage::UpdateOrganizationBudgetRequest;

use super::report::{PATH, report};
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Set what each session may spend. Recorded in the audit log.
///
/// It counts for sessions that are there. Those that rest because they had spent what they might go on by themselves if
/// they may again.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Dollars such as `5` or `2.50`; `default` is the gateway's setting again
    #[arg(value_name = "AMOUNT", value_parser = amount)]
    amount: Amount,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

#[derive(Debug, Clone, Copy)]
struct Amount(Option<i64>);

fn amount(text: &str) -> Result<Amount, String> {
    if text == "default" {
        return Ok(Amount(None));
    }
    let micro = micro_usd(text);
    let micro =
        micro.ok_or("write dollars such as `5` or `2.50`, at most 1000000, or `default`")?;
    Ok(Amount(Some(micro)))
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let request = UpdateOrganizationBudgetRequest {
        budget_micro_usd: args.amount.0,
    };
    report(context, &client.put(PATH, &request).await?);
    Ok(Exit::Ok)
}
