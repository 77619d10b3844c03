//! What is listed and shown of a case.

use wire::case::{CaseDetail, CaseView};

use crate::fields::{List, Record, joined, seconds, text};

pub(super) const LIST: List<CaseView> = List {
    columns: &[
        ("ID", |case| text(&case.id)),
        ("CREATED", |case| Some(seconds(case.created_at))),
        ("TITLE", |case| case.title.clone()),
    ],
    none: "no cases",
};

pub(super) const RECORD: Record<CaseDetail> = Record {
    facts: &[
        ("id", |it| text(&it.case.id)),
        ("title", |it| it.case.title.clone()),
        ("organization", |it| text(&it.case.organization_id)),
        ("created", |it| Some(seconds(it.case.created_at))),
        ("members", |it| joined(&it.members)),
        ("meetings", |it| joined(&it.client_sessions)),
    ],
    repeated: &[],
};
