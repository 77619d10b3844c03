//! `proliferate migrate`: brings the database's schema to what this binary needs.

use config::DatabaseUrl;
use serde_json::json;
use store::{Db, RoleName, SchemaFit};

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    flags::{DatabaseFlags, Flags},
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
    /// Afterwards give this PostgreSQL role what serving needs, and no right to change the audit log.
    /// The role must exist; `serve` then connects as it
    #[arg(long, value_name = "ROLE", conflicts_with = "check")]
    app_role: Option<RoleName>,
    #[command(flatten)]
    flags: Flags<DatabaseFlags>,
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
    let before = db.schema_status().await?;
    let pending = args.check && before.fit() == SchemaFit::Outdated;
    let to = if pending {
        before.known
    } else if args.check {
        before.require_usable()?;
        before.found
    } else {
        db.migrate().await?;
        if let Some(role) = &args.app_role {
            grant(&db, role).await?;
        }
        db.schema_status().await?.found
    };
    db.close().await;

    let (from, known) = (before.found, before.known);
    match context.printer.output {
        Output::Json => context
            .printer
            .json(&json!({"from": from, "to": to, "pending": pending})),
        Output::Table if pending => context.printer.data(&format!(
            "pending: schema version {from}, this binary needs {to}"
        )),
        Output::Table if from > known => context.printer.data(&format!(
            "up to date: schema version {from}, newer than this binary's {known} and compatible with it"
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

async fn grant(db: &Db, role: &RoleName) -> Result<(), Failure> {
    db.grant_application(role).await.map_err(|error| {
        Failure::caused(
            Exit::Failed,
            format!("cannot give rights to {role}"),
            &error,
        )
        .hint("the role must exist; make it with `CREATE ROLE ... LOGIN` as an administrator")
    })
}
