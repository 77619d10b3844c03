//! `proliferate audit export`: a page at a time, whatever the log's length.

use std::{
    fs::OpenOptions,
    io::{self, ErrorKind, Write},
    os::unix::fs::OpenOptionsExt as _,
    path::PathBuf,
};

use app::audit::{self, bundle::Bundle};
use domain::id::OrganizationId;

use crate::{
    commands::token::{Common, Opened},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Write an organization's audit log to one file.
///
/// The file has JSON lines: a header with the signed checkpoint, then every record exactly as it was
/// hashed. What is recorded until now is put in order and signed first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Whose log; the demo organization's in a data directory of `dev`
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    /// Where to (default: standard output)
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let opened = Opened::new(context, &args.common).await?;
    let organization_id = opened.organization(args.org)?;
    let app = &opened.app;
    audit::settle(app, &organization_id).await?;
    let mut bundle = Bundle::open(app, &organization_id).await?;
    let mut output = open(args.output.as_ref())?;
    let mut written = Ok(());
    while let Some(page) = bundle.next_page().await? {
        written = output.write_all(&page);
        if written.is_err() {
            break;
        }
    }
    app.db.close().await;
    match written.and_then(|()| output.flush()) {
        Ok(()) => {
            let records = bundle.size();
            context.printer.note(&format!("exported {records} records"));
            Ok(Exit::Ok)
        }
        // Whoever read has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Ok),
        Err(error) => Err(Failure::caused(
            Exit::Failed,
            "cannot write the log",
            &error,
        )),
    }
}

/// The file, for its owner alone: a log says who did what.
fn open(path: Option<&PathBuf>) -> Result<Box<dyn Write>, Failure> {
    let Some(path) = path else {
        return Ok(Box::new(io::stdout().lock()));
    };
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path);
    let cannot = |error| {
        let message = format!("cannot write {}", path.display());
        Failure::caused(Exit::Failed, message, &error)
    };
    Ok(Box::new(file.map_err(cannot)?))
}
