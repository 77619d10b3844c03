//! The room for what is read of each session's sandbox. Whichever request reads it, also of a session that is not open here,
//! takes from the same room.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError, Weak},
};

use domain::id::SessionId;
use tokio::sync::Semaphore;

use crate::opencode::Inflight;

/// Rooms that are in use, by session.
#[derive(Debug, Default)]
pub(super) struct SandboxRooms(Mutex<HashMap<SessionId, Weak<Semaphore>>>);

impl SandboxRooms {
    pub(super) fn of(&self, id: SessionId) -> Inflight {
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = rooms.get(&id).and_then(Inflight::upgrade) {
            return room;
        }
        rooms.retain(|_, room| room.strong_count() > 0);
        let room = Inflight::default();
        rooms.insert(id, room.downgrade());
        room
    }
}
