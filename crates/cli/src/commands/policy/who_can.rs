//! `proliferate policy who-can`: every way to an operation.

use app::policy::who_can;
use domain::policy::{Lane, Operation, PolicyRole};
use serde_json::{Value, json};

use super::{
    source::{PolicyArgs, load},
    text::strings,
};
use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    fields::{Field, List, joined, text},
    printer::Output,
};

/// Show which roles can have an operation, and in which lanes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// For example `ocr.extract`
    #[arg(value_name = "OPERATION")]
    operation: Operation,
    #[command(flatten)]
    policy: PolicyArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let policy = load(context, &args.policy.policy).await?;
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
    let list = List {
        columns: COLUMNS,
        none: if tool.enabled {
            "no role: no lane allows it"
        } else {
            "no role: the tool is disabled"
        },
    };
    let ways = ways.iter().map(|way| (way.role.clone(), way.lane.clone()));
    list.print_table(context.printer, &ways.collect::<Vec<_>>());
    Ok(Exit::Ok)
}

const COLUMNS: &[Field<(PolicyRole, Lane)>] = &[
    ("ROLE", |(role, _)| text(&role.id)),
    ("CLASS", |(role, _)| text(&role.class)),
    ("LANE", |(_, lane)| text(&lane.id)),
    ("REQUIRES", |(_, lane)| joined(&lane.requires)),
];
