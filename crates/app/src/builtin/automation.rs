//! `automation.complete`: the agent of an automation run reports how it ended.

use agent::tool::{Args, validate};
use serde_json::{Value, json};
use tools::{Failure, PermittedCall, Produced};

use super::parameters::invalid;
use crate::{
    automations::{self, CompletionOutcome},
    context::App,
};

pub(super) async fn complete(app: &App, call: &PermittedCall) -> Result<Produced, Failure> {
    let args = Value::Object(call.parameters.clone());
    let args = validate(call.spec.operation.as_str(), &args);
    let args = args.map_err(|wrong| invalid(wrong.to_string()))?;
    let Args::AutomationComplete { run_id, completion } = args else {
        return Err(invalid("the tool completes a run"));
    };
    let session_id = call.scope.session_id.ok_or_else(not_ours)?;
    let organization_id = &call.scope.organization_id;
    let completed = automations::complete(app, organization_id, session_id, &run_id, completion);
    let completed = completed.await.map_err(|error| {
        tracing::warn!(%error, "a run could not be completed");
        Failure::Unavailable {
            hint: "the database does not answer; try again later".to_owned(),
        }
    })?;
    match completed {
        CompletionOutcome::Done(run) => {
            let status = run.state.status();
            let data = json!({"runId": run.id.to_string(), "outcome": status.as_str()});
            let text = format!("The run is recorded as {status}. The session ends now.");
            Produced::answer(&text, Some(&data))
        }
        CompletionOutcome::NotOurs => Err(not_ours()),
        CompletionOutcome::Conflict(why) => Err(Failure::Conflict(why)),
    }
}

fn not_ours() -> Failure {
    invalid("run_id is not the id of this session's run")
}
