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
    client::Client,
    error::{AgentError, Excess},
    event::AgentEvent,
    intake::{Hold, Intake},
    shapes::{SessionStatus, StoredMessage},
};

/// What the hub receives of the agent.
#[derive(Debug, Clone, PartialEq)]
pub enum Feed {
    /// Connected; this is the agent's record. Events follow.
    CaughtUp(Caught),
    Event(Heard),
    /// An event that could not be parsed.
    Unreadable(AgentError),
    /// The agent exceeded a limit. Nothing follows.
    Exceeded(Excess),
    /// The stream broke. It is connected again after the pause.
    Lost {
        reason: Lost,
        again_in: Duration,
    },
}

/// An event, and the memory that is reserved for it until it is dropped.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    event: AgentEvent,
    hold: Hold,
}

impl Deref for Heard {
    type Target = AgentEvent;

    fn deref(&self) -> &AgentEvent {
        &self.event
    }
}

/// The agent's record.
#[derive(Debug, Clone, PartialEq)]
pub struct Caught {
    /// The messages after the settled ones, oldest first.
    pub messages: Vec<StoredMessage>,
    /// Whether no message is left out between the settled ones and these.
    pub is_whole: bool,
    pub status: SessionStatus,
    /// The memory that is reserved for it.
    pub hold: Hold,
}

/// Why a stream broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
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
enum Broke {
    Lost(Lost),
    Exceeded(Excess),
}

impl From<Lost> for Broke {
    fn from(lost: Lost) -> Self {
        Self::Lost(lost)
    }
}

impl From<Excess> for Broke {
    fn from(excess: Excess) -> Self {
        Self::Exceeded(excess)
    }
}

impl Broke {
    /// A request to the agent failed.
    fn of(error: &AgentError) -> Self {
        match error {
            AgentError::Exceeded(excess) => Self::Exceeded(*excess),
            AgentError::Unreachable => Self::Lost(Lost::Gone),
            _ => Self::Lost(Lost::Refused),
        }
    }
}

/// The backoff before the next try. Reset once a stream was connected. Not `backon`: the hub is told the pause before it
/// begins, and a connection that stood for a while begins anew.
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

/// Runs until the hub drops its receiver, or the agent exceeds a bound. `settled` says up to which message the agent's record is known.
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
            broke = listening => match broke {
                Broke::Lost(reason) => reason,
                Broke::Exceeded(excess) => {
                    // Fails only when the hub dropped its receiver.
                    let _ = hub.send(Feed::Exceeded(excess)).await;
                    return;
                }
            },
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
) -> Broke {
    let stream = match client.events().await {
        Ok(stream) => stream,
        Err(error) => return Broke::of(&error),
    };
    let mut stream = Stream::new(stream, client.intake.clone());
    // From the first event on, nothing is missed.
    if let Err(broke) = stream.next().await {
        return broke;
    }
    let known = settled.borrow().clone();
    let caught = catch_up(client, session_id, known.as_deref());
    let caught = match timeout(AGENT_RECORD_TIME_MAX, caught).await {
        Ok(Ok(caught)) => caught,
        // A failed request is no sign that the agent is gone.
        Ok(Err(AgentError::Unreachable)) | Err(_) => return Lost::Refused.into(),
        Ok(Err(error)) => return Broke::of(&error),
    };
    reconnect.stood();
    if hub.send(Feed::CaughtUp(caught)).await.is_err() {
        return Lost::Closed.into();
    }
    loop {
        let text = match stream.next().await {
            Ok(text) => text,
            Err(broke) => return broke,
        };
        let heard = match AgentEvent::weighed(&text) {
            Ok((event, memory)) => {
                drop(text);
                let hold = client.intake.hold(memory).await;
                Feed::Event(Heard { event, hold })
            }
            Err(AgentError::Exceeded(excess)) => return excess.into(),
            Err(error) => Feed::Unreadable(error),
        };
        if hub.send(heard).await.is_err() {
            return Lost::Closed.into();
        }
    }
}

/// Reads the agent's record.
///
/// INVARIANT: idle only if it was idle before and after the messages were read. Otherwise the agent may have begun or ended
/// a turn in between, and the stream has that event.
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
    let hold = client
        .intake
        .hold(messages.iter().map(StoredMessage::bytes).sum())
        .await;
    Ok(Caught {
        messages,
        is_whole,
        status,
        hold,
    })
}

/// Splits the stream into the data of its events.
struct Stream {
    answer: Response,
    intake: Intake,
    parser: EventStreamParser,
    ready: std::vec::IntoIter<String>,
}

impl Stream {
    fn new(answer: Response, intake: Intake) -> Self {
        Self {
            answer,
            intake,
            parser: EventStreamParser::bounded(AGENT_EVENT_BYTES_MAX),
            ready: Vec::new().into_iter(),
        }
    }

    /// Returns the data of the next event.
    ///
    /// INVARIANT: the timeout is that of a whole event: single bytes, or lines without data, count as silence.
    async fn next(&mut self) -> Result<String, Broke> {
        let event = timeout(AGENT_STREAM_SILENCE_MAX, self.next_whole()).await;
        let text = event.unwrap_or(Err(Lost::Silent.into()))?;
        // Its bytes were counted as they came.
        self.intake.count(AGENT_EVENT_COST).await?;
        Ok(text)
    }

    async fn next_whole(&mut self) -> Result<String, Broke> {
        loop {
            if let Some(text) = self.ready.next() {
                return Ok(text);
            }
            let piece: Bytes = match self.answer.chunk().await {
                Err(_) => return Err(Lost::Failed.into()),
                Ok(None) => return Err(Lost::Closed.into()),
                Ok(Some(piece)) => piece,
            };
            // All of it, also lines without data.
            self.intake.count(piece.len() as u64).await?;
            let whole = self.parser.push(&piece);
            let whole = whole.map_err(|_| Excess::Event(AGENT_EVENT_BYTES_MAX))?;
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

    fn dripping(first: &'static str, again: &'static str) -> Client {
        let base = "http://agent".parse().unwrap();
        Client::over(Arc::new(Drip { first, again }), base, None).unwrap()
    }

    /// What is heard first, and after how long.
    async fn heard(client: Client) -> (Feed, u64) {
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
                Feed::Lost { reason, .. } => reason,
                other => panic!("{other:?}"),
            };
            // A blank line alone is no event either.
            assert_eq!((reason, seconds), (Lost::Silent, 45), "{again:?}");
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
        let client = Client::over(Arc::new(Comments), base, None).unwrap();
        let events = client.events().await.unwrap();
        let mut stream = Stream::new(events, client.intake.clone());
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
            Feed::Lost {
                reason: Lost::Refused,
                ..
            }
        );
        assert!(is_refused, "{heard:?}");
        assert!(seconds <= AGENT_RECORD_TIME_MAX.as_secs(), "{seconds}");
    }

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
