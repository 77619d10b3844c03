//! `proliferate case show`.

use domain::policy::CaseId;
use wire::case::CaseDetail;

use super::client;
use crate::{
    client::EndpointArgs,
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, printable},
};

/// Show a case, its members and its meetings.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The case's id
    id: CaseId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let detail: CaseDetail = client.get(&format!("/v1/cases/{}", args.id), &()).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&detail),
        Output::Table => context.printer.data(&text(&detail)),
    }
    Ok(Exit::Ok)
}

/// One line per fact that is there.
fn text(detail: &CaseDetail) -> String {
    let case = &detail.case;
    let list = |items: &[String]| (!items.is_empty()).then(|| items.join(", "));
    let created = case.created_at.format("%Y-%m-%d %H:%M:%S").to_string();
    let facts = [
        ("id", Some(case.id.clone())),
        ("title", case.title.clone()),
        ("organization", Some(case.organization_id.clone())),
        ("created", Some(created)),
        ("members", list(&detail.members)),
        ("meetings", list(&detail.client_sessions)),
    ];
    let lines: Vec<String> = facts
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name:<14} {}", printable(&value?))))
        .collect();
    lines.join("\n")
}
