//! One open connection: its requests under way, and since when it is idle.
//!
//! INVARIANT: a connection with a request under way is never closed to free a slot: closing is claimed in the same
//! atomic word that counts requests.

use std::{
    net::IpAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Body;
use domain::clock::Clock;
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use tokio::sync::Notify;

use super::{Peer, Proxies};

/// Stored instead of the number of requests: the connection is closing.
const ENDING: usize = usize::MAX / 2;

/// An open connection.
#[derive(Debug)]
pub(crate) struct ClientConnection {
    pub(super) id: u64,
    pub(super) remote: IpAddr,
    /// Absent for a proxy, which carries many clients.
    pub(super) peer: Option<Peer>,
    /// The proxies of the listener.
    pub(super) proxies: Arc<Proxies>,
    clock: Arc<dyn Clock>,
    has_requested: AtomicBool,
    under_way: AtomicUsize,
    /// When the last request ended, in milliseconds of the clock.
    idle_since: AtomicU64,
    /// Responses that wait for the client to read: a number, and since when.
    unread: Mutex<Vec<(u64, u64)>>,
    answers: AtomicU64,
    end: Notify,
}

impl ClientConnection {
    pub(super) fn new(
        id: u64,
        remote: IpAddr,
        peer: Option<Peer>,
        proxies: Arc<Proxies>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            id,
            remote,
            peer,
            proxies,
            has_requested: AtomicBool::new(false),
            under_way: AtomicUsize::new(0),
            idle_since: AtomicU64::new(millis(clock.monotonic())),
            clock,
            unread: Mutex::default(),
            answers: AtomicU64::new(0),
            end: Notify::new(),
        }
    }

    /// Whether the peer is a proxy, which carries many clients.
    pub(super) fn is_proxy(&self) -> bool {
        self.peer.is_none()
    }

    /// Counts a request; `None` if the connection is closing.
    pub(super) fn begin_request(self: &Arc<Self>) -> Option<ActiveRequest> {
        if self.under_way.fetch_add(1, Ordering::AcqRel) >= ENDING {
            self.under_way.fetch_sub(1, Ordering::AcqRel);
            return None;
        }
        Some(ActiveRequest(Arc::clone(self)))
    }

    /// Marks that it has sent a request; returns whether that is its first.
    pub(super) fn mark_requested(&self) -> bool {
        !self.has_requested.swap(true, Ordering::AcqRel)
    }

    /// Whether it has sent a request.
    pub(crate) fn has_requested(&self) -> bool {
        self.has_requested.load(Ordering::Acquire)
    }

    /// Claims the connection for closing, unless a request is under way.
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

    /// Since when it is idle; `None` if a request is under way.
    pub(super) fn idle_since(&self) -> Option<u64> {
        let is_idle = self.under_way.load(Ordering::Acquire) == 0;
        is_idle.then(|| self.idle_since.load(Ordering::Acquire))
    }

    /// Whether it has been idle for this long.
    pub(crate) fn is_idle_for(&self, most: Duration) -> bool {
        let since = self.idle_since();
        since.is_some_and(|since| self.now().saturating_sub(since) >= millis(most))
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.idle_since().is_some()
    }

    /// Whether a response has waited for the client to read for this long.
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

/// A request from its head until the last byte of its response is sent.
#[derive(Debug)]
pub(crate) struct ActiveRequest(Arc<ClientConnection>);

impl ActiveRequest {
    /// The connection is a WebSocket from now on, which is closed by its own handler: it is never
    /// idle.
    pub(crate) fn mark_upgraded(&self) {
        self.0.under_way.fetch_add(1, Ordering::AcqRel);
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        let connection = &self.0;
        connection
            .idle_since
            .store(connection.now(), Ordering::Release);
        connection.under_way.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The body of a response. It records how long it waits for the client to read: nothing else distinguishes a client
/// that does not read from a slow server, in any version of HTTP.
#[derive(Debug)]
pub(crate) struct TrackedBody {
    body: Body,
    number: u64,
    under_way: ActiveRequest,
}

impl TrackedBody {
    pub(crate) fn new(body: Body, under_way: ActiveRequest) -> Self {
        let number = under_way.0.answers.fetch_add(1, Ordering::Relaxed);
        let counted = Self {
            body,
            number,
            under_way,
        };
        counted.mark_unread();
        counted
    }

    fn mark_unread(&self) {
        let connection = &self.under_way.0;
        connection.unread().push((self.number, connection.now()));
    }

    fn mark_read(&self) {
        let mut unread = self.under_way.0.unread();
        if let Some(at) = unread.iter().position(|(number, _)| *number == self.number) {
            unread.swap_remove(at);
        }
    }
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.mark_read();
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(_))) = polled {
            self.mark_unread();
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

impl Drop for TrackedBody {
    fn drop(&mut self) {
        self.mark_read();
    }
}
