//! How a call ended: as lines, as JSON, and as an exit code.

use domain::run::RunErrorCode;
use wire::contract::{ArtifactRef, ToolCallAnswer, ToolCallOutcome};

use crate::{
    context::Context,
    exit::Exit,
    fields::{Record, optional, text},
    printer::{Output, Tone},
};

const RECORD: Record<ToolCallAnswer> = Record {
    facts: &[
        ("run", |answer| optional(answer.run_id.as_ref())),
        ("reason", |answer| answer.outcome_reason.clone()),
        ("error", |answer| text(&answer.error.as_ref()?.error_code)),
        ("message", |answer| text(&answer.error.as_ref()?.message)),
        ("try again", |answer| {
            text(if answer.error.as_ref()?.retryable {
                "may help"
            } else {
                "does not help"
            })
        }),
    ],
    repeated: &[("output", outputs)],
};

pub(super) fn print(context: &Context, answer: &ToolCallAnswer) {
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(answer);
        return;
    }
    let (word, tone) = match answer.outcome {
        ToolCallOutcome::Allow => ("allow", Tone::Plain),
        ToolCallOutcome::Deny => ("deny", Tone::Bad),
        ToolCallOutcome::Success => ("success", Tone::Good),
        ToolCallOutcome::Failure => ("failure", Tone::Bad),
    };
    let mut lines = vec![format!("outcome        {}", printer.paint(word, tone))];
    lines.extend(RECORD.lines(answer));
    printer.data(&lines.join("\n"));
    if let Some(hint) = hint(answer) {
        printer.note(&format!("\nhint: {hint}"));
    }
}

fn outputs(answer: &ToolCallAnswer) -> Vec<String> {
    let line = |one: &ArtifactRef| {
        let (id, kind) = (one.artifact_id, &one.artifact_kind);
        let (media_type, size) = (&one.content_type, one.byte_size);
        format!("{id}  {kind}, {media_type}, {size} bytes")
    };
    answer.output_artifacts.iter().map(line).collect()
}

fn hint(answer: &ToolCallAnswer) -> Option<String> {
    let id = answer.run_id?;
    match answer.outcome {
        ToolCallOutcome::Allow => Some(format!(
            "it is under way; `proliferate run show {id} --wait` waits for its end"
        )),
        ToolCallOutcome::Deny => Some(format!(
            "`proliferate policy why {id}` says more, on the gateway's machine"
        )),
        ToolCallOutcome::Success | ToolCallOutcome::Failure => None,
    }
}

/// A denial has a code of its own: repeating the call changes nothing, changing the policy might.
pub(super) fn exit(answer: &ToolCallAnswer) -> Exit {
    let code = answer.error.as_ref().map(|error| error.error_code.parse());
    match (answer.outcome, code) {
        (ToolCallOutcome::Allow | ToolCallOutcome::Success, _) => Exit::Ok,
        (ToolCallOutcome::Deny, _) => Exit::PolicyDenied,
        (ToolCallOutcome::Failure, Some(Ok(RunErrorCode::InvalidRequest))) => Exit::Usage,
        (ToolCallOutcome::Failure, Some(Ok(RunErrorCode::DependencyDown))) => Exit::Unavailable,
        (ToolCallOutcome::Failure, _) => Exit::Failed,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_outcome_has_its_exit_code() {
        for (outcome, code, expected) in [
            ("success", None, Exit::Ok),
            ("allow", None, Exit::Ok),
            ("deny", Some("POLICY_DENIED"), Exit::PolicyDenied),
            ("failure", Some("INVALID_REQUEST"), Exit::Usage),
            ("failure", Some("DEPENDENCY_DOWN"), Exit::Unavailable),
            ("failure", Some("TOOL_TIMEOUT"), Exit::Failed),
            ("failure", Some("TOOL_ERROR"), Exit::Failed),
            ("failure", Some("OF_A_LATER_VERSION"), Exit::Failed),
        ] {
            let error =
                code.map(|code| json!({"error_code": code, "message": "no", "retryable": false}));
            let answer: ToolCallAnswer = serde_json::from_value(json!({
                "outcome": outcome,
                "output_artifacts": [],
                "error": error,
            }))
            .unwrap();
            assert_eq!(exit(&answer), expected, "{outcome} {code:?}");
        }
    }
}
