//! Recordings: sound that arrives in chunks and becomes one artifact. A recording is opened by a run and
//! uses the run's id: the response to a call has no field for another.

use crate::{
    audit::Sha256Hex,
    clock::Timestamp,
    id::{OrganizationId, RunId},
    policy::{CaseId, ClientSessionId},
};

crate::text_enum! {
    /// The format of the assembled chunks.
    RecordingFormat {
        Wav = "audio/wav",
        Flac = "audio/flac",
    }
}

crate::text_enum! {
    /// The word for a state.
    RecordingStatus {
        Open = "open",
        Closed = "closed",
    }
}

/// A recording in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// The run that opened it.
    pub id: RunId,
    pub organization_id: OrganizationId,
    pub case_id: CaseId,
    /// The meeting it belongs to, where the lane requires one.
    pub client_session_id: Option<ClientSessionId>,
    pub format: RecordingFormat,
    pub created_at: Timestamp,
    pub state: RecordingState,
}

/// Whether chunks are accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordingState {
    Open,
    /// By a run. If that run failed, another may close it again.
    Closed {
        by: RunId,
        at: Timestamp,
    },
}

/// A piece of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingChunk {
    /// Its place, from 0.
    pub number: u32,
    pub sha256: Sha256Hex,
    pub byte_size: u64,
}

impl Recording {
    pub const fn status(&self) -> RecordingStatus {
        match self.state {
            RecordingState::Open => RecordingStatus::Open,
            RecordingState::Closed { .. } => RecordingStatus::Closed,
        }
    }
}

/// The first missing number before the last chunk; chunks are in order.
pub fn first_gap(chunks: &[RecordingChunk]) -> Option<u32> {
    (0_u32..)
        .zip(chunks)
        .find_map(|(expected, chunk)| (chunk.number != expected).then_some(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_missing_piece_is_named() {
        let chunks = |numbers: &[u32]| {
            let chunk = |number: &u32| RecordingChunk {
                number: *number,
                sha256: Sha256Hex::of(b"la"),
                byte_size: 2,
            };
            numbers.iter().map(chunk).collect::<Vec<_>>()
        };
        assert_eq!(first_gap(&[]), None);
        assert_eq!(first_gap(&chunks(&[0, 1, 2])), None);
        assert_eq!(first_gap(&chunks(&[1, 2])), Some(0));
        assert_eq!(first_gap(&chunks(&[0, 1, 3, 5])), Some(2));
    }
}
