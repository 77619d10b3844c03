//! What a client asks about the session's services.

use hub::house::GiveError;
use wire::live::{RunAutoStart, ServerMessage};

use super::{super::refused, answer::failed, talk::Talk};

impl Talk {
    pub(super) fn auto_start(&self, asked: RunAutoStart) -> Option<ServerMessage> {
        let (organization_id, id) = (self.insider.organization_id().clone(), self.id);
        self.answer_later(move |house| async move {
            match house.auto_start(&organization_id, id, asked).await {
                Ok(output) => ServerMessage::AutoStartOutput(output),
                Err(GiveError::App(error)) => failed(&error.into()),
                Err(GiveError::Hub(error)) => failed(&refused(error)),
            }
        })
    }
}
