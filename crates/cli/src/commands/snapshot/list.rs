//! `proliferate snapshot list`.

use domain::id::{ConfigurationId, SessionId};
use wire::configuration::SnapshotsResponse;

use super::fields::LIST;
use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::Output,
};

/// List the snapshots of a session, or those that sessions of a configuration can start from, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    of: Of,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Of {
    /// Of this session, by id, a part of it, or title
    #[arg(long, value_name = "SESSION")]
    session: Option<Selector<SessionId>>,
    /// Of this configuration, by id, a part of it, or name
    #[arg(long, value_name = "CONFIGURATION")]
    configuration: Option<Selector<ConfigurationId>>,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = match (&args.of.session, &args.of.configuration) {
        (Some(session), _) => {
            format!("/v1/sessions/{}/snapshots", session.resolve(&client).await?)
        }
        (None, Some(configuration)) => {
            let id = configuration.resolve(&client).await?;
            format!("/v1/configurations/{id}/snapshots")
        }
        // The group demands one of them.
        (None, None) => return Ok(Exit::Usage),
    };
    let snapshots: SnapshotsResponse = client.get(&path, &()).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&snapshots),
        Output::Table => LIST.print_table(context.printer, &snapshots.items),
    }
    Ok(Exit::Ok)
}
