//! The event stream of a session: every frame as it comes, and after a break the missed ones, none twice.

use std::{collections::VecDeque, time::Duration};

use domain::{event_stream::EventStreamParser, id::SessionId, limits::EVENTS_KEEP_ALIVE};
use reqwest::{Method, Response};
use wire::live::{Frame, ServerMessage};

use super::{ANSWER_BYTES_MAX, Client, refusal, retry_after};
use crate::{exit::Exit, failure::Failure};

/// Pauses before each attempt to reconnect; the last one repeats. Not by `backon`: the caller shows each break, and may
/// stop waiting in the middle of a pause without losing an event.
const PAUSES: [Duration; 5] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(30),
];
/// Tries in a row without one frame: five minutes together, in which a gateway is restarted.
const TRIES_MAX: usize = 12;
/// Without a sign of life for so long, the stream is broken, whatever the connection says.
const SILENCE_MAX: Duration = Duration::from_secs(3 * EVENTS_KEEP_ALIVE.as_secs());
/// A stream has no end; a request must have one.
const STREAM_MAX: Duration = Duration::from_hours(24);

/// What the stream gives next.
#[derive(Debug)]
pub(crate) enum StreamItem {
    Frame(Box<Frame>),
    /// The stream broke; the next call tries again, after this pause.
    Broken(Duration),
}

/// Receives the events of one session.
#[derive(Debug)]
pub(crate) struct Events<'a> {
    client: &'a Client,
    path: String,
    /// The sequence number of the last event that was passed on.
    seen: Option<u64>,
    open: Option<Open>,
    tries: usize,
    pause: Option<Duration>,
}

#[derive(Debug)]
struct Open {
    answer: Response,
    parser: EventStreamParser,
    ready: VecDeque<String>,
}

impl Client {
    /// Subscribes after a sequence number of the log, or from now on with the conversation so far.
    pub(crate) fn events(&self, id: SessionId, after: Option<u64>) -> Events<'_> {
        Events {
            client: self,
            path: format!("/proliferate/{id}/events"),
            seen: after,
            open: None,
            tries: 0,
            pause: None,
        }
    }
}

impl Events<'_> {
    /// The next frame. Fails when reconnecting is no use.
    ///
    /// Nothing is lost when the caller stops waiting.
    pub(crate) async fn next(&mut self) -> Result<StreamItem, Failure> {
        if let Some(pause) = self.pause {
            tokio::time::sleep(pause).await;
            self.pause = None;
        }
        if self.open.is_none() {
            match self.connect().await? {
                Some(open) => self.open = Some(open),
                None => return self.broken(),
            }
        }
        loop {
            let Some(open) = &mut self.open else {
                return self.broken();
            };
            if let Some(text) = open.ready.pop_front() {
                // A frame of a later version is skipped.
                if let Ok(frame) = serde_json::from_str::<Frame>(&text) {
                    self.tries = 0;
                    self.saw(&frame);
                    return Ok(StreamItem::Frame(Box::new(frame)));
                }
                continue;
            }
            let chunk = tokio::time::timeout(SILENCE_MAX, open.answer.chunk()).await;
            let Ok(Ok(Some(chunk))) = chunk else {
                return self.broken();
            };
            let whole = open.parser.push(&chunk);
            let whole = whole.map_err(|error| {
                Failure::caused(Exit::Failed, "the stream cannot be read", &error)
            })?;
            open.ready.extend(whole);
        }
    }

    fn saw(&mut self, frame: &Frame) {
        match &frame.message {
            ServerMessage::Init(init) => self.seen = Some(init.seq),
            _ => self.seen = frame.seq.or(self.seen),
        }
    }

    /// `None` if a later attempt may succeed.
    async fn connect(&self) -> Result<Option<Open>, Failure> {
        let path = match self.seen {
            Some(seen) => format!("{}?after={seen}", self.path),
            None => self.path.clone(),
        };
        let request = self.client.request(Method::GET, &path).timeout(STREAM_MAX);
        let answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) if error.is_builder() => return Err(self.client.unreachable(&error)),
            Err(_) => return Ok(None),
        };
        let status = answer.status();
        if status.is_success() {
            return Ok(Some(Open {
                answer,
                parser: EventStreamParser::bounded(ANSWER_BYTES_MAX),
                ready: VecDeque::new(),
            }));
        }
        if status.is_server_error() || retry_after(&answer, PAUSES[0]).is_some() {
            // Reported once no attempt is left.
            tracing::debug!(%status, "the stream is refused for now");
            if self.tries + 1 < TRIES_MAX {
                return Ok(None);
            }
        }
        let bytes = self.client.read_body(answer).await?;
        Err(refusal::failure(status, &bytes))
    }

    fn broken(&mut self) -> Result<StreamItem, Failure> {
        self.open = None;
        self.tries += 1;
        if self.tries >= TRIES_MAX {
            let message = format!("cannot reach {}", self.client.endpoint.url);
            let hint = self.client.endpoint.unreachable_hint();
            return Err(Failure::new(Exit::Unavailable, message).hint(hint));
        }
        let pause = PAUSES[(self.tries - 1).min(PAUSES.len() - 1)];
        self.pause = Some(pause);
        Ok(StreamItem::Broken(pause))
    }
}
