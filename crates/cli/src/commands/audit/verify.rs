//! `proliferate audit verify`: offline, with the file and the public key alone.

use std::{
    fs::{self, File},
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use app::audit::verify::{Error, Fault, Progress, Report, VerifierKey, verify};
use serde_json::json;

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::{Output, printable},
};

/// Check that an exported audit log is whole, unchanged and signed.
///
/// Needs no settings, no database and no network. Exits 1 and names the first bad record when it is not.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The exported log
    #[arg(long, value_name = "FILE")]
    bundle: PathBuf,
    /// The public key, as `audit key` shows it
    #[arg(long, value_name = "KEY", required_unless_present = "key_file")]
    key: Option<VerifierKey>,
    /// File with the public key
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    key_file: Option<PathBuf>,
}

pub(super) fn run(context: &Context, args: Args) -> Outcome {
    let key = key(args.key, args.key_file.as_deref())?;
    let file = File::open(&args.bundle).map_err(|error| unreadable(&args.bundle, &error))?;
    let progress = |Progress { records, size }: Progress| {
        let note = format!("{records} of {size} records are good so far");
        context.printer.note(&note);
    };
    match verify(BufReader::with_capacity(1 << 18, file), &key, progress) {
        Ok(report) => {
            good(context, &report);
            Ok(Exit::Ok)
        }
        Err(Error::Bad(fault)) => bad(context, &fault),
        Err(Error::Read(error)) => Err(unreadable(&args.bundle, &error)),
    }
}

fn key(given: Option<VerifierKey>, file: Option<&Path>) -> Result<VerifierKey, Failure> {
    let usage = |message: String| Failure::new(Exit::Usage, message);
    match (given, file) {
        (Some(key), _) => Ok(key),
        (None, Some(path)) => {
            let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
            let parsed = text.trim().parse::<VerifierKey>();
            parsed.map_err(|error| usage(format!("{}: {error}", path.display())))
        }
        (None, None) => Err(usage("no key is given".to_owned())),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let exit = match error.kind() {
        io::ErrorKind::NotFound => Exit::NotFound,
        _ => Exit::Failed,
    };
    Failure::caused(exit, format!("cannot read {}", path.display()), error)
}

fn good(context: &Context, report: &Report) {
    let root = report.root.iter().map(|byte| format!("{byte:02x}"));
    let root: String = root.collect();
    match context.printer.output {
        Output::Json => context.printer.json(&json!({
            "ok": true,
            "organizationId": report.organization_id,
            "records": report.size,
            "cases": report.cases,
            "sessions": report.sessions,
            "outOfTime": report.out_of_time,
            "root": root,
        })),
        Output::Table => {
            let lines = [
                format!("organization   {}", printable(&report.organization_id)),
                format!("records        {}", report.size),
                format!("cases          {}", report.cases),
                format!("sessions       {}", report.sessions),
                format!("out of time    {}", report.out_of_time),
                format!("root           {root}"),
            ];
            context.printer.data(&lines.join("\n"));
            context.printer.note("the log is whole and signed");
        }
    }
}

fn bad(context: &Context, fault: &Fault) -> Outcome {
    if context.printer.output == Output::Json {
        context.printer.json(&json!({
            "ok": false,
            "line": fault.line,
            "seq": fault.seq,
            "reason": fault.reason,
        }));
        return Ok(Exit::Failed);
    }
    let place = match fault.seq {
        Some(seq) => format!("record {seq} (line {})", fault.line),
        None => "the header (line 1)".to_owned(),
    };
    Err(Failure::new(
        Exit::Failed,
        format!("the log is not good at {place}: {}", fault.reason),
    ))
}
