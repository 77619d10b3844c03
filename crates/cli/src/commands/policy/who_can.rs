//! `proliferate policy who-can`: every way to an operation.

use app::policy::who_can;
use domain::policy::Operation;
use serde_json::{Value, json};

use super::{Which, list, load, strings};
use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::Output,
};

/// Show which roles can have an operation, and in which lanes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// For example `ocr.extract`
    #[arg(value_name = "OPERATION")]
    operation: Operation,
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let policy = load(context, &args.which.policy).await?;
    let operation = &args.operation;
    let Some(tool) = policy.tool(operation) else {
        let message = format!("the policy has no tool {operation}");
        let failure = Failure::new(Exit::NotFound, message);
        return Err(failure.hint("`proliferate policy show` lists what there is"));
    };
    let ways = who_can(&policy, operation);
    if context.printer.output == Output::Json {
        let ways: Vec<Value> = ways
            .iter()
            .map(|way| {
                json!({
                    "lane": way.lane.id.as_str(),
                    "role": way.role.id.as_str(),
                    "class": way.role.class.as_str(),
                    "requires": strings(&way.lane.requires),
                    "prohibits": strings(&way.lane.prohibits),
                })
            })
            .collect();
        context.printer.json(&json!({
            "operation": operation.as_str(),
            "enabled": tool.enabled,
            "ways": ways,
        }));
        return Ok(Exit::Ok);
    }
    let rows: Vec<Vec<String>> = ways
        .iter()
        .map(|way| {
            vec![
                way.role.id.to_string(),
                way.role.class.to_string(),
                way.lane.id.to_string(),
                list(&way.lane.requires),
            ]
        })
        .collect();
    let nobody = if tool.enabled {
        "nobody: no lane allows it"
    } else {
        "nobody: the tool is disabled"
    };
    let headings = ["ROLE", "CLASS", "LANE", "REQUIRES"];
    context.printer.table(&headings, &rows, nobody);
    Ok(Exit::Ok)
}
