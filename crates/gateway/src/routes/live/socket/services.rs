//! What a client asks about the session's services.

use app::access::Steering;
use hub::house::GiveError;
use wire::live::{RunAutoStart, ServerMessage};

use super::{super::refused, answer::failed, talk::Talk};

impl Talk {
    pub(super) fn auto_start(
        &self,
        steering: Steering,
        asked: RunAutoStart,
    ) -> Option<ServerMessage> {
        self.answer_later(move |house| async move {
            match house.auto_start(&steering, asked).await {
                Ok(output) => ServerMessage::AutoStartOutput(output),
                Err(GiveError::App(error)) => failed(&error.into()),
                Err(GiveError::Hub(error)) => failed(&refused(error)),
            }
        })
    }
}
