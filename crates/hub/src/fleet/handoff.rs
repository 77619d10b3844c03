//! Does what other instances ask of this one: takes a session that was handed over, resumes one that was paused.

use coord::Delivery;
use domain::{
    id::{OrganizationId, SessionId},
    lease::Topic,
    limits::HUB_NOTICES_RETRY_DELAY,
};
use tokio::time::sleep;

use super::worker::Fleet;
use crate::{peers::PeerMessage, registry::SessionKey};

impl Fleet {
    /// Handles the messages of other instances, for ever.
    pub async fn receive_peer_messages(&self) {
        let app = self.registry.app();
        let (coordination, own) = (&app.coordination, app.instance.id);
        loop {
            if let Ok(mut messages) = coordination.subscribe(Topic::Instance(own)).await {
                while let Some(delivery) = messages.recv().await {
                    // A message that was lost asked for something that a sweep does later.
                    if let Delivery::Message(text) = delivery {
                        self.handle_peer_message(&text);
                    }
                }
            }
            sleep(HUB_NOTICES_RETRY_DELAY).await;
        }
    }

    fn handle_peer_message(&self, text: &[u8]) {
        let own = self.clone();
        let (organization_id, session_id, wants_agent) = match serde_json::from_slice(text) {
            Ok(PeerMessage::Adopt {
                organization_id,
                session_id,
                wants_agent,
            }) => (organization_id, session_id, wants_agent),
            Ok(PeerMessage::Resume { session_id }) => {
                // If it is not live here any more, the job that asks again finds its owner.
                if let Ok(id) = session_id.parse() {
                    tokio::spawn(async move { own.resume_if_live(id).await });
                }
                return;
            }
            Err(error) => {
                return tracing::warn!(%error, "cannot read the message of another instance");
            }
        };
        let (Ok(organization_id), Ok(id)) =
            (OrganizationId::new(organization_id), session_id.parse())
        else {
            return tracing::warn!("another instance hands over a session with an invalid id");
        };
        tokio::spawn(async move { own.take_over(&organization_id, id, wants_agent).await });
    }

    /// Opens a session that was handed over. A failure is no error: the next caller opens the session.
    async fn take_over(&self, organization_id: &OrganizationId, id: SessionId, wants_agent: bool) {
        let opened = async {
            // The message is not a row: the session is looked up.
            let key = SessionKey::find(self.registry.app(), organization_id, id).await?;
            let permits = Some(&*self.adoptions);
            self.registry.open_with_permit(&key, permits).await
        };
        match opened.await {
            Ok(handle) if wants_agent => {
                // The agent was at work or about to be: a boot that fails for now is retried. The permit is released by
                // now: slow boots of one organization would keep the sessions of others without an owner.
                let _ = handle.wake().await;
                if let Err(error) = handle.ensure_ready().await {
                    tracing::info!(%error, session_id = %id, "the agent of a session that was handed over is not ready");
                }
            }
            Ok(_) => {}
            Err(error) => {
                tracing::info!(%error, session_id = %id, "cannot take a session that was handed over");
            }
        }
    }
}
