//! Chunks of a recording.

use domain::recording::RecordingChunk;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A chunk of a recording that was stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordingChunkView {
    /// Its position, from 0.
    pub n: u32,
    /// The digest of its bytes, in hexadecimal.
    pub sha256: String,
    pub byte_size: u64,
    /// The same chunk existed before.
    pub already_existed: bool,
}

impl RecordingChunkView {
    pub fn new(chunk: &RecordingChunk, already_existed: bool) -> Self {
        Self {
            n: chunk.number,
            sha256: chunk.sha256.as_str().to_owned(),
            byte_size: chunk.byte_size,
            already_existed,
        }
    }
}
