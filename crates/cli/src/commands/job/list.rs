//! `proliferate job list`.

use domain::job::{JobKind, JobStatus};
use wire::job::{JobListQuery, JobView};

use crate::{
    client::{EndpointArgs, PageArgs},
    context::Context,
    failure::Outcome,
    fields::{List, run_list, seconds, text},
    value_parsers::one_of,
};

/// List jobs, newest first. Those that are over are kept for a week.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only jobs that are this far
    #[arg(long)]
    #[arg(value_parser = one_of(JobStatus::ALL, JobStatus::as_str))]
    status: Option<JobStatus>,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

const LIST: List<JobView> = List {
    columns: &[
        ("ID", |job| text(&job.id)),
        ("STATUS", |job| text(&JobStatus::from(job.state))),
        ("KIND", |job| text(&JobKind::from(job.kind))),
        ("TIME", time),
        ("ATTEMPTS", |job| text(&job.attempts)),
        ("SESSION", |job| text(&job.session_id)),
        ("NOTE", |job| job.note.clone()),
    ],
    none: "no jobs",
};

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let query = |page: PageArgs| JobListQuery {
        state: args.status.map(Into::into),
        cursor: page.cursor,
        limit: page.limit,
    };
    run_list(context, args.endpoint, "/v1/jobs", args.page, query, &LIST).await
}

/// That of its status: when it is to be done, until when an instance has claimed it, or when it was over.
fn time(job: &JobView) -> Option<String> {
    let time = job.run_at.or(job.claimed_until).or(job.ended_at);
    time.map(seconds)
}
