//! Requests about runs, for the commands of `run` and for a call that has a run of its own.

use domain::{
    id::{RunId, SessionId},
    limits::RUN_WAIT_MAX,
    policy::CaseId,
    run::{RunKind, RunStatus},
};
use wire::contract::{CreateRunRequest, EndRunRequest, RunEndStatus, RunView, WaitQuery};

use crate::{client::Client, context::Context, failure::Failure, printer::printable};

/// Sent again it opens another run, and a run without calls does nothing.
pub(in crate::commands) async fn open(
    client: &Client,
    case_id: Option<CaseId>,
    session_id: Option<SessionId>,
) -> Result<RunView, Failure> {
    let request = CreateRunRequest {
        run_kind: RunKind::Agent.as_str().to_owned(),
        parent_run_id: None,
        case_id: case_id.map(|id| id.to_string()),
        session_id: session_id.map(SessionId::uuid),
        correlation_id: None,
    };
    client.post("/v1/runs", &request).await
}

pub(in crate::commands) async fn end(
    client: &Client,
    id: RunId,
    status: RunEndStatus,
) -> Result<RunView, Failure> {
    let path = format!("/v1/runs/{id}/end");
    client.post(&path, &EndRunRequest { status }).await
}

/// Asks until the run has ended.
pub(in crate::commands) async fn wait_until_ended(
    client: &Client,
    id: RunId,
) -> Result<RunView, Failure> {
    let query = WaitQuery {
        wait: Some(RUN_WAIT_MAX.as_secs()),
    };
    // Ends with the run: a call has a deadline, and any other run ends when its caller ends it.
    loop {
        let run: RunView = client.get(&format!("/v1/runs/{id}"), &query).await?;
        if has_ended(&run) {
            return Ok(run);
        }
    }
}

/// A state of a later version is not one to wait for.
fn has_ended(run: &RunView) -> bool {
    let going = [RunStatus::Created, RunStatus::Running];
    !going.iter().any(|status| status.as_str() == run.status)
}

/// Prints the state after a change.
pub(super) fn report(context: &Context, run: &RunView) {
    context.printer.changed(run, |run| {
        format!("{} is {}", run.run_id, printable(&run.status))
    });
}
