//! Handing a session to an instance that was chosen: it is asked by name, through coordination, to take what is free by
//! then. The lease decides as always: whoever takes the session first has it, asked or not.

use bytes::Bytes;
use coord::Delivery;
use domain::{
    id::{InstanceId, OrganizationId, SessionId},
    lease::{LeaseKey, Topic},
    limits::{
        ADOPT_AT_ONCE, HAND_OVER_ASK_AGAIN, HAND_OVER_LOOK_EVERY, HAND_OVER_TRIES,
        HUB_NOTICES_RETRY_DELAY,
    },
};
use serde::{Deserialize, Serialize};
use tokio::time::{sleep, timeout};

use super::{House, place::Successor, runtime::SessionRuntime};

/// What instances ask of each other. One of another version that is not understood is passed over: what was asked then
/// does not happen at once, and happens by itself later.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Call {
    /// Go on with this session, which is free.
    Adopt {
        organization_id: String,
        session_id: String,
        #[serde(default)]
        wants_agent: bool,
    },
    /// The session rested for its budget, which was raised.
    GoOn { session_id: String },
}

impl House {
    /// Says whether it could be asked at all.
    pub(super) async fn ask_to_go_on(&self, to: InstanceId, id: SessionId) -> bool {
        let session_id = id.to_string();
        self.call(to, &Call::GoOn { session_id }).await
    }

    /// Asks another instance to go on with a session that was let go of, and waits until somebody does.
    pub(super) async fn hand_to(&self, to: Successor, own: &SessionRuntime) {
        let id = own.0.session_id;
        let call = Call::Adopt {
            organization_id: own.0.organization_id.to_string(),
            session_id: id.to_string(),
            wants_agent: to.wants_agent,
        };
        let mut next = to.id;
        for _ in 0..HAND_OVER_TRIES {
            if !self.call(next, &call).await || self.is_taken(id).await {
                return;
            }
            let peers = self.peers().await.without(next);
            // The only one may just be slow.
            next = peers.successor(self.0.app.instance.id).unwrap_or(next);
        }
        tracing::warn!(session_id = %id, "nobody took a session that was handed over; it goes on when somebody asks for it");
    }

    /// Says whether it could be asked at all.
    async fn call(&self, to: InstanceId, call: &Call) -> bool {
        let Ok(text) = serde_json::to_vec(call) else {
            return false;
        };
        let asked = self
            .0
            .app
            .coordination
            .publish(Topic::Instance(to), Bytes::from(text));
        asked.await.is_ok()
    }

    async fn is_taken(&self, id: SessionId) -> bool {
        let taken = async {
            // Whoever cannot be asked has nothing to wait for.
            while let Ok(None) = self.0.app.coordination.owner(LeaseKey::Owner(id)).await {
                sleep(HAND_OVER_LOOK_EVERY).await;
            }
        };
        timeout(HAND_OVER_ASK_AGAIN, taken).await.is_ok()
    }

    /// Does what other instances ask of this one.
    pub async fn answer_calls(&self) {
        let (coordination, own) = (&self.0.app.coordination, self.0.app.instance.id);
        loop {
            if let Ok(mut calls) = coordination.subscribe(Topic::Instance(own)).await {
                while let Some(delivery) = calls.recv().await {
                    // What is missing happens by itself, later.
                    if let Delivery::Message(text) = delivery {
                        self.answer(&text);
                    }
                }
            }
            sleep(HUB_NOTICES_RETRY_DELAY).await;
        }
    }

    fn answer(&self, text: &[u8]) {
        let house = self.clone();
        let (organization_id, session_id, wants_agent) = match serde_json::from_slice(text) {
            Ok(Call::Adopt {
                organization_id,
                session_id,
                wants_agent,
            }) => (organization_id, session_id, wants_agent),
            Ok(Call::GoOn { session_id }) => {
                // One that is not live here any more is found by whoever asks again.
                if let Ok(id) = session_id.parse() {
                    tokio::spawn(async move { house.go_on_here(id).await });
                }
                return;
            }
            Err(_) => {
                return tracing::warn!(
                    "another instance asks for something that is not understood"
                );
            }
        };
        let (Ok(organization_id), Ok(id)) =
            (OrganizationId::new(organization_id), session_id.parse())
        else {
            return tracing::warn!("another instance hands over a session that has no name");
        };
        tokio::spawn(async move { house.take_over(&organization_id, id, wants_agent).await });
    }

    /// Goes on with a session that was handed over. Not being able to is no error: whoever needs it asks for it.
    async fn take_over(&self, organization_id: &OrganizationId, id: SessionId, wants_agent: bool) {
        let opened = async {
            // The message says it, and is no row.
            let key = self.find_key(organization_id, id).await?;
            self.hub_in_turn(&key, Some(&self.0.taking_over)).await
        };
        match opened.await {
            Ok(handle) if wants_agent => {
                // It was at work or about to be: what fails for now is tried again. The turn is over: boots of one
                // organization that are slow would keep the sessions of others without an owner.
                let _ = handle.wake().await;
                if let Err(error) = handle.ensure_ready().await {
                    tracing::info!(%error, session_id = %id, "the agent of a session that was handed over is not there");
                }
            }
            Ok(_) => {}
            Err(error) => {
                tracing::info!(%error, session_id = %id, "a session that was handed over is not taken");
            }
        }
    }
}

/// Of a house.
pub(super) fn takers() -> tokio::sync::Semaphore {
    tokio::sync::Semaphore::new(ADOPT_AT_ONCE)
}
