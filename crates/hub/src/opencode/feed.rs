//! Listens to the agent: connects, reads what the agent has, then passes on what it says; again after every break.
//! The agent's stream repeats nothing, so the stream is opened before the record is read: what happens in between
//! comes twice rather than not at all, and `mapping` tells it once.

use std::time::Duration;

use bytes::Bytes;
use domain::limits::{AGENT_EVENT_BYTES_MAX, AGENT_RECONNECT_DELAYS, AGENT_STREAM_SILENCE_MAX};
use reqwest::Response;
use tokio::{
    sync::{mpsc, watch},
    time::{sleep, timeout},
};
use wire::sse::Frames;

use super::{
    client::Client,
    error::AgentError,
    event::AgentEvent,
    shapes::{SessionStatus, StoredMessage},
};

/// What the hub hears.
#[derive(Debug, Clone, PartialEq)]
pub enum Feed {
    /// Connected; this is what the agent has. Events follow.
    CaughtUp(Caught),
    Event(AgentEvent),
    /// An event that could not be understood.
    Unreadable(AgentError),
    /// The stream broke. It is connected again after the pause.
    Lost {
        reason: Lost,
        again_in: Duration,
    },
}

/// The agent's record.
#[derive(Debug, Clone, PartialEq)]
pub struct Caught {
    /// After what was settled, oldest first.
    pub messages: Vec<StoredMessage>,
    /// Whether nothing is left out between what was settled and these.
    pub is_whole: bool,
    pub status: SessionStatus,
}

/// Why a stream broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// It could not be opened, or the record could not be read.
    Refused,
    /// Nobody listens where the agent was.
    Gone,
    Closed,
    Failed,
    /// No heartbeat came.
    Silent,
    /// An event was larger than we take.
    TooLarge,
}

/// How long to wait before the next try. Starts over once a stream stood.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reconnect {
    failures: usize,
}

impl Reconnect {
    pub fn stood(&mut self) {
        self.failures = 0;
    }

    pub fn next_delay(&mut self) -> Duration {
        let last = AGENT_RECONNECT_DELAYS.len() - 1;
        let delay = AGENT_RECONNECT_DELAYS[self.failures.min(last)];
        self.failures = self.failures.saturating_add(1);
        delay
    }
}

/// Runs until nobody listens. `settled` says up to which message the agent's record is known.
pub async fn run_feed(
    client: Client,
    session_id: String,
    settled: watch::Receiver<Option<String>>,
    hub: mpsc::Sender<Feed>,
) {
    let mut reconnect = Reconnect::default();
    loop {
        let listening = listen(&client, &session_id, &settled, &hub, &mut reconnect);
        let reason = tokio::select! {
            biased;
            () = hub.closed() => return,
            reason = listening => reason,
        };
        let again_in = reconnect.next_delay();
        if hub.send(Feed::Lost { reason, again_in }).await.is_err() {
            return;
        }
        tokio::select! {
            biased;
            () = hub.closed() => return,
            () = sleep(again_in) => {}
        }
    }
}

async fn listen(
    client: &Client,
    session_id: &str,
    settled: &watch::Receiver<Option<String>>,
    hub: &mpsc::Sender<Feed>,
    reconnect: &mut Reconnect,
) -> Lost {
    let stream = match client.events().await {
        Ok(stream) => stream,
        Err(AgentError::Unreachable) => return Lost::Gone,
        Err(_) => return Lost::Refused,
    };
    let mut stream = Stream::new(stream);
    // The first event says that from here on nothing is missed.
    match stream.next().await {
        Ok(_) => {}
        Err(lost) => return lost,
    }
    let known = settled.borrow().clone();
    let Ok(caught) = catch_up(client, session_id, known.as_deref()).await else {
        return Lost::Refused;
    };
    reconnect.stood();
    if hub.send(Feed::CaughtUp(caught)).await.is_err() {
        return Lost::Closed;
    }
    loop {
        let text = match stream.next().await {
            Ok(text) => text,
            Err(lost) => return lost,
        };
        let heard = match AgentEvent::parse(&text) {
            Ok(event) => Feed::Event(event),
            Err(error) => Feed::Unreadable(error),
        };
        if hub.send(heard).await.is_err() {
            return Lost::Closed;
        }
    }
}

/// INVARIANT: idle only if it was idle before and after the messages were read. Otherwise the agent may have
/// begun or ended in between, and the stream says which.
async fn catch_up(
    client: &Client,
    session_id: &str,
    settled: Option<&str>,
) -> Result<Caught, AgentError> {
    let before = client.status(session_id).await?;
    let (messages, is_whole) = client.messages_after(session_id, settled).await?;
    let after = client.status(session_id).await?;
    let status = match before {
        SessionStatus::Idle => after,
        busy => busy,
    };
    Ok(Caught {
        messages,
        is_whole,
        status,
    })
}

/// The data of events, one by one.
struct Stream {
    answer: Response,
    frames: Frames,
    ready: std::vec::IntoIter<String>,
}

impl Stream {
    fn new(answer: Response) -> Self {
        Self {
            answer,
            frames: Frames::bounded(AGENT_EVENT_BYTES_MAX),
            ready: Vec::new().into_iter(),
        }
    }

    async fn next(&mut self) -> Result<String, Lost> {
        loop {
            if let Some(text) = self.ready.next() {
                return Ok(text);
            }
            let piece: Bytes = match timeout(AGENT_STREAM_SILENCE_MAX, self.answer.chunk()).await {
                Err(_) => return Err(Lost::Silent),
                Ok(Err(_)) => return Err(Lost::Failed),
                Ok(Ok(None)) => return Err(Lost::Closed),
                Ok(Ok(Some(piece))) => piece,
            };
            let whole = self.frames.push(&piece).map_err(|_| Lost::TooLarge)?;
            self.ready = whole.into_iter();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_their_bound_and_start_over() {
        let mut reconnect = Reconnect::default();
        let seconds = |reconnect: &mut Reconnect| reconnect.next_delay().as_secs();
        let seen: Vec<u64> = (0..7).map(|_| seconds(&mut reconnect)).collect();
        assert_eq!(seen, [1, 2, 5, 10, 30, 30, 30]);
        reconnect.stood();
        assert_eq!(seconds(&mut reconnect), 1);
    }
}
