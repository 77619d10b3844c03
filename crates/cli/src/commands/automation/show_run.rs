//! `proliferate automation show-run`.

use domain::id::AutomationRunId;
use wire::automation::AutomationRunView;

use super::{client, lines, seconds, status};
use crate::{
    client::EndpointArgs, context::Context, exit::Exit, failure::Outcome, printer::Output,
};

/// Show a run of an automation: where its agent works, how it stands, and what the agent said of it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run's id
    id: AutomationRunId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let path = format!("/v1/automation-runs/{}", args.id);
    report(context, &client.get(&path, &()).await?);
    Ok(Exit::Ok)
}

/// One line per fact that is there.
pub(super) fn report(context: &Context, run: &AutomationRunView) {
    if context.printer.output == Output::Json {
        return context.printer.json(run);
    }
    let said = run.completion.as_ref();
    let list = |items: &[String]| (!items.is_empty()).then(|| items.join(", "));
    lines(
        context,
        [
            ("id", Some(run.id.to_string())),
            ("automation", Some(run.automation_id.to_string())),
            ("session", Some(run.session_id.to_string())),
            ("status", Some(status(run).to_string())),
            ("reason", run.status_reason.clone()),
            (
                "summary",
                said.and_then(|said| said.summary_markdown.clone()),
            ),
            ("citations", said.and_then(|said| list(&said.citations))),
            ("diff", said.and_then(|said| said.diff_ref.clone())),
            ("tests", said.and_then(|said| said.test_report_ref.clone())),
            (
                "effects",
                said.and_then(|said| list(&said.side_effect_refs)),
            ),
            ("created by", run.created_by.clone()),
            ("started", Some(seconds(run.created_at))),
            ("given up", run.deadline_at.map(seconds)),
            ("ended", run.completed_at.map(seconds)),
        ],
    );
}
