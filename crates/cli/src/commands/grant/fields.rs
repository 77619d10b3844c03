//! What is listed and shown of grants, of the requests for them, and of the calls that ran under one.

use domain::action::{GrantRequestStatus, GrantScopeKind, InvocationStatus};
use wire::{
    action::InvocationView,
    grant::{BacktestEntry, GrantRequestView, GrantView, Predicate, SuspendedActionView},
};

use crate::fields::{List, Record, optional, seconds, text, yes_or_no};

/// Characters of a digest in a table.
const DIGEST_LENGTH: usize = 12;

pub(super) const LIST: List<GrantView> = List {
    columns: &[
        ("ID", |grant| text(&grant.id)),
        ("ACTION", |grant| {
            Some(name(&grant.integration, &grant.action))
        }),
        ("CALLS", |grant| Some(calls(grant))),
        ("UNTIL", end),
        ("BY", |grant| text(&grant.created_by)),
        ("SCOPE", scope),
        ("SUSPENDED", suspended),
    ],
    none: "no grants",
};

pub(super) const RECORD: Record<GrantView> = Record {
    facts: &[
        ("id", |grant| text(&grant.id)),
        ("action", |grant| {
            Some(name(&grant.integration, &grant.action))
        }),
        ("scope", scope),
        ("calls", |grant| Some(calls(grant))),
        ("only if", |grant| conditions(&grant.predicates)),
        ("given for", |grant| grant.definition_sha256.clone()),
        ("until", end),
        ("last used", |grant| grant.last_used_at.map(seconds)),
        ("by", |grant| text(&grant.created_by)),
        ("created", |grant| Some(seconds(grant.created_at))),
    ],
    repeated: &[],
};

/// The calls that ran under a grant.
pub(super) const CALLS: List<InvocationView> = List {
    columns: &[
        ("CALL", |call| text(&call.id)),
        ("STATUS", |call| text(&InvocationStatus::from(call.status))),
        ("CREATED", |call| Some(seconds(call.created_at))),
        ("ACTION", |call| Some(name(&call.integration, &call.action))),
    ],
    none: "no calls",
};

/// The actions that a grant names and does not cover any more.
pub(super) const SUSPENSIONS: List<SuspendedActionView> = List {
    columns: &[
        ("SUSPENDED FOR", |one| {
            Some(name(&one.integration, &one.action))
        }),
        ("GIVEN FOR", |one| {
            one.given_for_sha256.as_deref().map(short_digest)
        }),
        ("NOW", |one| Some(short_digest(&one.now_sha256))),
        ("BECAUSE", |one| text(&one.message)),
    ],
    none: "",
};

/// The past calls that a grant would have been asked about.
pub(super) const BACKTEST: List<BacktestEntry> = List {
    columns: &[
        ("CALL", |call| text(&call.invocation_id)),
        ("ALLOWED", |call| text(yes_or_no(call.allowed))),
        ("CREATED", |call| Some(seconds(call.at))),
        ("ACTION", |call| Some(name(&call.integration, &call.action))),
        ("REASON", |call| text(&call.reason)),
    ],
    none: "no calls in the last 30 days",
};

pub(super) const REQUESTS: List<GrantRequestView> = List {
    columns: &[
        ("ID", |request| text(&request.id)),
        ("STATUS", |request| {
            text(&GrantRequestStatus::from(request.status))
        }),
        ("ACTION", |request| {
            Some(name(&request.integration, &request.action))
        }),
        ("CALLS", |request| optional(request.max_calls.as_ref())),
        ("SCOPE", |request| {
            text(&GrantScopeKind::from(request.scope))
        }),
        ("CREATED", |request| Some(seconds(request.created_at))),
        ("SESSION", |request| text(&request.session_id)),
    ],
    none: "no grant requests",
};

/// The session whose calls it covers, or that it covers those of the whole organization.
fn scope(grant: &GrantView) -> Option<String> {
    let session = grant.session_id.map(|id| id.to_string());
    session.or_else(|| text(&GrantScopeKind::from(grant.scope)))
}

fn name(integration: &str, action: &str) -> String {
    format!("{integration}/{action}")
}

/// Used calls of how many.
fn calls(grant: &GrantView) -> String {
    match grant.max_calls {
        None => grant.used_calls.to_string(),
        Some(max) => format!("{}/{max}", grant.used_calls),
    }
}

/// From when on it does not count any more, and why.
fn end(grant: &GrantView) -> Option<String> {
    let revoked = grant
        .revoked_at
        .map(|at| format!("revoked {}", seconds(at)));
    revoked.or_else(|| grant.expires_at.map(seconds))
}

fn conditions(predicates: &[Predicate]) -> Option<String> {
    // Our own shapes: they can be written.
    let one = |predicate| serde_json::to_string(predicate).unwrap_or_default();
    let all: Vec<String> = predicates.iter().map(one).collect();
    (!all.is_empty()).then(|| all.join(" and "))
}

/// How many of the actions that it names it does not cover, because they changed since it was given.
fn suspended(grant: &GrantView) -> Option<String> {
    match (grant.suspended.len(), grant.suspended_truncated) {
        (0, false) => None,
        (0, true) => Some("not all looked at".to_owned()),
        (1, false) => Some("for 1 action".to_owned()),
        (count, false) => Some(format!("for {count} actions")),
        (count, true) => Some(format!("for more than {count}")),
    }
}

fn short_digest(digest: &str) -> String {
    digest.chars().take(DIGEST_LENGTH).collect()
}
