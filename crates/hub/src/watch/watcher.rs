//! The task of one watching client.
//!
//! The session never waits for a client. What the client has not read waits in its queue, within a bound; what is beyond is
//! read from the log later. For a client that cannot keep up, the pieces of texts are left out, and the text so far is sent
//! instead; one that reads nothing is disconnected.

use std::sync::Arc;

use app::{
    Error,
    access::{SessionAccess, Steering},
    notices,
};
use domain::{
    id::{OrganizationId, SessionId},
    limits::{LIVE_EVENTS_PAGE_MAX, WATCH_LOOK_EVERY, WATCH_QUEUE_MAX, WATCH_SLOW_MAX},
};
use serde_json::Value;
use tokio::{
    sync::{
        broadcast::{self, error::RecvError},
        mpsc,
    },
    time::sleep,
};
use tokio_util::sync::CancellationToken;
use wire::{
    live::{Init, LiveConfig, Presence, ServerMessage},
    notice::ActionApprovalRequest,
};

use super::queue::{ClientFrame, ClientQueue};
use crate::{
    log::{LogEntry, gap_between},
    registry::{Registry, SessionEntry, SessionKey},
    session::{
        Broadcast, ClientConnection, Handle, HubError, SessionView, StatusReport, StreamAttachment,
        unlogged_frame,
    },
};

/// Attaches clients to sessions. Clones share the registry.
#[derive(Debug, Clone)]
pub struct Watchers {
    registry: Registry,
}

/// One client's stream of a session. Dropping it disconnects the client.
#[derive(Debug)]
pub struct WatchedSession {
    /// Ends when the session is no longer live here, or when the client is too slow.
    pub frames: mpsc::Receiver<ClientFrame>,
    /// Cancelled when the client is disconnected because it reads too little.
    pub slow: CancellationToken,
    handle: Handle,
    key: SessionKey,
    restart: mpsc::Sender<()>,
}

impl WatchedSession {
    /// Requests `init` once more. Requests that are not answered yet count as one.
    pub fn request_init(&self) {
        _ = self.restart.try_send(());
    }

    /// Returns the status of the session.
    pub async fn read_status(&self) -> Result<StatusReport, HubError> {
        self.handle.read_status().await
    }

    /// Returns the hub of the watched session for a caller that may steer it.
    pub fn steer(&self, steering: &Steering) -> Result<&Handle, HubError> {
        if self.key == SessionKey::from(steering) {
            Ok(&self.handle)
        } else {
            Err(HubError::Gone)
        }
    }
}

impl Watchers {
    pub(crate) fn new(registry: Registry) -> Self {
        Self { registry }
    }

    /// Attaches a client of this user: after the event that it names, or with the conversation so far.
    pub async fn watch(
        &self,
        access: &SessionAccess,
        user_id: Option<String>,
        after: Option<u64>,
    ) -> Result<WatchedSession, Error> {
        let key = SessionKey::from(access);
        let handle = self.registry.open_by_key(&key).await?;
        let entry = self.registry.entry(&key);
        let moving = |_| Error::SessionInTransition;
        let connection = handle.join(user_id.clone()).await.map_err(moving)?;
        let attached = handle.attach(after).await.map_err(moving)?;
        let (sender, frames) = mpsc::channel(WATCH_QUEUE_MAX);
        let (restart, restarts) = mpsc::channel(1);
        let slow = CancellationToken::new();
        let watch = ClientWatch {
            registry: self.registry.clone(),
            handle: handle.clone(),
            entry,
            connection,
            organization_id: key.organization_id.clone(),
            id: key.id,
            user_id,
            sender,
            restarts,
            queue: ClientQueue::new(after.unwrap_or(attached.seq)),
            slow: slow.clone(),
        };
        tokio::spawn(watch.run(attached));
        Ok(WatchedSession {
            frames,
            slow,
            handle,
            key,
            restart,
        })
    }
}

struct ClientWatch {
    registry: Registry,
    handle: Handle,
    entry: Option<Arc<SessionEntry>>,
    connection: ClientConnection,
    organization_id: OrganizationId,
    id: SessionId,
    user_id: Option<String>,
    sender: mpsc::Sender<ClientFrame>,
    /// The client requests `init` again.
    restarts: mpsc::Receiver<()>,
    queue: ClientQueue,
    slow: CancellationToken,
}

/// The client is gone, or the session is.
struct Disconnected;

/// Why the live stream was left.
enum StreamEnd {
    /// The client is behind: attach again after the last event that it has.
    Behind,
    /// The client starts over, with the conversation.
    Restart,
    /// The session is no longer live here.
    SessionGone,
}

impl ClientWatch {
    async fn run(mut self, attached: StreamAttachment) {
        // A client that returns in the middle of a text may have a part of it in another form.
        if attached.view.is_none() {
            self.queue.hold_text(attached.seq, attached.text.clone());
        }
        // The client sees from its own side why it ended.
        _ = self.serve(attached).await;
    }

    async fn serve(&mut self, mut attached: StreamAttachment) -> Result<(), Disconnected> {
        loop {
            if let Some(view) = attached.view.take() {
                let init = self.init_frame(&attached, view).await?;
                self.queue.start_over(attached.seq, init);
            }
            if let Some((after, before)) = attached.earlier {
                self.read_log(after, before).await?;
            }
            for entry in &attached.entries {
                self.send_missed(entry).await?;
            }
            let after = match self.follow_live(&mut attached.live).await? {
                StreamEnd::Behind => Some(self.queue.seen()),
                StreamEnd::Restart => None,
                StreamEnd::SessionGone => return self.finish().await,
            };
            attached = self.handle.attach(after).await.map_err(|_| Disconnected)?;
            if after.is_some() {
                // The log does not say which clients came and went meanwhile.
                let clients = std::mem::take(&mut attached.clients);
                let presence = ServerMessage::Presence(Presence { clients });
                self.queue.push_unlogged(unlogged_frame(presence));
            }
        }
    }

    /// Sends live events until the client falls behind or starts over.
    async fn follow_live(
        &mut self,
        live: &mut broadcast::Receiver<Broadcast>,
    ) -> Result<StreamEnd, Disconnected> {
        let mut is_behind = false;
        loop {
            self.send_ready()?;
            self.queue.coarsen();
            if is_behind && self.queue.is_empty() {
                return Ok(StreamEnd::Behind);
            }
            if self.queue.wants_text(self.now()) {
                let status = self.handle.read_status().await;
                let status = status.map_err(|_| Disconnected)?;
                self.queue.resume_text(status.seq, status.text, self.now());
                continue;
            }
            if self.queue.is_too_slow(self.now()) {
                self.slow.cancel();
                return Err(Disconnected);
            }
            let (has_room, waits) = (self.queue.has_room(), self.queue.waits());
            tokio::select! {
                biased;
                () = self.sender.closed() => return Err(Disconnected),
                Some(()) = self.restarts.recv() => return Ok(StreamEnd::Restart),
                permit = self.sender.reserve(), if !self.queue.is_empty() => {
                    let permit = permit.map_err(|_| Disconnected)?;
                    if let Some(sent) = self.queue.pop() {
                        permit.send(sent);
                    }
                }
                received = live.recv(), if has_room && !is_behind => match received {
                    Ok(Broadcast::Logged(entry)) => self.queue.push(&entry),
                    Ok(Broadcast::Unlogged(text)) => self.queue.push_unlogged(text),
                    Err(RecvError::Lagged(_)) => is_behind = true,
                    Err(RecvError::Closed) => return Ok(StreamEnd::SessionGone),
                },
                () = sleep(WATCH_LOOK_EVERY), if waits => {}
            }
        }
    }

    /// Sends what the client accepts without waiting.
    fn send_ready(&mut self) -> Result<(), Disconnected> {
        while !self.queue.is_empty() {
            match self.sender.try_reserve() {
                Ok(permit) => {
                    if let Some(sent) = self.queue.pop() {
                        permit.send(sent);
                    }
                }
                Err(mpsc::error::TrySendError::Full(())) => return Ok(()),
                Err(mpsc::error::TrySendError::Closed(())) => return Err(Disconnected),
            }
        }
        Ok(())
    }

    /// Sends the rest of the queue after the session ended here.
    async fn finish(&mut self) -> Result<(), Disconnected> {
        while let Some(sent) = self.queue.pop() {
            self.sender.send(sent).await.map_err(|_| Disconnected)?;
        }
        // A client that reconnects before another instance has the session would wait there instead.
        if let Some(entry) = &self.entry {
            tokio::select! {
                biased;
                () = entry.wait_handed_over() => {}
                () = self.sender.closed() => {}
            }
        }
        Ok(())
    }

    fn now(&self) -> std::time::Duration {
        self.registry.app().clock.monotonic()
    }

    async fn init_frame(
        &self,
        attached: &StreamAttachment,
        view: SessionView,
    ) -> Result<Arc<str>, Disconnected> {
        let app = self.registry.app();
        // Read after the stream was attached: a request of since then comes as an event too.
        let pending = notices::pending(app, &self.organization_id, self.id).await;
        let pending = pending.map_err(|error| {
            tracing::warn!(%error, session_id = %self.id, "cannot read the pending approvals of a session");
            Disconnected
        })?;
        let init = Init {
            messages: view.messages,
            status: attached.status,
            seq: attached.seq,
            config: Some(LiveConfig {
                session_id: self.id.uuid(),
                org_id: self.organization_id.to_string(),
                connection_id: self.connection.connection_id.clone(),
                repo_id: None,
                user_id: self.user_id.clone(),
                preview_tunnel_url: None,
            }),
            pending_approvals: pending.into_iter().filter_map(approval_request).collect(),
            env_requests: view.env_requests,
            clients: attached.clients.clone(),
            timeline: view.timeline,
        };
        Ok(unlogged_frame(ServerMessage::Init(Box::new(init))))
    }

    /// Sends what is no longer in memory, a page at a time.
    async fn read_log(&mut self, mut after: u64, before: u64) -> Result<(), Disconnected> {
        while after + 1 < before {
            let page = {
                let mut conn = self
                    .registry
                    .app()
                    .db
                    .read()
                    .await
                    .map_err(|_| Disconnected)?;
                let (organization_id, limit) = (&self.organization_id, LIVE_EVENTS_PAGE_MAX);
                store::session_event_list(&mut conn, organization_id, self.id, after, limit)
                    .await
                    .map_err(|_| Disconnected)?
            };
            let first = page.first().map_or(before, |event| event.seq.min(before));
            if let Some(gap) = gap_between(after, first) {
                let gap = unlogged_frame(ServerMessage::Gap(gap));
                self.queue.push_unlogged(gap);
            }
            let Some(newest) = page.last() else {
                return Ok(());
            };
            after = newest.seq;
            for event in page.iter().filter(|event| event.seq < before) {
                self.send_missed(&LogEntry::from(event)).await?;
            }
        }
        Ok(())
    }

    /// Sends an event that the client missed. It is not left out, so this waits until the client has read enough.
    async fn send_missed(&mut self, entry: &LogEntry) -> Result<(), Disconnected> {
        self.queue.push(entry);
        let mut since = self.now();
        while self.queue.is_half_full() {
            if self.now().saturating_sub(since) >= WATCH_SLOW_MAX {
                self.slow.cancel();
                return Err(Disconnected);
            }
            tokio::select! {
                biased;
                permit = self.sender.reserve() => {
                    let permit = permit.map_err(|_| Disconnected)?;
                    if let Some(sent) = self.queue.pop() {
                        permit.send(sent);
                    }
                    since = self.now();
                }
                () = sleep(WATCH_LOOK_EVERY) => {}
            }
        }
        Ok(())
    }
}

/// Returns the approval request that a notice is.
fn approval_request(notice: Value) -> Option<ActionApprovalRequest> {
    match serde_json::from_value::<ServerMessage>(notice) {
        Ok(ServerMessage::ActionApprovalRequest(request)) => Some(request),
        _ => None,
    }
}
