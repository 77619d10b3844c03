//! Watching a session: all of its events in order, none twice, from a place on or from now.
//!
//! A watcher is never waited for. What it has not taken yet waits here, within a bound; what is further is read from the
//! log when it has. For one that cannot keep up, the pieces of texts are left out, and the text so far is told instead;
//! one that takes nothing is let go.

mod queue;

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
use tokio::{
    sync::{
        broadcast::{self, error::RecvError},
        mpsc,
    },
    time::sleep,
};
use tokio_util::sync::CancellationToken;
use wire::live::{Init, LiveConfig, Presence, ServerMessage};

use self::queue::Queue;
use super::{House, place::Place, session_key::SessionKey};
use crate::{
    log::{Entry, gap},
    session::{Attached, Handle, HubError, Look, Seat, Shown, Told, aside},
};

/// A frame on its way to a client.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Its place; `None` for what is for this client only, or about this moment.
    pub seq: Option<u64>,
    pub text: Arc<str>,
}

/// Somebody's place in the stream of a session; gone when it is dropped.
#[derive(Debug)]
pub struct Watching {
    /// Ends when the session is no longer served here, or when the watcher is too slow.
    pub frames: mpsc::Receiver<Sent>,
    /// Set when the watcher is let go because it takes too little.
    pub slow: CancellationToken,
    handle: Handle,
    key: SessionKey,
    again: mpsc::Sender<()>,
}

impl Watching {
    /// Asks for `init` once more. What was asked for and not answered yet is one answer.
    pub fn again(&self) {
        _ = self.again.try_send(());
    }

    /// How the session stands.
    pub async fn look(&self) -> Result<Look, HubError> {
        self.handle.look().await
    }

    /// The session that is watched, for a caller that may steer it.
    pub fn steered(&self, steering: &Steering) -> Result<&Handle, HubError> {
        if self.key == SessionKey::from(steering) {
            Ok(&self.handle)
        } else {
            Err(HubError::Gone)
        }
    }
}

impl House {
    /// The frames for a client of this user: after a place it names, or with the conversation so far.
    pub async fn watch(
        &self,
        access: &SessionAccess,
        user_id: Option<String>,
        after: Option<u64>,
    ) -> Result<Watching, Error> {
        let key = SessionKey::from(access);
        let handle = self.hub(&key).await?;
        let place = self.place_of(&key);
        let moving = |_| Error::Busy("the session is moving; try again");
        let seat = handle.join(user_id.clone()).await.map_err(moving)?;
        let attached = handle.attach(after).await.map_err(moving)?;
        let (sender, frames) = mpsc::channel(WATCH_QUEUE_MAX);
        let (again, asked) = mpsc::channel(1);
        let slow = CancellationToken::new();
        let watch = Watch {
            house: self.clone(),
            handle: handle.clone(),
            place,
            seat,
            organization_id: key.organization_id.clone(),
            id: key.id,
            user_id,
            sender,
            asked,
            queue: Queue::new(after.unwrap_or(attached.seq)),
            slow: slow.clone(),
        };
        tokio::spawn(watch.run(attached));
        Ok(Watching {
            frames,
            slow,
            handle,
            key,
            again,
        })
    }
}

struct Watch {
    house: House,
    handle: Handle,
    place: Option<Arc<Place>>,
    seat: Seat,
    organization_id: OrganizationId,
    id: SessionId,
    user_id: Option<String>,
    sender: mpsc::Sender<Sent>,
    /// That somebody wants `init` again.
    asked: mpsc::Receiver<()>,
    queue: Queue,
    slow: CancellationToken,
}

/// The client is gone, or the session is.
struct Over;

/// Why the stream has to be taken up again.
enum Turn {
    /// From the last place that was seen.
    Behind,
    /// From now, with the conversation.
    Anew,
    /// Not any more: the session ended here.
    Ended,
}

impl Watch {
    async fn run(mut self, attached: Attached) {
        // Whoever comes back in the middle of a text may have been told a part of it in another form.
        if attached.shown.is_none() {
            self.queue.hold_text(attached.seq, attached.text.clone());
        }
        // Why it ended, the client sees by its own side.
        _ = self.serve(attached).await;
    }

    async fn serve(&mut self, mut attached: Attached) -> Result<(), Over> {
        loop {
            if let Some(shown) = attached.shown.take() {
                let init = self.init(&attached, shown).await?;
                self.queue.start_over(attached.seq, init);
            }
            if let Some((after, before)) = attached.earlier {
                self.read(after, before).await?;
            }
            for entry in &attached.entries {
                self.give(entry).await?;
            }
            let after = match self.follow(&mut attached.live).await? {
                Turn::Behind => Some(self.queue.seen()),
                Turn::Anew => None,
                Turn::Ended => return self.finish().await,
            };
            attached = self.handle.attach(after).await.map_err(|_| Over)?;
            if after.is_some() {
                // Who came and went meanwhile is not in the log.
                let clients = std::mem::take(&mut attached.clients);
                let presence = ServerMessage::Presence(Presence { clients });
                self.queue.push_aside(aside(presence));
            }
        }
    }

    /// Until the client falls behind, or wants to start over.
    async fn follow(&mut self, live: &mut broadcast::Receiver<Told>) -> Result<Turn, Over> {
        let mut is_behind = false;
        loop {
            self.hand_over()?;
            self.queue.coarsen();
            if is_behind && self.queue.is_empty() {
                return Ok(Turn::Behind);
            }
            if self.queue.wants_text(self.now()) {
                let look = self.handle.look().await.map_err(|_| Over)?;
                self.queue.text(look.seq, look.text, self.now());
                continue;
            }
            if self.queue.is_too_slow(self.now()) {
                self.slow.cancel();
                return Err(Over);
            }
            let (has_room, waits) = (self.queue.has_room(), self.queue.waits());
            tokio::select! {
                biased;
                () = self.sender.closed() => return Err(Over),
                Some(()) = self.asked.recv() => return Ok(Turn::Anew),
                permit = self.sender.reserve(), if !self.queue.is_empty() => {
                    let permit = permit.map_err(|_| Over)?;
                    if let Some(sent) = self.queue.pop() {
                        permit.send(sent);
                    }
                }
                told = live.recv(), if has_room && !is_behind => match told {
                    Ok(Told::Logged(entry)) => self.queue.push(&entry),
                    Ok(Told::Aside(text)) => self.queue.push_aside(text),
                    Err(RecvError::Lagged(_)) => is_behind = true,
                    Err(RecvError::Closed) => return Ok(Turn::Ended),
                },
                () = sleep(WATCH_LOOK_EVERY), if waits => {}
            }
        }
    }

    /// Gives the client what it takes without waiting.
    fn hand_over(&mut self) -> Result<(), Over> {
        while !self.queue.is_empty() {
            match self.sender.try_reserve() {
                Ok(permit) => {
                    if let Some(sent) = self.queue.pop() {
                        permit.send(sent);
                    }
                }
                Err(mpsc::error::TrySendError::Full(())) => return Ok(()),
                Err(mpsc::error::TrySendError::Closed(())) => return Err(Over),
            }
        }
        Ok(())
    }

    /// The session ended: what was told before reaches who still reads.
    async fn finish(&mut self) -> Result<(), Over> {
        while let Some(sent) = self.queue.pop() {
            self.sender.send(sent).await.map_err(|_| Over)?;
        }
        // Who comes back before another instance has the session would wait there instead.
        if let Some(place) = &self.place {
            tokio::select! {
                biased;
                () = place.followed() => {}
                () = self.sender.closed() => {}
            }
        }
        Ok(())
    }

    fn now(&self) -> std::time::Duration {
        self.house.0.app.clock.monotonic()
    }

    async fn init(&self, attached: &Attached, shown: Shown) -> Result<Arc<str>, Over> {
        let app = &self.house.0.app;
        // Read after the place was taken: what was asked since comes as an event too.
        let pending = notices::pending(app, &self.organization_id, self.id).await;
        let pending = pending.map_err(|error| {
            tracing::warn!(%error, session_id = %self.id, "what waits for a decision cannot be read");
            Over
        })?;
        let init = Init {
            messages: shown.messages,
            status: attached.status,
            seq: attached.seq,
            config: Some(LiveConfig {
                session_id: self.id.uuid(),
                org_id: self.organization_id.to_string(),
                connection_id: self.seat.connection_id.clone(),
                repo_id: None,
                user_id: self.user_id.clone(),
                preview_tunnel_url: None,
            }),
            pending_approvals: pending
                .into_iter()
                .filter_map(|mut notice| serde_json::from_value(notice["payload"].take()).ok())
                .collect(),
            env_requests: shown.env_requests,
            clients: attached.clients.clone(),
            timeline: shown.timeline,
        };
        Ok(aside(ServerMessage::Init(Box::new(init))))
    }

    /// What is no longer in memory, a page at a time.
    async fn read(&mut self, mut after: u64, before: u64) -> Result<(), Over> {
        while after + 1 < before {
            let page = {
                let mut conn = self.house.0.app.db.read().await.map_err(|_| Over)?;
                let (organization_id, limit) = (&self.organization_id, LIVE_EVENTS_PAGE_MAX);
                conn.session_event_list(organization_id, self.id, after, limit)
                    .await
                    .map_err(|_| Over)?
            };
            let first = page.first().map_or(before, |event| event.seq.min(before));
            if let Some(gap) = gap(after, first) {
                let gap = aside(ServerMessage::Gap(gap));
                self.queue.push_aside(gap);
            }
            let Some(newest) = page.last() else {
                return Ok(());
            };
            after = newest.seq;
            for event in page.iter().filter(|event| event.seq < before) {
                self.give(&Entry::from(event)).await?;
            }
        }
        Ok(())
    }

    /// Something that the client missed. It is not left out, so it has to be taken.
    async fn give(&mut self, entry: &Entry) -> Result<(), Over> {
        self.queue.push(entry);
        let mut since = self.now();
        while self.queue.is_half_full() {
            if self.now().saturating_sub(since) >= WATCH_SLOW_MAX {
                self.slow.cancel();
                return Err(Over);
            }
            tokio::select! {
                biased;
                permit = self.sender.reserve() => {
                    let permit = permit.map_err(|_| Over)?;
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
