//! `proliferate audit verify`: offline, with the file and the public key alone.

use std::{
    fs::{self, File},
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use app::audit::verify::{
    BundleFault, Checkpoint, Error, Progress, TrustAnchor, VerificationReport, VerifierKey, open,
    verify,
};
use serde_json::json;

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    fields::{Record, text},
    printer::{Output, printable},
};

/// Check that an exported audit log, or the trail of a case or session, is whole, unchanged and signed.
///
/// Needs no settings, no database and no network. Exits 1 and names the first bad record when it is not.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The exported log or trail
    #[arg(long, value_name = "FILE")]
    bundle: PathBuf,
    /// The public key, as `audit key` shows it
    #[arg(long, value_name = "KEY", required_unless_present = "key_file")]
    key: Option<VerifierKey>,
    /// File with the public key
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    key_file: Option<PathBuf>,
    /// A checkpoint that was kept from before: the log must be its continuation
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

pub(super) fn run(context: &Context, args: Args) -> Outcome {
    let key = key(args.key, args.key_file.as_deref())?;
    let from = { args.from.as_deref() }.map(|path| kept(path, &key));
    let trust = TrustAnchor {
        key,
        from: from.transpose()?,
    };
    checked(context, &args.bundle, &trust)
}

/// Checks a trail with a key that is known.
pub(super) fn check(context: &Context, bundle: &Path, key: VerifierKey) -> Outcome {
    checked(context, bundle, &TrustAnchor { key, from: None })
}

fn checked(context: &Context, bundle: &Path, trust: &TrustAnchor) -> Outcome {
    let file = File::open(bundle).map_err(|error| unreadable(bundle, &error))?;
    let progress = |Progress { records, size }: Progress| {
        let note = format!("{records} of {size} records are good so far");
        context.printer.note(&note);
    };
    match verify(BufReader::with_capacity(1 << 18, file), trust, progress) {
        Ok(report) => {
            good(context, &report);
            Ok(Exit::Ok)
        }
        Err(Error::Bad(fault)) => bad(context, &fault),
        Err(Error::Read(error)) => Err(unreadable(bundle, &error)),
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

/// A checkpoint as `audit checkpoint` writes it.
fn kept(path: &Path, key: &VerifierKey) -> Result<Checkpoint, Failure> {
    let note = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    let refused = |error| Failure::new(Exit::Usage, format!("{}: {error}", path.display()));
    open(&note, key).map_err(refused)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let exit = match error.kind() {
        io::ErrorKind::NotFound => Exit::NotFound,
        _ => Exit::Failed,
    };
    Failure::caused(exit, format!("cannot read {}", path.display()), error)
}

const RECORD: Record<VerificationReport> = Record {
    facts: &[
        ("organization", |report| text(&report.organization_id)),
        ("scope", |report| text(&report.scope)),
        ("records", |report| text(&report.records)),
        ("cases", |report| {
            is_log(report).then(|| report.cases.to_string())
        }),
        ("sessions", |report| {
            is_log(report).then(|| report.sessions.to_string())
        }),
        ("policy files", |report| {
            let (there, missing) = (report.policy_files, report.policy_files_missing);
            (!is_log(report)).then(|| format!("{there}, {missing} missing"))
        }),
        ("artifacts", |report| {
            let (there, contents) = (report.artifacts, report.artifact_contents);
            let missing = report.artifacts_missing;
            (!is_log(report)).then(|| format!("{there}, {contents} with bytes, {missing} missing"))
        }),
        ("out of time", |report| text(&report.out_of_time)),
        ("checkpoints", |report| text(&report.checkpoints)),
        ("root", |report| Some(root(report))),
    ],
    repeated: &[],
};

/// Of a log, cases and sessions are counted; of a trail, what its records refer to.
fn is_log(report: &VerificationReport) -> bool {
    report.scope == "log"
}

fn root(report: &VerificationReport) -> String {
    let root = report.root.iter().map(|byte| format!("{byte:02x}"));
    root.collect()
}

fn good(context: &Context, report: &VerificationReport) {
    if context.printer.output == Output::Json {
        context.printer.json(&json!({
            "ok": true,
            "organizationId": report.organization_id,
            "scope": report.scope,
            "records": report.records,
            "size": report.size,
            "cases": report.cases,
            "sessions": report.sessions,
            "outOfTime": report.out_of_time,
            "checkpoints": report.checkpoints,
            "policyFiles": report.policy_files,
            "policyFilesMissing": report.policy_files_missing,
            "artifacts": report.artifacts,
            "artifactContents": report.artifact_contents,
            "artifactsMissing": report.artifacts_missing,
            "root": root(report),
        }));
        return;
    }
    context.printer.data(&RECORD.text(report));
    let what = if is_log(report) { "log" } else { "trail" };
    context
        .printer
        .note(&format!("the {what} is whole and signed"));
}

fn bad(context: &Context, fault: &BundleFault) -> Outcome {
    if context.printer.output == Output::Json {
        context.printer.json(&json!({
            "ok": false,
            "line": fault.line,
            "seq": fault.seq,
            "eventId": fault.event_id,
            "reason": fault.reason,
        }));
        return Ok(Exit::Failed);
    }
    let place = match (fault.seq, &fault.event_id, fault.line) {
        (Some(seq), Some(id), line) => {
            format!("record {seq} (line {line}, event {})", printable(id))
        }
        (Some(seq), None, line) => format!("record {seq} (line {line})"),
        (None, _, 1) => "the header (line 1)".to_owned(),
        (None, _, line) => format!("line {line}"),
    };
    Err(Failure::new(
        Exit::Failed,
        format!("it is not good at {place}: {}", fault.reason),
    ))
}
