//! `proliferate audit fetch` and `proliferate audit checkpoint`: from a gateway, as a caller who may.

use std::path::{Path, PathBuf};

use domain::{id::SessionId, policy::CaseId};
use wire::audit::{AuditBundleQuery, AuditCheckpointView};

use super::export::open;
use crate::{
    client::{Client, EndpointArgs, Selector, connect, resolve_option},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Get the trail of a case or session from a gateway, to be verified offline.
#[derive(Debug, clap::Args)]
pub struct FetchArgs {
    /// The trail of this case
    #[arg(long, value_name = "CASE", required_unless_present = "session")]
    case: Option<Selector<CaseId>>,
    /// The trail of this session
    #[arg(long, value_name = "SESSION", conflicts_with = "case")]
    session: Option<Selector<SessionId>>,
    /// Where to (default: standard output)
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// Show what of the audit log was signed last. Keep it elsewhere, for `audit verify --from`.
#[derive(Debug, clap::Args)]
pub struct CheckpointArgs {
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn fetch(context: &Context, args: FetchArgs) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let case = resolve_option(&client, args.case.as_ref()).await?;
    let session = resolve_option(&client, args.session.as_ref()).await?;
    let query = AuditBundleQuery {
        case: case.map(|id| id.to_string()),
        session: session.map(|id| id.to_string()),
    };
    download(&client, &query, args.output.as_ref()).await?;
    let hint = "verify it: proliferate audit verify --bundle FILE --key KEY";
    context.printer.note(hint);
    Ok(Exit::Ok)
}

/// Writes the trail of a session into a file.
pub(super) async fn trail_of(
    client: &Client,
    session: SessionId,
    file: &Path,
) -> Result<(), Failure> {
    let query = AuditBundleQuery {
        case: None,
        session: Some(session.to_string()),
    };
    download(client, &query, Some(&file.to_owned())).await
}

async fn download(
    client: &Client,
    query: &AuditBundleQuery,
    file: Option<&PathBuf>,
) -> Result<(), Failure> {
    let mut output = open(file)?;
    let path = "/v1/audit/bundle";
    let written = client.download(path, query, &mut *output).await?;
    written.map_err(|error| Failure::caused(Exit::Failed, "cannot write the trail", &error))
}

pub(super) async fn checkpoint(context: &Context, args: CheckpointArgs) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let view: AuditCheckpointView = client.get("/v1/audit/checkpoint", &()).await?;
    // Its last line break is the printer's.
    context.printer.result(&view, |view| {
        view.checkpoint.trim_end_matches('\n').to_owned()
    });
    Ok(Exit::Ok)
}
