//! What is listed and shown of automations and their runs.

use domain::automation_run::AutomationRunStatus;
use wire::automation::{AutomationRunView, AutomationView};

use crate::fields::{List, Record, joined, optional, seconds, text, yes_or_no};

pub(super) const LIST: List<AutomationView> = List {
    columns: &[
        ("ID", |automation| text(&automation.id)),
        ("ENABLED", |automation| text(yes_or_no(automation.enabled))),
        ("MODEL", |automation| text(&automation.model_id)),
        ("CREATED", |automation| Some(seconds(automation.created_at))),
        ("NAME", |automation| text(&automation.name)),
    ],
    none: "no automations",
};

pub(super) const RECORD: Record<AutomationView> = Record {
    facts: &[
        ("id", |automation| text(&automation.id)),
        ("name", |automation| text(&automation.name)),
        ("description", |automation| automation.description.clone()),
        ("enabled", |automation| text(yes_or_no(automation.enabled))),
        ("model", |automation| text(&automation.model_id)),
        ("configuration", |automation| {
            optional(automation.default_configuration_id.as_ref())
        }),
        ("created by", |automation| automation.created_by.clone()),
        ("created", |automation| Some(seconds(automation.created_at))),
        ("changed", |automation| Some(seconds(automation.updated_at))),
        ("instructions", |automation| {
            text(&automation.agent_instructions)
        }),
    ],
    repeated: &[],
};

pub(super) const RUNS: List<AutomationRunView> = List {
    columns: &[
        ("ID", |run| text(&run.id)),
        ("STATUS", |run| text(&status(run))),
        ("STARTED", |run| Some(seconds(run.created_at))),
        ("ENDED", |run| run.completed_at.map(seconds)),
        ("SESSION", |run| text(&run.session_id)),
        ("REASON", |run| run.status_reason.clone()),
    ],
    none: "no runs",
};

pub(super) const RUN_RECORD: Record<AutomationRunView> = Record {
    facts: &[
        ("id", |run| text(&run.id)),
        ("automation", |run| text(&run.automation_id)),
        ("session", |run| text(&run.session_id)),
        ("status", |run| text(&status(run))),
        ("reason", |run| run.status_reason.clone()),
        ("summary", |run| {
            run.completion.as_ref()?.summary_markdown.clone()
        }),
        ("citations", |run| {
            joined(&run.completion.as_ref()?.citations)
        }),
        ("diff", |run| run.completion.as_ref()?.diff_ref.clone()),
        ("tests", |run| {
            run.completion.as_ref()?.test_report_ref.clone()
        }),
        ("effects", |run| {
            joined(&run.completion.as_ref()?.side_effect_refs)
        }),
        ("created by", |run| run.created_by.clone()),
        ("started", |run| Some(seconds(run.created_at))),
        ("given up", |run| run.deadline_at.map(seconds)),
        ("ended", |run| run.completed_at.map(seconds)),
    ],
    repeated: &[],
};

pub(super) fn status(run: &AutomationRunView) -> AutomationRunStatus {
    run.status.into()
}
