//! `proliferate call`: a mediated call, from the terminal. A client like any other: the policy decides, and
//! what it decides is on record.

mod inputs;
mod outputs;
mod report;

use std::path::PathBuf;

use domain::{
    id::RunId,
    limits::RUN_WAIT_MAX,
    policy::{CaseId, LaneId, Operation, ScopeKey},
};
use serde_json::Value;
use wire::contract::{RunEndStatus, ToolCallAnswer, ToolCallOutcome, ToolCallRequest, WaitQuery};

use super::run;
use crate::{
    client::{Client, EndpointArgs, connect},
    context::Context,
    failure::{Failure, Outcome},
    value_parsers::scope_entry,
};

/// Call a tool in a lane, and print the answer.
///
/// The policy decides, and every attempt is on record. A call that takes long goes on by itself; `--wait`
/// waits for its end. Exits 7 when the policy denies the call, 6 when something the tool needs is not there,
/// 2 when the tool does not take the request, and 1 when the tool failed.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to call, for example `ocr.extract`
    operation: Operation,
    /// The lane to call it in
    #[arg(long, value_name = "LANE")]
    lane: LaneId,
    /// The case it is about
    #[arg(long, value_name = "ID")]
    case: Option<CaseId>,
    /// What else the lane wants to know, for example `client_session_id=MEETING-1`; may be given again
    #[arg(long, value_name = "KEY=VALUE", value_parser = scope_entry)]
    scope: Vec<(ScopeKey, String)>,
    /// A parameter of the tool; may be given again. A value that is JSON is sent as such, any other as text
    #[arg(long = "param", value_name = "KEY=VALUE", value_parser = parameter)]
    parameters: Vec<(String, Value)>,
    /// An artifact's id, or a file that is uploaded to the case first; may be given again
    #[arg(long = "input", value_name = "ARTIFACT|FILE")]
    inputs: Vec<String>,
    /// The run it belongs to (default: one is opened for this call, and ended after it)
    #[arg(long, value_name = "ID")]
    run: Option<RunId>,
    /// Makes repeating the call safe (default: a fresh one, for the retries of this run)
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Wait until the call has ended
    #[arg(long)]
    wait: bool,
    /// Download what the call produced into this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

fn parameter(text: &str) -> Result<(String, Value), String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err("not of the form KEY=VALUE".to_owned());
    };
    let text = || Value::String(value.to_owned());
    let value = serde_json::from_str(value).unwrap_or_else(|_| text());
    Ok((name.to_owned(), value))
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    // Before anything is sent: what is produced must have somewhere to go.
    let out = args.out.map(outputs::directory).transpose()?;
    let call = Call {
        request: ToolCallRequest {
            tool_name: args.operation.to_string(),
            operation: args.operation.to_string(),
            lane_id: Some(args.lane.to_string()),
            input_artifacts: inputs::resolve(&client, &args.inputs, args.case.as_ref()).await?,
            case_id: args.case.map(|id| id.to_string()),
            parameters: args.parameters.into_iter().collect(),
            scope: { args.scope.into_iter() }
                .map(|(key, value)| (key.as_str().to_owned(), value))
                .collect(),
            ..ToolCallRequest::default()
        },
        key: args.key.unwrap_or_else(|| context.idempotency_key()),
        // What is not there yet cannot be downloaded.
        wait: args.wait || out.is_some(),
    };
    let answer = match args.run {
        Some(run) => call.send(&client, run).await?,
        None => call.send_in_own_run(&client).await?,
    };
    report::print(context, &answer);
    if let Some(directory) = out {
        outputs::download(context, &client, &answer.output_artifacts, &directory).await?;
    }
    Ok(report::exit(&answer))
}

/// Makes a call in a run of its own, waits for its end, and prints the answer.
pub(super) async fn send(context: &Context, client: &Client, request: ToolCallRequest) -> Outcome {
    let call = Call {
        request,
        key: context.idempotency_key(),
        wait: true,
    };
    let answer = call.send_in_own_run(client).await?;
    report::print(context, &answer);
    Ok(report::exit(&answer))
}

/// A call, but for the run it belongs to.
struct Call {
    request: ToolCallRequest,
    key: String,
    wait: bool,
}

impl Call {
    /// In a run of no case, so that a case which is not the caller's is denied by the policy, and on record.
    async fn send_in_own_run(self, client: &Client) -> Result<ToolCallAnswer, Failure> {
        let opened = run::open(client, None, None).await?;
        let id = RunId::from_uuid(opened.run_id);
        let answer = self.send(client, id).await;
        let good = [ToolCallOutcome::Success, ToolCallOutcome::Allow];
        let status = match &answer {
            Ok(answer) if good.contains(&answer.outcome) => RunEndStatus::Completed,
            Ok(_) | Err(_) => RunEndStatus::Failed,
        };
        // What was asked for is the call: a run that stays open takes nothing from its answer.
        let _ = run::end(client, id, status).await;
        answer
    }

    async fn send(mut self, client: &Client, parent: RunId) -> Result<ToolCallAnswer, Failure> {
        self.request.parent_run_id = Some(parent.to_string());
        let query = WaitQuery {
            wait: self.wait.then_some(RUN_WAIT_MAX.as_secs()),
        };
        let answer: ToolCallAnswer = client
            .post_for_answer("/v1/tool-calls", &query, &self.key, &self.request)
            .await?;
        match answer.run_id {
            Some(id) if self.wait && answer.outcome == ToolCallOutcome::Allow => {
                let run = run::wait_until_ended(client, RunId::from_uuid(id)).await?;
                Ok(run.answer.unwrap_or(answer))
            }
            _ => Ok(answer),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_parameter_is_json_where_it_is_json() {
        for (text, value) in [
            ("a=eng", json!("eng")),
            ("a=3", json!(3)),
            ("a=\"3\"", json!("3")),
            ("a=true", json!(true)),
            ("a=[1, 2]", json!([1, 2])),
            ("a=", json!("")),
            ("a=b=c", json!("b=c")),
        ] {
            assert_eq!(parameter(text), Ok(("a".to_owned(), value)), "{text}");
        }
        assert!(parameter("a").is_err());
    }
}
