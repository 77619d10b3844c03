//! `proliferate org list`.

use app::{access::TerminalOperator, organizations};
use wire::organization::{OrganizationView, OrganizationsResponse};

use super::fields::LIST;
use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    operator::{Operator, OperatorArgs},
    printer::Output,
};

/// List the organizations of the installation, by name.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let (found, has_more) = organizations::list(&operator.app, &TerminalOperator).await?;
    operator.app.db.close().await;
    let items: Vec<OrganizationView> = found.into_iter().map(Into::into).collect();
    let printer = context.printer;
    if printer.output == Output::Json {
        printer.json(&OrganizationsResponse { items, has_more });
        return Ok(Exit::Ok);
    }
    LIST.print_table(printer, &items);
    if has_more {
        printer.note("there are more organizations than are listed");
    }
    Ok(Exit::Ok)
}
