//! Asks other instances, by name, through coordination. The lease decides as always: the instance that acquires it first
//! owns the session, asked or not.

use app::App;
use bytes::Bytes;
use domain::{
    id::{InstanceId, OrganizationId, SessionId},
    lease::{LeaseKey, Topic},
    limits::{HAND_OVER_ASK_AGAIN, HAND_OVER_LOOK_EVERY, HAND_OVER_TRIES},
};
use tokio::time::{sleep, timeout};

use super::{directory::PeerDirectory, message::PeerMessage};

/// The instance that is asked to take a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HandoffTarget {
    pub(crate) instance_id: InstanceId,
    /// The agent runs or is needed: the new owner connects to it at once.
    pub(crate) wants_agent: bool,
}

/// Sends requests to other instances.
#[derive(Debug, Clone)]
pub(crate) struct PeerClient {
    app: App,
}

impl PeerClient {
    pub(crate) fn new(app: App) -> Self {
        Self { app }
    }

    /// Asks the instance that owns a session to resume it. Returns whether the request could be sent.
    pub(crate) async fn ask_to_resume(&self, to: InstanceId, id: SessionId) -> bool {
        let session_id = id.to_string();
        self.send(to, &PeerMessage::Resume { session_id }).await
    }

    /// Asks an instance to take a session whose lease was released, and waits until one has it. Asks another instance when
    /// the first takes too long.
    pub(crate) async fn hand_over(
        &self,
        target: HandoffTarget,
        organization_id: &OrganizationId,
        id: SessionId,
    ) {
        let message = PeerMessage::Adopt {
            organization_id: organization_id.to_string(),
            session_id: id.to_string(),
            wants_agent: target.wants_agent,
        };
        let mut next = target.instance_id;
        for _ in 0..HAND_OVER_TRIES {
            if !self.send(next, &message).await || self.wait_for_owner(id).await {
                return;
            }
            let others = PeerDirectory::load(&self.app).await.without(next);
            // The only one may just be slow.
            next = others.assign_session(self.app.instance.id).unwrap_or(next);
        }
        tracing::warn!(session_id = %id, "no instance took a session that was handed over; the next caller opens it");
    }

    async fn send(&self, to: InstanceId, message: &PeerMessage) -> bool {
        let Ok(text) = serde_json::to_vec(message) else {
            return false;
        };
        let coordination = &self.app.coordination;
        let sent = coordination.publish(Topic::Instance(to), Bytes::from(text));
        sent.await.is_ok()
    }

    /// Waits until an instance holds the session's lease. Returns false if that takes too long.
    async fn wait_for_owner(&self, id: SessionId) -> bool {
        let owned = async {
            // While coordination does not answer there is nothing to wait for.
            while let Ok(None) = self.app.coordination.owner(LeaseKey::Owner(id)).await {
                sleep(HAND_OVER_LOOK_EVERY).await;
            }
        };
        timeout(HAND_OVER_ASK_AGAIN, owned).await.is_ok()
    }
}
