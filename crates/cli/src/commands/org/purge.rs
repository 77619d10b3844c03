//! `proliferate org purge`: exports and verifies the log of an organization, then removes all of its data.

use std::{
    fs::File,
    io::{BufReader, Write as _},
    path::{Path, PathBuf},
};

use app::{
    App,
    audit::{
        SigningKey,
        bundle::{ArtifactInclusion, Bundle, BundleScope},
        verify::{TrustAnchor, verify},
    },
    organizations::{self, PurgeLog, PurgeTime},
};
use domain::id::OrganizationId;
use serde_json::json;
use wire::organization::OrganizationView;

use super::{delete::Confirmation, fields::named};
use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    operator::{Operator, OperatorArgs},
};

/// Remove all data of an organization whose grace time is over; this cannot be taken back.
///
/// First writes the whole audit log of the organization to a file, signed, and verifies that file. Then it removes its rows
/// and its stored bytes in batches, its log, and the organization. A purge that was interrupted goes on when it is repeated.
/// The command asks for the name of the organization; scripts give `--yes --confirm NAME`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The organization's id, as `org list` shows it
    organization: OrganizationId,
    /// Where the audit log is written; keep this file
    #[arg(long, value_name = "FILE")]
    export: PathBuf,
    /// Do not wait for the end of the grace time
    #[arg(long)]
    now: bool,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let (app, id) = (&operator.app, &args.organization);
    let view = OrganizationView::from(organizations::fetch(app, id).await?);
    let consequence = "all of its data is removed, which cannot be taken back";
    let name = args.confirmation.read(context, &view, consequence)?;
    let time = if args.now {
        PurgeTime::Now
    } else {
        PurgeTime::AfterGrace
    };
    organizations::begin_purge(app, id, &name, time).await?;
    let mut records = export_if_needed(context, app, id, &args.export).await?;
    let mut removed: u64 = 0;
    loop {
        let batch = organizations::purge_batch(app, id).await?;
        if batch == 0 {
            break;
        }
        removed += batch;
        context
            .printer
            .note(&format!("removed {removed} rows and objects so far"));
    }
    // Sweeps may have recorded something meanwhile.
    if let Some(later) = export_if_needed(context, app, id, &args.export).await? {
        records = Some(later);
    }
    while organizations::purge_log_batch(app, id).await? > 0 {}
    organizations::end_purge(app, id).await?;
    operator.app.db.close().await;
    let facts = json!({
        "organizationId": id.as_str(),
        "removed": removed,
        "exportedRecords": records,
        "export": args.export.display().to_string(),
    });
    context.printer.changed(&facts, |_| {
        format!(
            "purged {}; its audit log is in {}",
            named(&view),
            args.export.display()
        )
    });
    Ok(Exit::Ok)
}

/// Writes the log and verifies what was written, unless the log was exported as it is. Returns how many records.
async fn export_if_needed(
    context: &Context,
    app: &App,
    id: &OrganizationId,
    path: &Path,
) -> Result<Option<u64>, Failure> {
    if organizations::purge_log_state(app, id).await? == PurgeLog::Exported {
        return Ok(None);
    }
    let scope = BundleScope::Log;
    let mut bundle = Bundle::open(app, id, scope, ArtifactInclusion::Digests).await?;
    let mut file = create(path)?;
    let cannot = |error| {
        let message = format!("cannot write {}", path.display());
        Failure::caused(Exit::Failed, message, &error)
    };
    while let Some(page) = bundle.next_page().await? {
        file.write_all(&page).map_err(cannot)?;
    }
    file.sync_all().map_err(cannot)?;
    let size = verified(app, id, path)?;
    organizations::record_export(app, id, size).await?;
    context.printer.note(&format!(
        "exported and verified {size} records of the audit log: {}",
        path.display()
    ));
    Ok(Some(size))
}

/// The file, for its owner alone. An export of before is replaced only by its continuation: it is written beside it first.
fn create(path: &Path) -> Result<File, Failure> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let file = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path);
    file.map_err(|error| {
        let message = format!("cannot write {}", path.display());
        Failure::caused(Exit::Failed, message, &error)
    })
}

/// Reads the file again, as an auditor can offline, and returns how many records it proves.
fn verified(app: &App, id: &OrganizationId, path: &Path) -> Result<u64, Failure> {
    let bad = |error: &(dyn std::error::Error + 'static)| {
        let message = format!(
            "the export {} does not verify; nothing was removed",
            path.display()
        );
        Failure::caused(Exit::Failed, message, error)
    };
    let key = SigningKey::of(&app.keyring, id)?.verifier_key();
    let trust = TrustAnchor {
        key: key.parse().map_err(|error| bad(&error))?,
        from: None,
    };
    let file = File::open(path).map_err(|error| bad(&error))?;
    let report = verify(BufReader::with_capacity(1 << 18, file), &trust, |_| {});
    let report = report.map_err(|error| bad(&error))?;
    Ok(report.records)
}
