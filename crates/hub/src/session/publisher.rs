//! Publishes messages: writes them to the log, one batch after the other, and then sends them to the clients. Keeps what a
//! new client is shown.
//!
//! INVARIANT: no client is sent an event that is not in the log. An event has its sequence number when the database has
//! accepted it; then it is in the window and is sent, with nothing in between.

use std::{sync::Arc, time::Duration};

use domain::{
    clock::{Clock, Timestamp},
    limits::{HUB_FANOUT_MAX, HUB_REPLAY_EVENTS_MAX, HUB_WRITE_RETRY_DELAY, HUB_WRITE_TRIES},
    session_event::SessionEvent,
};
use tokio::{
    sync::{broadcast, oneshot},
    time::sleep,
};
use wire::live::{Frame, LiveError, LiveErrorCode, ServerMessage};

use super::{
    outbox::Outbox,
    ports::{Journal, JournalError},
    tasks::HubTasks,
    view::Broadcast,
};
use crate::log::{
    Coalescer, EventWindow, LogEntry, LogRetention, LoggedOnce, SessionOverview, Transcript,
};

/// The log of a live session, from the message to the client.
#[derive(Debug)]
pub(super) struct EventPublisher {
    journal: Arc<dyn Journal>,
    clock: Arc<dyn Clock>,
    coalescer: Coalescer,
    /// Messages to be written, in order.
    outbox: Outbox,
    batch: Option<WriteBatch>,
    pub(super) window: EventWindow,
    /// What the log takes in the database.
    retention: LogRetention,
    pub(super) transcript: Transcript,
    pub(super) overview: SessionOverview,
    /// What is in the log or on its way there, and must not be logged again.
    pub(super) once: LoggedOnce,
    /// Since when `once` knows everything; `None` for always.
    known_since: Option<Timestamp>,
    fanout: broadcast::Sender<Broadcast>,
}

/// A batch that is being written.
#[derive(Debug)]
struct WriteBatch {
    entries: Vec<(LogEntry, ServerMessage)>,
    done: oneshot::Receiver<Result<(), JournalError>>,
}

impl EventPublisher {
    /// Reads the end of the log. Calls `replay` for each message of it.
    pub(super) async fn load(
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
        mut replay: impl FnMut(&ServerMessage),
    ) -> Result<Self, JournalError> {
        let last = journal.last().await?;
        let (fanout, _) = broadcast::channel(HUB_FANOUT_MAX);
        let mut publisher = Self {
            journal: Arc::clone(&journal),
            clock,
            coalescer: Coalescer::default(),
            outbox: Outbox::default(),
            batch: None,
            window: EventWindow::new(last),
            retention: LogRetention::default(),
            transcript: Transcript::default(),
            overview: SessionOverview::default(),
            once: LoggedOnce::default(),
            known_since: None,
            fanout,
        };
        let mut at = last.saturating_sub(HUB_REPLAY_EVENTS_MAX);
        let mut is_first = true;
        while at < last {
            let page = journal.after(at).await?;
            let (Some(oldest), Some(newest)) = (page.first(), page.last()) else {
                break;
            };
            if is_first && oldest.seq > 1 {
                publisher.known_since = Some(oldest.created_at);
            }
            is_first = false;
            at = newest.seq;
            for event in &page {
                let entry = LogEntry::from(event);
                publisher.retention.add(&entry);
                // A message of another version is passed over; it stays in the log.
                if let Ok(frame) = serde_json::from_str::<Frame>(entry.frame()) {
                    publisher.transcript.apply(&frame.message);
                    publisher.overview.apply(&frame.message);
                    publisher.once.is_new(&frame.message);
                    replay(&frame.message);
                }
            }
        }
        Ok(publisher)
    }

    pub(super) fn known_since(&self) -> Option<Timestamp> {
        self.known_since
    }

    pub(super) fn subscribe(&self) -> broadcast::Receiver<Broadcast> {
        self.fanout.subscribe()
    }

    /// Publishes a message, unless it is a notice that was logged before.
    pub(super) fn publish(&mut self, message: ServerMessage) {
        if !self.once.is_new(&message) {
            return;
        }
        let ready = self.coalescer.push(message, self.clock.monotonic());
        self.outbox.extend(ready);
    }

    /// Sends a frame that is not logged.
    pub(super) fn send_unlogged(&self, frame: Arc<str>) {
        // Without clients there is no receiver.
        let _ = self.fanout.send(Broadcast::Unlogged(frame));
    }

    /// Returns an error if the message is too large for the log.
    pub(super) fn check_size(
        &self,
        message: &ServerMessage,
    ) -> Result<(), crate::log::LogEntryError> {
        LogEntry::new(self.window.next_seq(), message, self.clock.now()).map(drop)
    }

    /// When gathered pieces of a text are to be written at the latest.
    pub(super) fn due(&self) -> Option<Duration> {
        self.coalescer.due()
    }

    /// Queues the gathered pieces of a text if it is time.
    pub(super) fn flush_due(&mut self, now: Duration) {
        self.outbox.extend(self.coalescer.take_due(now));
    }

    /// Queues the gathered pieces of a text.
    pub(super) fn flush(&mut self) {
        self.outbox.extend(self.coalescer.flush());
    }

    /// Whether more messages may be queued.
    pub(super) fn has_room(&self) -> bool {
        self.outbox.has_room()
    }

    /// Whether everything is in the log.
    pub(super) fn is_drained(&self) -> bool {
        self.outbox.is_empty() && self.batch.is_none()
    }

    /// Begins to write what is queued, unless a batch is being written.
    pub(super) fn begin_write(&mut self, tasks: &mut HubTasks) {
        if self.batch.is_some() || self.outbox.is_empty() {
            return;
        }
        let now = self.clock.now();
        let messages = self.outbox.batch();
        let mut entries: Vec<(LogEntry, ServerMessage)> = Vec::with_capacity(messages.len());
        for message in messages {
            let seq = self.window.next_seq() + entries.len() as u64;
            if let Ok(entry) = LogEntry::new(seq, &message, now) {
                entries.push((entry, message));
                continue;
            }
            let instead = too_large(message.kind());
            if let Ok(entry) = LogEntry::new(seq, &instead, now) {
                entries.push((entry, instead));
            }
        }
        let events: Vec<SessionEvent> = entries.iter().map(|(entry, _)| entry.stored()).collect();
        let journal = Arc::clone(&self.journal);
        let (report, done) = oneshot::channel();
        tasks.spawn(move |_| async move {
            // No receiver is left once the hub has ended.
            let _ = report.send(append(journal.as_ref(), &events).await);
        });
        self.batch = Some(WriteBatch { entries, done });
    }

    /// Waits until the batch is in the log; for ever if there is none.
    pub(super) async fn wait_written(&mut self) -> Result<(), JournalError> {
        match &mut self.batch {
            Some(batch) => {
                let done = (&mut batch.done).await;
                done.unwrap_or(Err(JournalError::Unavailable))
            }
            None => std::future::pending().await,
        }
    }

    /// Sends the batch to the clients, which is in the log now. Calls `logged` for each message of it.
    pub(super) fn send_written(
        &mut self,
        tasks: &mut HubTasks,
        mut logged: impl FnMut(&ServerMessage),
    ) {
        let Some(WriteBatch { entries, .. }) = self.batch.take() else {
            return;
        };
        for (entry, message) in entries {
            self.journal.message_logged(&message);
            self.transcript.apply(&message);
            logged(&message);
            self.overview.apply(&message);
            self.window.push(entry.clone());
            let kept = self.retention.add(&entry);
            // Without clients there is no receiver.
            let _ = self.fanout.send(Broadcast::Logged(entry));
            if let Some(kept) = kept {
                self.trim(tasks, kept);
            }
        }
    }

    /// Keeps the log within its bound. What fails now is made up for by the next call.
    fn trim(&self, tasks: &mut HubTasks, kept: u64) {
        let journal = Arc::clone(&self.journal);
        tasks.spawn(move |_| async move {
            if let Err(error) = journal.trim(kept).await {
                tracing::warn!(%error, "cannot trim the log of a session");
            }
        });
    }
}

fn too_large(kind: &str) -> ServerMessage {
    ServerMessage::Error(LiveError {
        message: format!("A message ({kind}) was too large to show."),
        code: LiveErrorCode::Agent,
        retryable: false,
    })
}

/// Retries until the database accepts the events, or there is no use. A try that failed may have been committed all the
/// same: then the log is a batch ahead, and that batch is ours. Not by `backon`: what an error means depends on the tries
/// before it.
async fn append(journal: &dyn Journal, events: &[SessionEvent]) -> Result<(), JournalError> {
    let mut is_unclear = false;
    for _ in 0..HUB_WRITE_TRIES {
        match journal.append(events).await {
            Err(JournalError::Unavailable) => is_unclear = true,
            Err(JournalError::OutOfPlace) if is_unclear => {
                let before = events.first().map_or(0, |event| event.seq - 1);
                match journal.after(before).await {
                    Ok(there) if there.starts_with(events) => return Ok(()),
                    Ok(_) => return Err(JournalError::OutOfPlace),
                    Err(_) => {}
                }
            }
            other => return other,
        }
        sleep(HUB_WRITE_RETRY_DELAY).await;
    }
    Err(JournalError::Unavailable)
}
