//! `proliferate audit export`: reads and writes a page at a time, for logs of any length.

use std::{
    fs::OpenOptions,
    io::{self, ErrorKind, Write},
    os::unix::fs::OpenOptionsExt as _,
    path::PathBuf,
};

use app::audit::{
    self,
    bundle::{ArtifactInclusion, Bundle, BundleScope},
    ocsf,
};
use domain::{
    audit::Trail,
    id::{OrganizationId, SessionId},
    policy::CaseId,
};

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    operator::{Operator, OperatorArgs},
};

/// Write an organization's audit log, or the trail of a case or session, to one file.
///
/// The file has JSON lines: a header with the signed checkpoint, then every record exactly as it was
/// hashed. A trail also has the proof that each record is in the signed log, and what the records refer to.
/// What is recorded until now is put in order and signed first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Whose log; the demo organization's in a data directory of `dev`
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    /// Only the trail of this case
    #[arg(long, value_name = "CASE", conflicts_with = "session")]
    case: Option<CaseId>,
    /// Only the trail of this session
    #[arg(long, value_name = "SESSION")]
    session: Option<SessionId>,
    /// With the bytes of the artifacts of the case or session
    #[arg(long)]
    include_artifacts: bool,
    /// What to write: `bundle`, which can be verified, or `ocsf` lines for a security lake
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t = Form::Bundle)]
    form: Form,
    /// Where to (default: standard output)
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Bundle,
    Ocsf,
}

/// What is written, a page at a time.
enum Pages {
    Bundle(Box<Bundle>),
    Ocsf(ocsf::Export),
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let organization_id = operator.organization(args.org)?;
    let scope = match (args.case, args.session) {
        (Some(id), _) => BundleScope::Trail(Trail::Case(id)),
        (None, Some(id)) => BundleScope::Trail(Trail::Session(id)),
        (None, None) => BundleScope::Log,
    };
    let artifacts = if args.include_artifacts {
        ArtifactInclusion::Include
    } else {
        ArtifactInclusion::Digests
    };
    audit::sign_pending(&operator.app, &organization_id).await?;
    let mut output = open(args.output.as_ref())?;
    let pages = match args.form {
        Form::Bundle => {
            let bundle = Bundle::open(&operator.app, &organization_id, scope, artifacts).await?;
            Pages::Bundle(Box::new(bundle))
        }
        Form::Ocsf if scope != BundleScope::Log => {
            return Err(Failure::new(Exit::Usage, "ocsf is written of a whole log"));
        }
        Form::Ocsf => Pages::Ocsf(ocsf::Export::open(&operator.app, &organization_id)),
    };
    let written = write(pages, &mut *output).await?;
    operator.app.db.close().await;
    match written {
        Ok(records) => {
            context.printer.note(&format!("exported {records} records"));
            Ok(Exit::Ok)
        }
        // The reader of the pipe has ended: it has what it wanted.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Ok),
        Err(error) => Err(Failure::caused(
            Exit::Failed,
            "cannot write the log",
            &error,
        )),
    }
}

async fn write(mut pages: Pages, output: &mut dyn Write) -> app::Result<io::Result<u64>> {
    loop {
        let page = match &mut pages {
            Pages::Bundle(bundle) => bundle.next_page().await?,
            Pages::Ocsf(export) => export.next_page().await?,
        };
        let Some(page) = page else { break };
        if let Err(error) = output.write_all(&page) {
            return Ok(Err(error));
        }
    }
    Ok(output.flush().map(|()| match &pages {
        Pages::Bundle(bundle) => bundle.records(),
        Pages::Ocsf(export) => export.events(),
    }))
}

/// The file, for its owner alone: a log says who did what.
pub(super) fn open(path: Option<&PathBuf>) -> Result<Box<dyn Write>, Failure> {
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
