//! Parts of a policy as JSON and as texts.

use domain::policy::{FilePin, PolicyVersions};
use serde_json::{Value, json};

pub(super) fn versions_json(versions: &PolicyVersions) -> Value {
    let pin = |pin: &FilePin| json!({"commit": pin.commit, "blob": pin.blob, "sha256": pin.sha256});
    json!({
        "lanes": pin(&versions.lanes),
        "roles": pin(&versions.roles),
        "tools": pin(&versions.tools),
    })
}

/// The texts of values, for JSON.
pub(super) fn strings<T: ToString>(names: impl IntoIterator<Item = T>) -> Vec<String> {
    names.into_iter().map(|name| name.to_string()).collect()
}
