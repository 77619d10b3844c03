//! Writes what is to be told, one batch after the other, and then tells it.

use std::sync::Arc;

use domain::{
    limits::{HUB_WRITE_RETRY_DELAY, HUB_WRITE_TRIES},
    session_event::SessionEvent,
};
use tokio::{sync::oneshot, time::sleep};
use wire::live::{LiveError, LiveErrorCode, ServerMessage};

use super::{
    clients::Told,
    ports::{Journal, JournalError},
    service::Service,
};
use crate::log::Entry;

/// A batch on its way into the log.
#[derive(Debug)]
pub(super) struct Writing {
    batch: Vec<(Entry, ServerMessage)>,
    done: oneshot::Receiver<Result<(), JournalError>>,
}

/// Waits for the batch, if there is one.
pub(super) async fn written(writing: &mut Option<Writing>) -> Result<(), JournalError> {
    match writing {
        Some(writing) => {
            let done = (&mut writing.done).await;
            done.unwrap_or(Err(JournalError::Unavailable))
        }
        None => std::future::pending().await,
    }
}

impl Service {
    /// Begins to write what waits, unless a batch is under way.
    pub(super) fn write(&mut self) {
        if self.writing.is_some() || self.outbox.is_empty() {
            return;
        }
        let now = self.ports.clock.now();
        let messages = self.outbox.batch();
        let mut batch: Vec<(Entry, ServerMessage)> = Vec::with_capacity(messages.len());
        for message in messages {
            let seq = self.window.next() + batch.len() as u64;
            if let Ok(entry) = Entry::new(seq, &message, now) {
                batch.push((entry, message));
                continue;
            }
            let instead = too_large(message.kind());
            if let Ok(entry) = Entry::new(seq, &instead, now) {
                batch.push((entry, instead));
            }
        }
        let events: Vec<SessionEvent> = batch.iter().map(|(entry, _)| entry.stored()).collect();
        let journal = Arc::clone(&self.ports.journal);
        let (tell, done) = oneshot::channel();
        self.tasks.spawn(async move {
            // Nobody waits any more once the hub has ended.
            let _ = tell.send(append(journal.as_ref(), &events).await);
        });
        self.writing = Some(Writing { batch, done });
    }

    /// The batch is in the log: now everybody is told, with nothing in between.
    pub(super) fn told(&mut self) {
        let Some(Writing { batch, .. }) = self.writing.take() else {
            return;
        };
        for (entry, message) in batch {
            self.transcript.apply(&message);
            self.is_written(&message);
            self.picture.apply(&message);
            self.window.push(entry.clone());
            let kept = self.kept.add(&entry);
            // Without listeners there is nobody to tell.
            let _ = self.fanout.send(Told::Logged(entry));
            if let Some(kept) = kept {
                self.trim(kept);
            }
        }
    }

    /// Keeps the log within its bound. What fails now is made up for the next time.
    fn trim(&mut self, kept: u64) {
        let journal = Arc::clone(&self.ports.journal);
        self.tasks.spawn(async move {
            if let Err(error) = journal.trim(kept).await {
                tracing::warn!(%error, "the log of a session could not be trimmed");
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

/// Tries until the database takes it or there is no use. What failed may have been written all the same: then
/// the log is a batch ahead, and what is there is ours.
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
