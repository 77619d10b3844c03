//! What is listed and shown of an invocation.

use domain::action::{InvocationStatus, Risk};
use wire::action::{ActionStatus, AuthorityKind, InboxEntry, InvocationView};

use crate::fields::{List, Record, joined, optional, seconds, text};

/// The invocations of one session.
pub(super) const OF_SESSION: List<InvocationView> = List {
    columns: &[
        ("ID", |call| text(&call.id)),
        ("STATUS", |call| text(&status(call))),
        ("RISK", |call| text(&risk(call))),
        ("CREATED", |call| Some(seconds(call.created_at))),
        ("ACTION", |call| Some(name(call))),
    ],
    none: "no actions",
};

/// The invocations of all sessions.
pub(super) const INBOX: List<InboxEntry> = List {
    columns: &[
        ("ID", |entry| text(&entry.invocation.id)),
        ("STATUS", |entry| text(&status(&entry.invocation))),
        ("RISK", |entry| text(&risk(&entry.invocation))),
        ("CREATED", |entry| {
            Some(seconds(entry.invocation.created_at))
        }),
        ("ACTION", |entry| Some(name(&entry.invocation))),
        ("SESSION", |entry| entry.session_title.clone()),
    ],
    none: OF_SESSION.none,
};

pub(super) const RECORD: Record<InvocationView> = Record {
    facts: &[
        ("id", |call| text(&call.id)),
        ("action", |call| Some(name(call))),
        ("risk", |call| text(&risk(call))),
        ("status", |call| text(&status(call))),
        ("session", |call| text(&call.session_id)),
        ("run", |call| text(&call.run_id)),
        ("created", |call| Some(seconds(call.created_at))),
        ("expires", |call| call.expires_at.map(seconds)),
        ("params", |call| text(&call.params)),
        ("left out", |call| {
            (is_pending(call) && !call.params_complete)
                .then(|| "parts of the parameters: `--whole` opens all of them".to_owned())
        }),
        ("digest", |call| {
            is_pending(call).then(|| call.call_sha256.clone())
        }),
        ("asked again", |call| joined(&call.returned_because)),
        ("waits because", |call| {
            let grant = call.suspended_grant.as_ref()?;
            let (id, why) = (grant.grant_id, &grant.message);
            Some(format!("grant {id} does not cover it: {why}"))
        }),
        ("allowed by", authority),
        ("decided by", |call| call.approved_by.clone()),
        ("ended", |call| call.completed_at.map(seconds)),
        ("error", |call| call.error.clone()),
        ("outcome", |call| {
            call.outcome_unknown
                .then(|| "unknown: it may have happened".to_owned())
        }),
        ("result", |call| optional(call.result.as_ref())),
        ("whole result", |call| {
            optional(call.result_artifact_id.as_ref())
        }),
    ],
    repeated: &[],
};

pub(super) fn status(call: &InvocationView) -> InvocationStatus {
    call.status.into()
}

pub(super) fn risk(call: &InvocationView) -> Risk {
    call.risk_level.into()
}

/// Both names, as one word.
pub(super) fn name(call: &InvocationView) -> String {
    format!("{}/{}", call.integration, call.action)
}

fn is_pending(call: &InvocationView) -> bool {
    call.status == ActionStatus::Pending
}

/// What let it run.
fn authority(call: &InvocationView) -> Option<String> {
    let authority = call.authority.as_ref()?;
    Some(match authority.kind {
        AuthorityKind::Read => "no approval: it only reads".to_owned(),
        AuthorityKind::Approval => "an approval".to_owned(),
        AuthorityKind::Grant => match authority.grant_id {
            Some(id) => format!("grant {id}"),
            None => "a grant".to_owned(),
        },
    })
}
