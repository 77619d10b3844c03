//! The subscribers of this process and their topics. Owns the members of every topic and which
//! topics the service has confirmed; does not own the connection that feeds them
//! (`redis/listener.rs`).
//!
//! The set of topics is a desired state that the listener applies, not a stream of commands: a
//! subscriber can leave from `drop`, where waiting for room in a queue is impossible.
//!
//! INVARIANT: a member that was receiving when the connection was lost gets a gap before anything
//! else.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use domain::limits::{SUBSCRIPTIONS_MAX, TOPICS_PER_COMMAND_MAX};
use tokio::sync::{Notify, watch};

use crate::{
    error::Full,
    queue::{Queue, Subscription},
};

#[derive(Debug, Default)]
pub(crate) struct Topics {
    inner: Mutex<Inner>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    /// Ordered, so that all of them are notified in the same order every time.
    entries: BTreeMap<String, Entry>,
    members: usize,
    next_id: u64,
}

#[derive(Debug, Default)]
struct Entry {
    /// Whether the service sends this topic. Joining waits for it.
    confirmed: watch::Sender<bool>,
    members: Vec<Member>,
}

#[derive(Debug)]
struct Member {
    id: u64,
    queue: Arc<Queue>,
    interrupted: bool,
}

/// A membership of a topic, ended on drop.
#[derive(Debug)]
pub(crate) struct Membership {
    topics: Arc<Topics>,
    topic: String,
    id: u64,
}

/// The next subscription command to the service.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Subscribe(Vec<String>),
    Unsubscribe(Vec<String>),
}

impl Topics {
    /// Adds a subscriber. The receiver turns true once messages of the topic arrive.
    pub(crate) fn join(
        self: &Arc<Self>,
        topic: String,
    ) -> Result<(Subscription, watch::Receiver<bool>), Full> {
        let queue = Arc::new(Queue::default());
        let mut inner = self.lock();
        if inner.members >= SUBSCRIPTIONS_MAX {
            return Err(Full {
                entries_max: SUBSCRIPTIONS_MAX,
            });
        }
        inner.members += 1;
        inner.next_id += 1;
        let id = inner.next_id;
        let entry = inner.entries.entry(topic.clone()).or_default();
        entry.members.push(Member {
            id,
            queue: Arc::clone(&queue),
            interrupted: false,
        });
        let confirmed = entry.confirmed.subscribe();
        drop(inner);
        self.changed.notify_one();
        let membership = Membership {
            topics: Arc::clone(self),
            topic,
            id,
        };
        Ok((Subscription::new(queue, membership), confirmed))
    }

    pub(crate) fn dispatch(&self, topic: &str, payload: &Bytes) {
        if let Some(entry) = self.lock().entries.get_mut(topic) {
            // The first message can arrive before the confirmation of a resubscription.
            entry.tell_gap();
            for member in &entry.members {
                member.queue.push(payload.clone());
            }
        }
    }

    /// The service sends these topics from now on.
    pub(crate) fn confirm(&self, topics: &[String]) {
        let mut inner = self.lock();
        for topic in topics {
            if let Some(entry) = inner.entries.get_mut(topic) {
                entry.tell_gap();
                entry.confirmed.send_replace(true);
            }
        }
    }

    /// The connection is lost: every receiving member gets a gap.
    pub(crate) fn interrupt(&self) {
        for entry in self.lock().entries.values_mut() {
            if entry.confirmed.send_replace(false) {
                for member in &mut entry.members {
                    member.interrupted = true;
                }
            }
        }
    }

    /// The next step from what is `subscribed` to what is wanted, if they differ. Updates
    /// `subscribed` for removed topics at once: they count as removed when the request is sent.
    pub(crate) fn next_change(&self, subscribed: &mut HashSet<String>) -> Option<Change> {
        let inner = self.lock();
        let gone: Vec<String> = subscribed
            .iter()
            .filter(|topic| !inner.entries.contains_key(*topic))
            .take(TOPICS_PER_COMMAND_MAX)
            .cloned()
            .collect();
        if !gone.is_empty() {
            for topic in &gone {
                subscribed.remove(topic);
            }
            return Some(Change::Unsubscribe(gone));
        }
        let mut wanted = Vec::new();
        for (topic, entry) in &inner.entries {
            if !subscribed.contains(topic) {
                wanted.push(topic.clone());
                if wanted.len() == TOPICS_PER_COMMAND_MAX {
                    break;
                }
            } else if !*entry.confirmed.borrow() {
                // Left and joined again before it was unsubscribed: it never stopped.
                entry.confirmed.send_replace(true);
            }
        }
        (!wanted.is_empty()).then_some(Change::Subscribe(wanted))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().entries.is_empty()
    }

    /// Waits until a subscriber joined, or the last member of a topic left, since the last call.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Ends every subscription.
    pub(crate) fn close(&self) {
        for entry in self.lock().entries.values() {
            for member in &entry.members {
                member.queue.close();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No code under this lock can panic half-way.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn tell_gap(&mut self) {
        for member in &mut self.members {
            if std::mem::take(&mut member.interrupted) {
                member.queue.push_gap();
            }
        }
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        let mut inner = self.topics.lock();
        let Some(entry) = inner.entries.get_mut(&self.topic) else {
            return;
        };
        entry.members.retain(|member| member.id != self.id);
        let last = entry.members.is_empty();
        if last {
            inner.entries.remove(&self.topic);
        }
        inner.members -= 1;
        drop(inner);
        if last {
            self.topics.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;
    use crate::queue::Delivery;

    fn names(topics: &[&str]) -> Vec<String> {
        topics.iter().map(ToString::to_string).collect()
    }

    /// The next item without waiting.
    fn now(subscription: &mut Subscription) -> Option<Delivery> {
        let delivery = subscription.recv().now_or_never();
        delivery.expect("something is there, or the end")
    }

    #[test]
    fn only_the_last_to_leave_unsubscribes() {
        let topics = Arc::new(Topics::default());
        let mut subscribed = HashSet::new();
        let (first, _) = topics.join("a".into()).unwrap();
        let (second, _) = topics.join("a".into()).unwrap();
        let change = topics.next_change(&mut subscribed);
        assert_eq!(change, Some(Change::Subscribe(names(&["a"]))));
        subscribed.insert("a".into());
        drop(first);
        assert_eq!(topics.next_change(&mut subscribed), None);
        drop(second);
        let change = topics.next_change(&mut subscribed);
        assert_eq!(change, Some(Change::Unsubscribe(names(&["a"]))));
        assert!(topics.is_empty());
        assert_eq!(topics.lock().members, 0);
    }

    #[test]
    fn rejoining_before_the_unsubscribe_is_confirmed_at_once() {
        let topics = Arc::new(Topics::default());
        let mut subscribed = HashSet::from(["a".to_owned()]);
        let (_subscription, confirmed) = topics.join("a".into()).unwrap();
        assert_eq!(topics.next_change(&mut subscribed), None);
        assert!(*confirmed.borrow());
    }

    #[test]
    fn a_subscriber_gets_a_gap_before_the_next_message() {
        let topics = Arc::new(Topics::default());
        let (mut before, _) = topics.join("a".into()).unwrap();
        topics.confirm(&names(&["a"]));
        topics.interrupt();
        let (mut during, confirmed) = topics.join("a".into()).unwrap();
        assert!(!*confirmed.borrow());
        topics.dispatch("a", &Bytes::from("m"));
        topics.confirm(&names(&["a"]));
        let message = Some(Delivery::Message(Bytes::from("m")));
        assert_eq!(now(&mut before), Some(Delivery::Gap));
        assert_eq!(now(&mut before), message);
        assert_eq!(now(&mut during), message);
        topics.close();
        assert_eq!(now(&mut before), None);
        assert_eq!(now(&mut during), None);
    }

    #[test]
    fn subscriptions_are_bounded() {
        let topics = Arc::new(Topics::default());
        let held: Vec<_> = (0..SUBSCRIPTIONS_MAX)
            .map(|n| topics.join(n.to_string()).unwrap())
            .collect();
        assert!(topics.join("one more".into()).is_err());
        drop(held);
        assert!(topics.join("one more".into()).is_ok());
    }
}
