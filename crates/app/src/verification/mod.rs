//! Evidence that agents hand in with `verify`: files under their digests, and a list that names them.
//!
//! A file is called `sessions/SESSION/verification/SECONDS/PATH`. The list of one call is an artifact of its run, so
//! that the run's record proves every file; a name is looked up in the lists of the session it belongs to and is
//! good for nothing else.

mod manifest;
mod media;
mod read;

pub use manifest::{Manifest, ManifestFile, keep_file, next_prefix};
pub use media::is_shown_in_place;
pub use read::{EvidenceFile, content, list};
