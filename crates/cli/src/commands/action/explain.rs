//! `proliferate action explain`.

use domain::id::InvocationId;
use wire::grant::ExplainResponse;

use super::{client, show};
use crate::{
    client::EndpointArgs, context::Context, exit::Exit, failure::Outcome, printer::Output,
};

/// Say why an action ran without anybody being asked, or what every grant says about it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The invocation's id
    id: InvocationId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let path = format!("/v1/actions/{}/explain", args.id);
    let explained: ExplainResponse = client.get(&path, &()).await?;
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(&explained);
        return Ok(Exit::Ok);
    }
    printer.data(&show::text(&explained.invocation));
    let rows: Vec<Vec<String>> = explained
        .grants
        .iter()
        .map(|grant| {
            let used = explained.used_grant_id == Some(grant.grant_id);
            let word = match (used, grant.applies) {
                (true, _) => "used",
                (false, true) => "applies",
                (false, false) => "no",
            };
            vec![
                grant.grant_id.to_string(),
                word.to_owned(),
                grant.created_by.clone(),
                grant.reason.clone(),
            ]
        })
        .collect();
    let headings = ["GRANT", "COVERS", "BY", "REASON"];
    printer.table(&headings, &rows, "no grant is for such calls");
    Ok(Exit::Ok)
}
