//! One connection while it is open: what is under way on it, and since when nothing is.
//!
//! INVARIANT: a connection on which a request is under way is never the one that ends to make room: ending is claimed in
//! the same word that counts requests.

use std::{
    net::IpAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::{body::Body, http::Extensions};
use domain::{clock::Clock, id::SessionId};
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use tokio::sync::Notify;
use wire::problem::Code;

use super::{Connections, Peer, Proxies};
use crate::error::Failure;

/// In the place of a number of requests: the connection ends.
const ENDING: usize = usize::MAX / 2;

/// An open connection.
#[derive(Debug)]
pub(crate) struct Link {
    pub(super) id: u64,
    pub(super) remote: IpAddr,
    /// Absent for a proxy, which speaks for many.
    pub(super) peer: Option<Peer>,
    /// The proxies of the listener.
    pub(super) proxies: Arc<Proxies>,
    table: Weak<Connections>,
    clock: Arc<dyn Clock>,
    has_asked: AtomicBool,
    under_way: AtomicUsize,
    /// When the last request ended, in milliseconds of the clock.
    idle_since: AtomicU64,
    /// Answers that wait for their reader: a number, and since when.
    unread: Mutex<Vec<(u64, u64)>>,
    answers: AtomicU64,
    end: Notify,
}

impl Link {
    pub(super) fn new(
        id: u64,
        remote: IpAddr,
        peer: Option<Peer>,
        table: &Arc<Connections>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            id,
            remote,
            peer,
            proxies: Arc::clone(&table.proxies),
            table: Arc::downgrade(table),
            has_asked: AtomicBool::new(false),
            under_way: AtomicUsize::new(0),
            idle_since: AtomicU64::new(millis(clock.monotonic())),
            clock,
            unread: Mutex::default(),
            answers: AtomicU64::new(0),
            end: Notify::new(),
        }
    }

    /// Whether the connection is a proxy's, which speaks for many clients.
    pub(super) fn is_proxy(&self) -> bool {
        self.peer.is_none()
    }

    /// Counts a request; `None` if the connection is to end.
    pub(crate) fn begin(self: &Arc<Self>) -> Option<UnderWay> {
        if self.under_way.fetch_add(1, Ordering::AcqRel) >= ENDING {
            self.under_way.fetch_sub(1, Ordering::AcqRel);
            return None;
        }
        if !self.has_asked.swap(true, Ordering::AcqRel)
            && let Some(table) = self.table.upgrade()
        {
            table.has_asked(self.id);
        }
        Some(UnderWay(Arc::clone(self)))
    }

    /// Whether there was a request.
    pub(crate) fn has_asked(&self) -> bool {
        self.has_asked.load(Ordering::Acquire)
    }

    /// Takes the connection for ending, unless a request is under way.
    pub(super) fn claim(&self) -> bool {
        let claimed =
            self.under_way
                .compare_exchange(0, ENDING, Ordering::AcqRel, Ordering::Acquire);
        if claimed.is_ok() {
            self.end.notify_one();
        }
        claimed.is_ok()
    }

    /// Waits until it is claimed.
    pub(crate) async fn claimed(&self) {
        self.end.notified().await;
    }

    /// Since when nothing is under way; `None` if something is.
    pub(super) fn idle_since(&self) -> Option<u64> {
        let is_idle = self.under_way.load(Ordering::Acquire) == 0;
        is_idle.then(|| self.idle_since.load(Ordering::Acquire))
    }

    /// Whether nothing is under way for so long.
    pub(crate) fn is_idle_for(&self, most: Duration) -> bool {
        let since = self.idle_since();
        since.is_some_and(|since| self.now().saturating_sub(since) >= millis(most))
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.idle_since().is_some()
    }

    /// Whether an answer waits for its reader for so long.
    pub(crate) fn is_unread_for(&self, most: Duration) -> bool {
        let now = self.now();
        let too_long = |since: u64| now.saturating_sub(since) >= millis(most);
        self.unread().iter().any(|(_, since)| too_long(*since))
    }

    fn unread(&self) -> MutexGuard<'_, Vec<(u64, u64)>> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        millis(self.clock.monotonic())
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Counts the connection as one of this session's sandbox. A connection is not a sandbox's before it has shown a token, and
/// in tests without a socket there is none.
pub(crate) fn of_session(extensions: &Extensions, session_id: SessionId) -> Result<(), Failure> {
    let Some(link) = extensions.get::<Arc<Link>>() else {
        return Ok(());
    };
    // A proxy has many sessions on one connection.
    if link.is_proxy() {
        return Ok(());
    }
    let table = link.table.upgrade();
    if table.is_none_or(|table| table.of_session(link.id, session_id)) {
        return Ok(());
    }
    let detail = "the sandbox of this session has too many connections open";
    Err(Failure::new(Code::Overloaded, detail))
}

/// A request from its head until the last byte of its answer is handed over.
#[derive(Debug)]
pub(crate) struct UnderWay(Arc<Link>);

impl UnderWay {
    /// The connection is a WebSocket from now on, which has an end of its own: it is never idle.
    pub(crate) fn is_upgraded(&self) {
        self.0.under_way.fetch_add(1, Ordering::AcqRel);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let link = &self.0;
        link.idle_since.store(link.now(), Ordering::Release);
        link.under_way.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The body of an answer. It notes while it waits for its reader: nothing else tells a client that takes nothing of
/// what is there from a slow server, whatever the version of HTTP.
#[derive(Debug)]
pub(crate) struct Counted {
    body: Body,
    number: u64,
    under_way: UnderWay,
}

impl Counted {
    pub(crate) fn new(body: Body, under_way: UnderWay) -> Self {
        let number = under_way.0.answers.fetch_add(1, Ordering::Relaxed);
        let counted = Self {
            body,
            number,
            under_way,
        };
        counted.waits_for_reader();
        counted
    }

    fn waits_for_reader(&self) {
        let link = &self.under_way.0;
        link.unread().push((self.number, link.now()));
    }

    fn is_asked_for(&self) {
        let mut unread = self.under_way.0.unread();
        if let Some(at) = unread.iter().position(|(number, _)| *number == self.number) {
            unread.swap_remove(at);
        }
    }
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.is_asked_for();
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(_))) = polled {
            self.waits_for_reader();
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.is_asked_for();
    }
}
