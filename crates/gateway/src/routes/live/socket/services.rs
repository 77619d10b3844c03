//! Requests about the session's services.

use app::access::Steering;
use wire::live::{RunAutoStart, ServerMessage};

use super::{
    super::sandbox_call_failure, client_message::RequestedChange, message_loop::MessageLoop,
};
use crate::error::Failure;

impl MessageLoop {
    pub(super) fn auto_start(
        &self,
        steering: Steering,
        asked: RunAutoStart,
        requested: RequestedChange,
    ) -> Result<Option<ServerMessage>, Failure> {
        self.answer_later(move |hub| async move {
            match hub.inside.run_services(&steering, asked).await {
                Ok(output) => ServerMessage::AutoStartOutput(output),
                Err(error) => requested.reject(&sandbox_call_failure(error)).await,
            }
        })
    }
}
