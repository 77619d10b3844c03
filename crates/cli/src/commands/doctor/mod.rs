//! `proliferate doctor`: looks at everything a deployment stands on and says how to fix what is
//! wrong. Changes nothing unless it is asked to clean up. Fails only for what keeps the product from working; what a later
//! step needs is a warning.

mod check;
mod files;
mod listeners;
mod models;
mod over_api;
mod programs;
mod sandboxes;
mod services;
mod tools;

use serde_json::json;

use self::check::{Check, Status};
pub(crate) use self::over_api::runner;
use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    flags::{AllFlags, Flags},
    load::{Loaded, load},
    printer::{Output, Tone, printable},
};

/// Check everything the product needs, and say how to fix it.
///
/// Exits 1 if something is broken. Takes the flags of `serve`, so that a command line can be tried.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// First remove the sandboxes of a gateway that was killed; not while one runs
    #[arg(long)]
    clean: bool,
    #[command(flatten)]
    flags: Flags<AllFlags>,
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let loaded = load(context, &args.flags.overrides)?;
    if args.clean {
        sandboxes::clean(context, &loaded).await?;
    }
    let checks = checks(context, &loaded).await;
    report(context, &checks);
    let failed = checks.iter().any(|check| check.status == Status::Fail);
    Ok(if failed { Exit::Failed } else { Exit::Ok })
}

/// Runs every check.
async fn checks(context: &Context, loaded: &Loaded) -> Vec<Check> {
    let (services, sandboxes, programs, tools) = tokio::join!(
        services::check(context, &loaded.settings),
        sandboxes::check(&loaded.settings),
        programs::check(),
        tools::check(&loaded.settings)
    );
    let mut checks = services;
    checks.push(files::secrets(loaded));
    checks.push(files::data_dir(&loaded.data_dir));
    checks.extend(files::disk(&loaded.data_dir));
    checks.push(services::clock(context));
    checks.extend(listeners::check(&loaded.settings));
    checks.push(models::check(&loaded.settings));
    checks.extend(sandboxes);
    checks.extend(programs);
    checks.extend(tools);
    checks
}

fn report(context: &Context, checks: &[Check]) {
    let printer = &context.printer;
    let count = |status| checks.iter().filter(|check| check.status == status).count();
    let (warnings, failures) = (count(Status::Warn), count(Status::Fail));
    if printer.output == Output::Json {
        printer.json(&json!({"ok": failures == 0, "checks": checks}));
        return;
    }
    for check in checks {
        let (word, tone) = match check.status {
            Status::Ok => ("ok  ", Tone::Good),
            Status::Warn => ("warn", Tone::Warning),
            Status::Fail => ("FAIL", Tone::Bad),
        };
        let word = printer.paint(word, tone);
        printer.data(&format!(
            "{word}  {:<13} {}",
            check.name,
            printable(&check.detail)
        ));
        if let Some(fix) = &check.fix {
            printer.data(&format!("{:20}how to fix: {fix}", ""));
        }
    }
    printer.note(&match (failures, warnings) {
        (0, 0) => "everything is in order".to_owned(),
        (failures, warnings) => format!("{failures} broken, {warnings} to look at"),
    });
}
