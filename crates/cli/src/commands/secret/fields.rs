//! What is listed and shown of a secret, which is never its value.

use domain::secret::SecretScopeKind;
use wire::secret::{SecretCheck, SecretView};

use crate::fields::{List, Record, seconds, text, yes_or_no};

pub(super) const LIST: List<SecretView> = List {
    columns: &[
        ("ID", |secret| text(&secret.id)),
        ("SCOPE", scope),
        ("CHANGED", |secret| Some(seconds(secret.updated_at))),
        ("KEY", |secret| text(&secret.key)),
        ("DESCRIPTION", |secret| secret.description.clone()),
    ],
    none: "no secrets",
};

pub(super) const RECORD: Record<SecretView> = Record {
    facts: &[
        ("id", |secret| text(&secret.id)),
        ("key", |secret| text(&secret.key)),
        ("scope", scope),
        ("of", |secret| secret.scope.id.clone()),
        ("description", |secret| secret.description.clone()),
        ("created by", |secret| secret.created_by.clone()),
        ("created", |secret| Some(seconds(secret.created_at))),
        ("changed", |secret| Some(seconds(secret.updated_at))),
    ],
    repeated: &[],
};

pub(super) const CHECKED: List<SecretCheck> = List {
    columns: &[
        ("EXISTS", |check| text(yes_or_no(check.exists))),
        ("KEY", |check| text(&check.key)),
    ],
    none: "no keys",
};

fn scope(secret: &SecretView) -> Option<String> {
    text(&SecretScopeKind::from(secret.scope.kind))
}
