//! What is listed of a snapshot.

use wire::configuration::SnapshotView;

use crate::fields::{List, seconds, text, yes_or_no};

pub(super) const LIST: List<SnapshotView> = List {
    columns: &[
        ("ID", |snapshot| text(&snapshot.id)),
        ("START", |snapshot| text(yes_or_no(snapshot.is_default))),
        ("CREATED", |snapshot| Some(seconds(snapshot.created_at))),
        ("BYTES", |snapshot| text(&snapshot.byte_size)),
        ("LAYERS", |snapshot| text(&snapshot.depth)),
        ("SESSION", |snapshot| text(&snapshot.session_id)),
    ],
    none: "no snapshots",
};
