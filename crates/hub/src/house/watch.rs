//! Watching a session: all of its events in order, none twice, from a place on or from now.
//!
//! A watcher is never waited for. One that falls behind reads what it missed from the log, so that what it costs
//! is one small queue.

use std::sync::Arc;

use app::Error;
use domain::{
    id::{OrganizationId, SessionId},
    limits::{LIVE_EVENTS_PAGE_MAX, WATCH_QUEUE_MAX},
};
use tokio::sync::{broadcast::error::RecvError, mpsc};
use wire::live::{Frame, Init, LiveConfig, ServerMessage};

use super::House;
use crate::{
    log::Entry,
    session::{Attached, Handle},
};

/// A frame on its way to a client.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Its place; `None` for what is for this client only.
    pub seq: Option<u64>,
    pub text: Arc<str>,
}

impl House {
    /// The frames for a client: after a place it names, or with the conversation so far.
    pub async fn watch(
        &self,
        organization_id: &OrganizationId,
        id: SessionId,
        after: Option<u64>,
    ) -> Result<mpsc::Receiver<Sent>, Error> {
        let handle = self.session(organization_id, id).await?;
        let attached = attach(&handle, after).await?;
        let (sender, receiver) = mpsc::channel(WATCH_QUEUE_MAX);
        let watch = Watch {
            house: self.clone(),
            handle,
            organization_id: organization_id.clone(),
            id,
            seen: after.unwrap_or(attached.seq),
            sender,
        };
        tokio::spawn(watch.run(attached));
        Ok(receiver)
    }
}

async fn attach(handle: &Handle, after: Option<u64>) -> Result<Attached, Error> {
    let attached = handle.attach(after).await;
    attached.map_err(|_| Error::Busy("the session is moving; try again"))
}

struct Watch {
    house: House,
    handle: Handle,
    organization_id: OrganizationId,
    id: SessionId,
    seen: u64,
    sender: mpsc::Sender<Sent>,
}

/// The client is gone, or the session is.
struct Over;

impl Watch {
    async fn run(mut self, mut attached: Attached) {
        if let Some(messages) = attached.messages.take() {
            let init = self.init(&attached, messages);
            if self.sender.send(init).await.is_err() {
                return;
            }
        }
        loop {
            if self.follow(attached).await.is_err() {
                return;
            }
            // It fell behind: from the last place it saw.
            match attach(&self.handle, Some(self.seen)).await {
                Ok(again) => attached = again,
                Err(_) => return,
            }
        }
    }

    fn init(&self, attached: &Attached, messages: Vec<wire::live::LiveMessage>) -> Sent {
        let init = Init {
            messages,
            status: attached.status,
            seq: attached.seq,
            config: Some(LiveConfig {
                session_id: self.id.uuid(),
                org_id: self.organization_id.to_string(),
                repo_id: None,
                user_id: None,
                preview_tunnel_url: None,
            }),
            pending_approvals: Vec::new(),
            env_requests: Vec::new(),
            clients: Vec::new(),
            timeline: Vec::new(),
        };
        let frame = Frame {
            seq: None,
            message: ServerMessage::Init(Box::new(init)),
        };
        let text = serde_json::to_string(&frame).unwrap_or_default();
        Sent {
            seq: None,
            text: text.into(),
        }
    }

    /// Until the client falls behind.
    async fn follow(&mut self, attached: Attached) -> Result<(), Over> {
        if let Some((after, before)) = attached.earlier {
            self.read(after, before).await?;
        }
        for entry in attached.entries {
            self.send(&entry).await?;
        }
        let mut live = attached.live;
        loop {
            tokio::select! {
                () = self.sender.closed() => return Err(Over),
                entry = live.recv() => match entry {
                    Ok(entry) => self.send(&entry).await?,
                    Err(RecvError::Lagged(_)) => return Ok(()),
                    Err(RecvError::Closed) => return Err(Over),
                },
            }
        }
    }

    async fn read(&mut self, mut after: u64, before: u64) -> Result<(), Over> {
        while after + 1 < before {
            let page = {
                let mut conn = self.house.0.app.db.read().await.map_err(|_| Over)?;
                let (organization_id, limit) = (&self.organization_id, LIVE_EVENTS_PAGE_MAX);
                conn.session_event_list(organization_id, self.id, after, limit)
                    .await
                    .map_err(|_| Over)?
            };
            let Some(newest) = page.last() else {
                return Ok(());
            };
            after = newest.seq;
            for event in page.iter().filter(|event| event.seq < before) {
                self.send(&Entry::from(event)).await?;
            }
        }
        Ok(())
    }

    async fn send(&mut self, entry: &Entry) -> Result<(), Over> {
        if entry.seq() <= self.seen {
            return Ok(());
        }
        self.seen = entry.seq();
        let sent = Sent {
            seq: Some(entry.seq()),
            text: Arc::clone(entry.frame()),
        };
        self.sender.send(sent).await.map_err(|_| Over)
    }
}
