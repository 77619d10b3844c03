//! `proliferate migrate`: brings the database's schema to what this binary needs.

use config::DatabaseUrl;
use serde_json::json;

use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    flags::{Flags, Stored},
    load::load,
    printer::Output,
    wiring::{self, Absent},
};

/// Bring the database's schema up to date.
///
/// Safe to run again, and from several machines at once. Run it before starting a new version.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Change nothing; exit 1 if migrations are pending
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    flags: Flags<Stored>,
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let loaded = load(context, &args.flags.overrides)?;
    let absent = if args.check {
        Absent::Refuse
    } else {
        if matches!(loaded.settings.database.url, DatabaseUrl::Sqlite(_)) {
            loaded.data_dir.create()?;
        }
        Absent::Create
    };
    let mut opened = wiring::open_database(&loaded.settings.database, absent).await;
    if let Err(failure) = &mut opened
        && failure.exit == Exit::NotFound
    {
        // No database needs every migration.
        failure.exit = Exit::Failed;
    }
    let db = opened?;
    let (from, needed) = db.schema_versions().await?;
    let to = if args.check {
        needed
    } else {
        db.migrate().await?;
        db.schema_versions().await?.0
    };
    db.close().await;

    let pending = args.check && from < needed;
    match context.printer.output {
        Output::Json => context
            .printer
            .json(&json!({"from": from, "to": to, "pending": pending})),
        Output::Table if pending => context.printer.data(&format!(
            "pending: schema version {from}, this binary needs {to}"
        )),
        Output::Table if from == to => context
            .printer
            .data(&format!("up to date: schema version {from}")),
        Output::Table => context
            .printer
            .data(&format!("migrated: schema version {from} to {to}")),
    }
    Ok(if pending { Exit::Failed } else { Exit::Ok })
}
