//! What is listed and shown of a session.

use domain::{
    session::{ClientType, SessionStatus, SessionType},
    sharing::Visibility,
};
use wire::session::{SessionDetail, SessionView};

use crate::fields::{List, Record, joined, optional, seconds, text};

pub(super) const LIST: List<SessionView> = List {
    columns: &[
        ("ID", |session| text(&session.id)),
        ("STATUS", |session| text(&status(session))),
        ("TYPE", |session| {
            text(&SessionType::from(session.session_type))
        }),
        ("CREATED", |session| Some(seconds(session.created_at))),
        ("TITLE", |session| session.title.clone()),
    ],
    none: "no sessions",
};

pub(super) const RECORD: Record<SessionDetail> = Record {
    facts: &[
        ("id", |it| text(&it.session.id)),
        ("status", |it| text(&status(&it.session))),
        ("reason", |it| it.session.reason.clone()),
        ("title", |it| it.session.title.clone()),
        ("type", |it| {
            text(&SessionType::from(it.session.session_type))
        }),
        ("visibility", |it| {
            text(&Visibility::from(it.session.visibility))
        }),
        ("client", |it| {
            text(&ClientType::from(it.session.client_type))
        }),
        ("model", |it| text(&it.session.agent_config.model_id)),
        ("organization", |it| text(&it.session.organization_id)),
        ("created by", |it| it.session.created_by.clone()),
        ("configuration", |it| {
            optional(it.session.configuration_id.as_ref())
        }),
        ("snapshot", |it| it.session.snapshot_id.clone()),
        ("integrations", |it| joined(&it.integration_ids)),
        ("created", |it| Some(seconds(it.session.created_at))),
        ("started", |it| it.session.started_at.map(seconds)),
        ("paused", |it| it.session.paused_at.map(seconds)),
        ("ended", |it| it.session.ended_at.map(seconds)),
        ("prompt", |it| it.session.initial_prompt.clone()),
    ],
    repeated: &[("left out", left_out)],
};

pub(super) fn status(session: &SessionView) -> SessionStatus {
    session.status.into()
}

/// Integrations that the session does without, and why.
fn left_out(detail: &SessionDetail) -> Vec<String> {
    let warnings = detail.integration_warnings.iter();
    let warnings = warnings.map(|it| format!("{}: {}", it.integration_id, it.message));
    warnings.collect()
}
