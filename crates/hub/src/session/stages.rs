//! Reports the stages of a boot or a move to the loop of the session.

use tokio::sync::mpsc;
use wire::live::{BootStage, LiveStatus, ServerMessage, StatusUpdate};

use super::input::Input;

/// Reports what a boot or a move does.
#[derive(Debug, Clone)]
pub struct BootStages {
    /// The generation of the boot; `None` for a move.
    generation: Option<u64>,
    /// The status of the session meanwhile.
    status: LiveStatus,
    inbox: mpsc::Sender<Input>,
}

impl BootStages {
    pub(super) fn of_boot(generation: u64, inbox: mpsc::Sender<Input>) -> Self {
        Self {
            generation: Some(generation),
            status: LiveStatus::Resuming,
            inbox,
        }
    }

    pub(super) fn of_move(inbox: mpsc::Sender<Input>) -> Self {
        Self {
            generation: None,
            status: LiveStatus::Migrating,
            inbox,
        }
    }

    /// Reports that a stage begins.
    pub async fn begin(&self, stage: BootStage) {
        // A hub that has ended does not receive it.
        let _ = self.inbox.send(Input::Stage(self.generation, stage)).await;
    }

    /// Tells all clients something about the boot.
    pub async fn note(&self, message: String) {
        let status = StatusUpdate {
            status: self.status,
            message: Some(message),
            is_idle: false,
        };
        let input = Input::Publish(Box::new(ServerMessage::Status(status)));
        let _ = self.inbox.send(input).await;
    }
}
