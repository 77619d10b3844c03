//! `proliferate action list`.

use clap::builder::ValueParser;
use domain::{action::InvocationStatus, id::SessionId};
use wire::action::{InboxQuery, InboxResponse, InvocationList, InvocationView};

use super::{client, name, risk, status};
use crate::{
    client::EndpointArgs,
    commands::session::{one_of, seconds},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// List what agents asked for, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only those in this state
    #[arg(long)]
    #[arg(value_parser = ValueParser::new(one_of(InvocationStatus::ALL, InvocationStatus::as_str)))]
    status: Option<InvocationStatus>,
    /// Only those of this session
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    /// How many at most, 1 to 100 (default 50)
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u32>,
    /// How many to pass over
    #[arg(long, value_name = "NUMBER")]
    offset: Option<u32>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let query = InboxQuery {
        status: args.status.map(Into::into),
        limit: args.limit,
        offset: args.offset,
    };
    let printer = &context.printer;
    if let Some(session) = args.session {
        let path = format!("/proliferate/{session}/actions/invocations");
        let list: InvocationList = client.get(&path, &query).await?;
        match printer.output {
            Output::Json => printer.json(&list),
            Output::Table => {
                let rows: Vec<_> = list.invocations.iter().map(row).collect();
                print(context, &HEADINGS, &rows);
            }
        }
        return Ok(Exit::Ok);
    }
    let inbox: InboxResponse = client.get("/v1/actions", &query).await?;
    if printer.output == Output::Json {
        printer.json(&inbox);
        return Ok(Exit::Ok);
    }
    let rows = inbox.invocations.iter().map(|entry| {
        let mut row = row(&entry.invocation);
        row.push(
            entry
                .session_title
                .clone()
                .unwrap_or_else(|| "-".to_owned()),
        );
        row
    });
    let rows: Vec<_> = rows.collect();
    print(context, &[&HEADINGS[..], &["SESSION"]].concat(), &rows);
    let seen = u64::from(args.offset.unwrap_or(0)) + rows.len() as u64;
    if !rows.is_empty() && seen < inbox.total {
        printer.note(&format!("{seen} of {}: add `--offset {seen}`", inbox.total));
    }
    Ok(Exit::Ok)
}

const HEADINGS: [&str; 5] = ["ID", "STATUS", "RISK", "CREATED", "ACTION"];

fn row(invocation: &InvocationView) -> Vec<String> {
    vec![
        invocation.id.to_string(),
        status(invocation),
        risk(invocation),
        seconds(invocation.created_at),
        name(invocation),
    ]
}

fn print(context: &Context, headings: &[&str], rows: &[Vec<String>]) {
    context.printer.table(headings, rows, "no actions");
}
