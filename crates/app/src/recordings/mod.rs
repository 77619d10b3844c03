//! Recordings: their pieces come in here. Opening and closing one is a tool
//! (`builtin/dictation.rs`), so that policy decides about it.

mod put_chunk;

pub use put_chunk::{ChunkStored, put_chunk};
