//! What sandboxes stand on: templates and layers, which are trees under their digests and never change, and
//! snapshots, which are lists of layers.
//!
//! INVARIANT: everything under its final name is whole. It was written under another one, read back and
//! compared, flushed to the disk, and renamed. What a killed process leaves is in `tmp`, which is never read.

mod bounds;
mod collect;
mod compact;
mod content;
mod directory;
mod directory_entry;
mod layer;
mod manifest;
mod snapshot;
mod template;
mod tree;

pub(super) use self::{directory::Store, layer::StagedLayer, snapshot::HomeBase};
