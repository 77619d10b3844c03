//! The queue of one subscriber. Owns its bound and the order in which losses are reported; does not
//! know topics or connections.
//!
//! INVARIANT: the subscriber learns of every lost message before the next one it gets.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use bytes::Bytes;
use domain::limits::{SUBSCRIPTION_QUEUE_BYTES_MAX, SUBSCRIPTION_QUEUE_MAX};
use futures::{Stream, StreamExt};

use crate::topics::Membership;

/// One item of a [`Subscription`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    Message(Bytes),
    /// The subscriber was too slow: this many of the oldest messages were dropped.
    Lagged(u64),
    /// The connection was lost and restored: messages may be missing before this point. It is sent
    /// only when receiving works again, so that state read elsewhere after it has no gap.
    Gap,
}

/// The messages of one topic, from [`Coordination::subscribe`] on. It ends when its coordination is
/// dropped; dropping it unsubscribes.
///
/// [`Coordination::subscribe`]: crate::Coordination::subscribe
#[derive(Debug)]
pub struct Subscription {
    queue: Arc<Queue>,
    _membership: Membership,
}

impl Subscription {
    pub(crate) fn new(queue: Arc<Queue>, membership: Membership) -> Self {
        Self {
            queue,
            _membership: membership,
        }
    }

    /// The next item; `None` at the end. Dropping the future loses nothing.
    pub async fn recv(&mut self) -> Option<Delivery> {
        self.next().await
    }
}

impl Stream for Subscription {
    type Item = Delivery;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Delivery>> {
        self.queue.poll(context)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// `None` is a gap.
    items: VecDeque<Option<Bytes>>,
    bytes: usize,
    lagged: u64,
    /// A gap among the dropped items: reported like the drops, never dropped itself.
    gap_dropped: bool,
    closed: bool,
    waker: Option<Waker>,
}

impl Queue {
    pub(crate) fn push(&self, payload: Bytes) {
        let mut state = self.lock();
        state.bytes += payload.len();
        state.items.push_back(Some(payload));
        while state.items.len() > SUBSCRIPTION_QUEUE_MAX
            || state.bytes > SUBSCRIPTION_QUEUE_BYTES_MAX
        {
            state.drop_oldest();
        }
        state.wake();
    }

    pub(crate) fn push_gap(&self) {
        let mut state = self.lock();
        // Two gaps in succession mean the same as one.
        if state.items.back() != Some(&None) {
            state.items.push_back(None);
        }
        if state.items.len() > SUBSCRIPTION_QUEUE_MAX {
            state.drop_oldest();
        }
        state.wake();
    }

    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.wake();
    }

    fn poll(&self, context: &Context<'_>) -> Poll<Option<Delivery>> {
        let mut state = self.lock();
        if let Some(delivery) = state.pop() {
            return Poll::Ready(Some(delivery));
        }
        if state.closed {
            return Poll::Ready(None);
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code below can panic half-way, so a poisoned state is still consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn pop(&mut self) -> Option<Delivery> {
        if self.lagged > 0 {
            return Some(Delivery::Lagged(std::mem::take(&mut self.lagged)));
        }
        if std::mem::take(&mut self.gap_dropped) {
            return Some(Delivery::Gap);
        }
        match self.items.pop_front()? {
            Some(payload) => {
                self.bytes -= payload.len();
                Some(Delivery::Message(payload))
            }
            None => Some(Delivery::Gap),
        }
    }

    fn drop_oldest(&mut self) {
        match self.items.pop_front() {
            Some(Some(payload)) => {
                self.bytes -= payload.len();
                self.lagged += 1;
            }
            Some(None) => self.gap_dropped = true,
            None => {}
        }
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(queue: &Queue) -> Vec<Delivery> {
        let mut state = queue.lock();
        std::iter::from_fn(|| state.pop()).collect()
    }

    #[test]
    fn the_oldest_are_dropped_counted_and_told_first() {
        let queue = Queue::default();
        for n in 0..SUBSCRIPTION_QUEUE_MAX + 3 {
            queue.push(Bytes::from(n.to_string()));
        }
        let got = drain(&queue);
        assert_eq!(got[0], Delivery::Lagged(3));
        assert_eq!(got[1], Delivery::Message(Bytes::from("3")));
        assert_eq!(got.len(), SUBSCRIPTION_QUEUE_MAX + 1);
    }

    #[test]
    fn large_messages_are_bounded_by_their_bytes() {
        let queue = Queue::default();
        let quarter = Bytes::from(vec![0; SUBSCRIPTION_QUEUE_BYTES_MAX / 4]);
        for _ in 0..6 {
            queue.push(quarter.clone());
        }
        let got = drain(&queue);
        assert_eq!(got[0], Delivery::Lagged(2));
        assert_eq!(got.len(), 5);
        assert_eq!(queue.lock().bytes, 0);
    }

    #[test]
    fn a_gap_survives_being_dropped_and_comes_before_what_follows_it() {
        let queue = Queue::default();
        queue.push(Bytes::from("before"));
        queue.push_gap();
        queue.push_gap();
        for n in 0..SUBSCRIPTION_QUEUE_MAX {
            queue.push(Bytes::from(n.to_string()));
        }
        let got = drain(&queue);
        assert_eq!(got[..2], [Delivery::Lagged(1), Delivery::Gap]);
        assert_eq!(got[2], Delivery::Message(Bytes::from("0")));
    }

    #[test]
    fn payloads_are_shared_between_subscribers() {
        let payload = Bytes::from(vec![1; 1000]);
        let queues = [Queue::default(), Queue::default()];
        for queue in &queues {
            queue.push(payload.clone());
        }
        for queue in &queues {
            let Some(Delivery::Message(got)) = drain(queue).pop() else {
                panic!("a message was pushed");
            };
            assert_eq!(got.as_ptr(), payload.as_ptr());
        }
    }
}
