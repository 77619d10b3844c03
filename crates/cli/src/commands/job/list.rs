//! `proliferate job list`.

use clap::builder::ValueParser;
use domain::job::{JobKind, JobStatus};
use wire::{
    job::{JobListQuery, JobView},
    page::Page,
};

use super::client;
use crate::{
    client::{EndpointArgs, PageArgs},
    commands::session::{one_of, seconds},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// List jobs, newest first. Those that are over are kept for a week.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only jobs that are this far
    #[arg(long)]
    #[arg(value_parser = ValueParser::new(one_of(JobStatus::ALL, JobStatus::as_str)))]
    status: Option<JobStatus>,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let query = JobListQuery {
        state: args.status.map(Into::into),
        cursor: args.page.cursor,
        limit: args.page.limit,
    };
    let page: Page<JobView> = client.get("/v1/jobs", &query).await?;
    let headings = [
        "ID", "STATUS", "KIND", "TIME", "ATTEMPTS", "SESSION", "NOTE",
    ];
    context.printer.page(&page, &headings, row, "no jobs");
    Ok(Exit::Ok)
}

/// The time is that of its status: when it is to be done, until when it is somebody's, or when it was over.
fn row(job: &JobView) -> Vec<String> {
    let time = job.run_at.or(job.claimed_until).or(job.ended_at);
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    vec![
        job.id.to_string(),
        JobStatus::from(job.state).to_string(),
        JobKind::from(job.kind).to_string(),
        or_none(time.map(seconds)),
        job.attempts.to_string(),
        job.session_id.to_string(),
        or_none(job.note.clone()),
    ]
}
