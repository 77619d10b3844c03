//! Follows the agent's event stream: connects, reads the agent's record, then passes on its events; again after every break.
//! The stream repeats nothing, so it is opened before the record is read: what happens in between arrives twice rather than
//! not at all, and `mapping` emits it once.

use std::{ops::Deref, time::Duration};

use bytes::Bytes;
use domain::{
    event_stream::EventStreamParser,
    limits::{
        AGENT_EVENT_BYTES_MAX, AGENT_EVENT_COST, AGENT_RECONNECT_DELAYS, AGENT_RECORD_TIME_MAX,
        AGENT_STREAM_SILENCE_MAX,
    },
};
use reqwest::Response;
use tokio::{
    sync::{mpsc, watch},
    time::{sleep, timeout},
};

use super::{
    client::AgentClient,
    error::{AgentError, ExceededLimit},
    event::AgentEvent,
    read_limiter::{MemoryReservation, ReadLimiter},
    shapes::{SessionStatus, StoredMessage},
};

/// What the hub receives of the agent.
#[derive(Debug, Clone, PartialEq)]
pub enum FeedEvent {
    /// Connected; this is the agent's record. Events follow.
    CaughtUp(AgentRecord),
    Event(ReceivedEvent),
    /// An event that could not be parsed.
    Unreadable(AgentError),
    /// The agent exceeded a limit. Nothing follows.
    Exceeded(ExceededLimit),
    /// The stream broke. It is connected again after the pause.
    Lost {
        reason: StreamLoss,
        again_in: Duration,
    },
}

/// An event, and the memory that is reserved for it until it is dropped.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedEvent {
    event: AgentEvent,
    reservation: MemoryReservation,
}

impl Deref for ReceivedEvent {
    type Target = AgentEvent;

    fn deref(&self) -> &AgentEvent {
        &self.event
    }
}

/// The agent's record.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentRecord {
    /// The messages after the settled ones, oldest first.
    pub messages: Vec<StoredMessage>,
    /// Whether no message is left out between the settled ones and these.
    pub is_whole: bool,
    pub status: SessionStatus,
    /// The memory that is reserved for it.
    pub reservation: MemoryReservation,
}

/// Why a stream broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamLoss {
    /// It could not be opened, or the record could not be read.
    Refused,
    /// No program listens at the agent's address.
    Gone,
    Closed,
    Failed,
    /// No heartbeat came.
    Silent,
}

/// Why reading the stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FeedEnd {
    Lost(StreamLoss),
    Exceeded(ExceededLimit),
}

impl From<StreamLoss> for FeedEnd {
    fn from(lost: StreamLoss) -> Self {
        Self::Lost(lost)
    }
}

impl From<ExceededLimit> for FeedEnd {
    fn from(excess: ExceededLimit) -> Self {
        Self::Exceeded(excess)
    }
}

impl FeedEnd {
    /// A request to the agent failed.
    fn of(error: &AgentError) -> Self {
        match error {
            AgentError::Exceeded(excess) => Self::Exceeded(*excess),
            AgentError::Unreachable => Self::Lost(StreamLoss::Gone),
            _ => Self::Lost(StreamLoss::Refused),
        }
    }
}

/// The backoff before the next try. Reset once a stream was connected. Not `backon`: the hub is told the pause before it
/// begins, and a connection that stood begins anew.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReconnectBackoff {
    failures: usize,
}

impl ReconnectBackoff {
    pub fn reset(&mut self) {
        self.failures = 0;
    }

    pub fn next_delay(&mut self) -> Duration {
        let last = AGENT_RECONNECT_DELAYS.len() - 1;
        let delay = AGENT_RECONNECT_DELAYS[self.failures.min(last)];
        self.failures = self.failures.saturating_add(1);
        delay
    }
}

/// Runs until the hub drops its receiver, or the agent exceeds a bound. `settled` says up to which message the agent's record is known.
pub async fn run_feed(
    client: AgentClient,
    session_id: String,
    settled: watch::Receiver<Option<String>>,
    hub: mpsc::Sender<FeedEvent>,
) {
    let mut reconnect = ReconnectBackoff::default();
    loop {
        let listening = listen(&client, &session_id, &settled, &hub, &mut reconnect);
        let reason = tokio::select! {
            biased;
            () = hub.closed() => return,
            broke = listening => match broke {
                FeedEnd::Lost(reason) => reason,
                FeedEnd::Exceeded(excess) => {
                    // Fails only when the hub dropped its receiver.
                    let _ = hub.send(FeedEvent::Exceeded(excess)).await;
                    return;
                }
            },
        };
        let again_in = reconnect.next_delay();
        if hub
            .send(FeedEvent::Lost { reason, again_in })
            .await
            .is_err()
        {
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
    client: &AgentClient,
    session_id: &str,
    settled: &watch::Receiver<Option<String>>,
    hub: &mpsc::Sender<FeedEvent>,
    reconnect: &mut ReconnectBackoff,
) -> FeedEnd {
    let stream = match client.events().await {
        Ok(stream) => stream,
        Err(error) => return FeedEnd::of(&error),
    };
    let mut stream = Stream::new(stream, client.limiter.clone());
    // From the first event on, nothing is missed.
    if let Err(broke) = stream.next().await {
        return broke;
    }
    let known = settled.borrow().clone();
    let caught = catch_up(client, session_id, known.as_deref());
    let caught = match timeout(AGENT_RECORD_TIME_MAX, caught).await {
        Ok(Ok(caught)) => caught,
        // A failed request is no sign that the agent is gone.
        Ok(Err(AgentError::Unreachable)) | Err(_) => return StreamLoss::Refused.into(),
        Ok(Err(error)) => return FeedEnd::of(&error),
    };
    reconnect.reset();
    if hub.send(FeedEvent::CaughtUp(caught)).await.is_err() {
        return StreamLoss::Closed.into();
    }
    loop {
        let text = match stream.next().await {
            Ok(text) => text,
            Err(broke) => return broke,
        };
        let heard = match AgentEvent::parse_measured(&text) {
            Ok((event, memory)) => {
                drop(text);
                let reservation = client.limiter.reserve(memory).await;
                FeedEvent::Event(ReceivedEvent { event, reservation })
            }
            Err(AgentError::Exceeded(excess)) => return excess.into(),
            Err(error) => FeedEvent::Unreadable(error),
        };
        if hub.send(heard).await.is_err() {
            return StreamLoss::Closed.into();
        }
    }
}

/// Reads the agent's record.
///
/// INVARIANT: idle only if it was idle before and after the messages were read. Otherwise the agent may have begun or ended
/// a turn in between, and the stream has that event.
async fn catch_up(
    client: &AgentClient,
    session_id: &str,
    settled: Option<&str>,
) -> Result<AgentRecord, AgentError> {
    let before = client.status(session_id).await?;
    let (messages, is_whole) = client.messages_after(session_id, settled).await?;
    let after = client.status(session_id).await?;
    let status = match before {
        SessionStatus::Idle => after,
        busy => busy,
    };
    let reservation = client
        .limiter
        .reserve(messages.iter().map(StoredMessage::bytes).sum())
        .await;
    Ok(AgentRecord {
        messages,
        is_whole,
        status,
        reservation,
    })
}

/// Splits the stream into the data of its events.
struct Stream {
    answer: Response,
    limiter: ReadLimiter,
    parser: EventStreamParser,
    ready: std::vec::IntoIter<String>,
}

impl Stream {
    fn new(answer: Response, limiter: ReadLimiter) -> Self {
        Self {
            answer,
            limiter,
            parser: EventStreamParser::bounded(AGENT_EVENT_BYTES_MAX),
            ready: Vec::new().into_iter(),
        }
    }

    /// Returns the data of the next event.
    ///
    /// INVARIANT: the timeout is that of a whole event: single bytes, or lines without data, count as silence.
    async fn next(&mut self) -> Result<String, FeedEnd> {
        let event = timeout(AGENT_STREAM_SILENCE_MAX, self.next_whole()).await;
        let text = event.unwrap_or(Err(StreamLoss::Silent.into()))?;
        // Its bytes were counted as they came.
        self.limiter.count(AGENT_EVENT_COST).await?;
        Ok(text)
    }

    async fn next_whole(&mut self) -> Result<String, FeedEnd> {
        loop {
            if let Some(text) = self.ready.next() {
                return Ok(text);
            }
            let piece: Bytes = match self.answer.chunk().await {
                Err(_) => return Err(StreamLoss::Failed.into()),
                Ok(None) => return Err(StreamLoss::Closed.into()),
                Ok(Some(piece)) => piece,
            };
            // All of it, also lines without data.
            self.limiter.count(piece.len() as u64).await?;
            let whole = self.parser.push(&piece);
            let whole = whole.map_err(|_| ExceededLimit::Event(AGENT_EVENT_BYTES_MAX))?;
            self.ready = whole.into_iter();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_trait::async_trait;
    use domain::limits::{AGENT_READ_BURST_BYTES, AGENT_READ_BYTES_PER_SECOND};
    use futures::{StreamExt as _, stream};
    use reqwest::{Body, Request};

    use super::*;
    use crate::opencode::transport::{Connection, Transport};

    /// An agent that sends one byte in a second, for ever. With a word of its stream first, or nothing.
    #[derive(Debug)]
    struct Drip {
        first: &'static str,
        again: &'static str,
    }

    #[async_trait]
    impl Transport for Drip {
        async fn send(&self, _: Request, _: Connection) -> Result<Response, AgentError> {
            let again = self.again;
            let drips = stream::repeat(()).then(move |()| async move {
                sleep(Duration::from_secs(1)).await;
                again
            });
            let said = stream::iter([self.first]).chain(drips);
            let said = said.map(Ok::<_, std::convert::Infallible>);
            let answer = axum::http::Response::new(Body::wrap_stream(said));
            Ok(answer.into())
        }
    }

    fn dripping(first: &'static str, again: &'static str) -> AgentClient {
        let base = "http://agent".parse().unwrap();
        AgentClient::over(Arc::new(Drip { first, again }), base, None).unwrap()
    }

    /// What is heard first, and after how long.
    async fn heard(client: AgentClient) -> (FeedEvent, u64) {
        let (_settled, known) = watch::channel(None);
        let (hub, mut feed) = mpsc::channel(1);
        let since = now();
        tokio::spawn(run_feed(client, "ses_1".into(), known, hub));
        let heard = feed.recv().await.unwrap();
        (heard, since.elapsed().as_secs())
    }

    #[expect(clippy::disallowed_methods, reason = "the runtime's own clock")]
    fn now() -> tokio::time::Instant {
        tokio::time::Instant::now()
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_that_drips_is_silent() {
        for again in [":", "\n", "data: x\n"] {
            let (heard, seconds) = heard(dripping("", again)).await;
            let reason = match heard {
                FeedEvent::Lost { reason, .. } => reason,
                other => panic!("{other:?}"),
            };
            // A blank line alone is no event either.
            assert_eq!((reason, seconds), (StreamLoss::Silent, 45), "{again:?}");
        }
    }

    /// An agent that sends comments of a megabyte, each with an event in the same piece.
    #[derive(Debug)]
    struct Comments;

    #[async_trait]
    impl Transport for Comments {
        async fn send(&self, _: Request, _: Connection) -> Result<Response, AgentError> {
            let piece = format!(": {}\ndata: {{}}\n\n", "x".repeat(1024 * 1024));
            let said = stream::repeat(Bytes::from(piece)).map(Ok::<_, std::convert::Infallible>);
            let answer = axum::http::Response::new(Body::wrap_stream(said));
            Ok(answer.into())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn lines_beside_an_event_are_read_at_its_pace_too() {
        let base = "http://agent".parse().unwrap();
        let client = AgentClient::over(Arc::new(Comments), base, None).unwrap();
        let events = client.events().await.unwrap();
        let mut stream = Stream::new(events, client.limiter.clone());
        let since = now();
        let pieces = 2 * AGENT_READ_BURST_BYTES / (1024 * 1024);
        for _ in 0..pieces {
            assert_eq!(stream.next().await, Ok("{}".to_owned()));
        }
        // What is beyond the burst takes its time.
        let seconds = AGENT_READ_BURST_BYTES / AGENT_READ_BYTES_PER_SECOND;
        let passed = since.elapsed().as_secs();
        assert!((seconds..=seconds + 1).contains(&passed), "{passed}");
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_drips_comes_to_an_end() {
        let since = now();
        let status = dripping("{", " ").status("ses_1").await;
        assert_eq!(status, Err(AgentError::Timeout));
        assert_eq!(since.elapsed().as_secs(), 30);
    }

    #[tokio::test(start_paused = true)]
    async fn a_record_that_drips_is_asked_for_again_after_its_time() {
        // The stream stands, and then no answer comes to an end.
        let (heard, seconds) = heard(dripping("data: {}\n\n", " ")).await;
        let is_refused = matches!(
            &heard,
            FeedEvent::Lost {
                reason: StreamLoss::Refused,
                ..
            }
        );
        assert!(is_refused, "{heard:?}");
        assert!(seconds <= AGENT_RECORD_TIME_MAX.as_secs(), "{seconds}");
    }

    #[test]
    fn pauses_grow_to_their_bound_and_start_over() {
        let mut reconnect = ReconnectBackoff::default();
        let seconds = |reconnect: &mut ReconnectBackoff| reconnect.next_delay().as_secs();
        let seen: Vec<u64> = (0..7).map(|_| seconds(&mut reconnect)).collect();
        assert_eq!(seen, [1, 2, 5, 10, 30, 30, 30]);
        reconnect.reset();
        assert_eq!(seconds(&mut reconnect), 1);
    }
}
