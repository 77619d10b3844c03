//! What the stand-ins of action sources have in common: each is on a port of its own, holds state, records
//! every request, and goes wrong on demand. They are not the services: what they know is what the services
//! document.

use std::{
    collections::{BTreeMap, VecDeque},
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use serde_json::Value;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::serve::{decode, serve};

/// A running service; stopped when dropped.
#[derive(Debug)]
pub struct Standin {
    pub address: SocketAddr,
    /// Below which its requests go.
    pub base_url: String,
    /// The one credential it accepts.
    pub token: &'static str,
    shared: Shared,
    _stop: DropGuard,
}

pub(super) type Shared = Arc<Mutex<Held>>;

#[derive(Debug)]
pub(super) struct Held {
    pub(super) service: Box<dyn Wire>,
    pub(super) faults: VecDeque<Fault>,
    pub(super) requests: Vec<Recorded>,
    pub(super) changes: usize,
}

/// What one service is like.
pub(super) trait Wire: std::fmt::Debug + Send + 'static {
    /// Does what is asked and answers as the service does.
    fn answer(&mut self, request: &Recorded) -> Answer;

    /// How it refuses with this status.
    fn refusal(&self, status: u16) -> Answer;

    /// How it says that it was asked too often, with the header `Retry-After`.
    fn rate_limited(&self, retry_after: &str) -> Answer;
}

/// Something that goes wrong with one request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// Refused with a status, in the service's own words; nothing is done.
    Status(u16),
    /// Refused because of too many requests, with this `Retry-After`; nothing is done.
    RateLimited(&'static str),
    /// Answered like this; nothing is done.
    Answer(Answer),
    /// The connection is cut when the request was read; nothing is done.
    CutBefore,
    /// The request is read, nothing is done, and it is never answered.
    Held,
    /// It is done, and the connection is cut before the answer.
    CutAfter,
    /// It is done, and answered this much later.
    Late(Duration),
    /// It is done, and answered with something that is no JSON.
    Malformed,
    /// It is done, and answered with this many bytes.
    Oversized(usize),
}

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub method: String,
    /// As it was sent, encoded.
    pub path: String,
    pub query: BTreeMap<String, String>,
    /// By name in lower case.
    pub headers: BTreeMap<String, String>,
    /// `null` if there was none or it was no JSON.
    pub body: Value,
    /// The body as it came.
    pub bytes: Vec<u8>,
    /// The fields of a form, if it was one.
    pub form: BTreeMap<String, String>,
    /// Which connection it came on, counted from one.
    pub connection: usize,
}

/// What is sent back.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
    /// Whether the request changed something.
    pub(super) changed: bool,
}

impl Standin {
    pub(super) async fn start(service: impl Wire, base_path: &str, token: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Mutex::new(Held {
            service: Box::new(service),
            faults: VecDeque::new(),
            requests: Vec::new(),
            changes: 0,
        }));
        let stop = CancellationToken::new();
        tokio::spawn(serve(listener, Arc::clone(&shared), stop.clone()));
        Self {
            address,
            base_url: format!("http://{address}{base_path}"),
            token,
            shared,
            _stop: stop.drop_guard(),
        }
    }

    /// Lets the next requests go wrong, each in its way.
    pub fn fail_next(&self, faults: impl IntoIterator<Item = Fault>) {
        self.held().faults.extend(faults);
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.held().requests.clone()
    }

    pub fn last_request(&self) -> Recorded {
        self.requests().pop().expect("there was a request")
    }

    /// How often something was created, changed or deleted.
    pub fn changes(&self) -> usize {
        self.held().changes
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        held(&self.shared)
    }
}

pub(super) fn held(shared: &Shared) -> MutexGuard<'_, Held> {
    shared.lock().expect("no test panics holding it")
}

impl Answer {
    pub fn json(status: u16, body: impl Into<Value>) -> Self {
        let body: Value = body.into();
        Self {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            body: body.to_string(),
            changed: false,
        }
    }

    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(super) fn form(status: u16, body: String) -> Self {
        let content_type = "application/x-www-form-urlencoded; charset=utf-8";
        Self {
            body,
            ..Self::nothing(status).with_header("content-type", content_type)
        }
    }

    pub(super) fn nothing(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: String::new(),
            changed: false,
        }
    }

    pub(super) fn changed(mut self) -> Self {
        self.changed = true;
        self
    }
}

impl Recorded {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// The decoded segments of its path below a prefix, without a last empty one.
    pub(super) fn segments(&self, prefix: &str) -> Vec<String> {
        let path = self.path.strip_prefix(prefix).unwrap_or(&self.path);
        path.trim_matches('/').split('/').map(decode).collect()
    }

    /// A number of the query, or what it is without one.
    pub(super) fn number(&self, name: &str, otherwise: usize) -> usize {
        let text = self.query.get(name);
        text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    }
}
