//! The one connection of this process that receives messages. Owns connecting, subscribing and
//! detecting a dead connection; `topics.rs` delivers the messages.
//!
//! INVARIANT: exactly the wanted topics are subscribed, again after every reconnect, and every loss
//! of the connection is reported: [`Topics::interrupt`] follows each.

use std::{collections::HashSet, sync::Arc, time::Duration};

use ::redis::{
    Client, Msg, RedisError,
    aio::{PubSub, PubSubSink},
};
use bytes::Bytes;
use domain::limits::{CONNECTION_CHECK_EVERY, COORDINATION_RETRY_DELAY};
use futures::{
    FutureExt, StreamExt,
    future::{BoxFuture, Fuse, FusedFuture},
};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::topics::{Change, Topics};

/// Runs until it is aborted. Does not connect before there is a subscriber. A request of its own without a response
/// within `answer_timeout` means that the connection is lost.
pub(super) async fn run(client: Client, topics: Arc<Topics>, answer_timeout: Duration) {
    let mut failing = false;
    loop {
        while topics.is_empty() {
            topics.changed().await;
        }
        let lost = match within(answer_timeout, client.get_async_pubsub()).await {
            Ok(connection) => {
                if std::mem::take(&mut failing) {
                    tracing::info!("receiving coordination messages again");
                }
                let lost = listen(connection, &topics, answer_timeout).await;
                topics.interrupt();
                lost
            }
            Err(lost) => lost,
        };
        // Once per outage: the next attempts fail for the same reason.
        if !std::mem::replace(&mut failing, true) {
            tracing::warn!(error = %lost, "not receiving coordination messages, reconnecting");
        }
        sleep(COORDINATION_RETRY_DELAY).await;
    }
}

#[derive(Debug, thiserror::Error)]
enum Lost {
    #[error("the connection was closed")]
    Closed,
    #[error("no answer within {0:?}")]
    NoAnswer(Duration),
    #[error(transparent)]
    Redis(#[from] RedisError),
}

enum Done {
    Subscribed(Vec<String>),
    Unsubscribed,
    Alive,
}

type Request = Fuse<BoxFuture<'static, Result<Done, Lost>>>;

/// Feeds the topics until the connection is lost. One request is under way at a time, so that their
/// order is defined; messages are read from the connection meanwhile, because its own buffer has no
/// bound.
async fn listen(connection: PubSub, topics: &Topics, answer_timeout: Duration) -> Lost {
    let (sink, mut messages) = connection.split();
    let mut subscribed = HashSet::new();
    let mut request: Request = Fuse::terminated();
    let mut changed = true;
    let mut check = interval(CONNECTION_CHECK_EVERY);
    check.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        if changed && request.is_terminated() {
            match topics.next_change(&mut subscribed) {
                Some(change) => request = send(sink.clone(), change, answer_timeout),
                None => changed = false,
            }
        }
        tokio::select! {
            message = messages.next() => match message {
                Some(message) => deliver(&message, topics),
                None => return Lost::Closed,
            },
            done = &mut request => match done {
                Ok(Done::Subscribed(names)) => {
                    topics.confirm(&names);
                    subscribed.extend(names);
                }
                Ok(Done::Unsubscribed | Done::Alive) => {}
                Err(lost) => return lost,
            },
            () = topics.changed() => changed = true,
            _ = check.tick(), if request.is_terminated() => request = ping(sink.clone(), answer_timeout),
        }
    }
}

fn deliver(message: &Msg, topics: &Topics) {
    let payload = Bytes::copy_from_slice(message.get_payload_bytes());
    topics.dispatch(message.get_channel_name(), &payload);
}

fn send(mut sink: PubSubSink, change: Change, answer_timeout: Duration) -> Request {
    let request = async move {
        match change {
            Change::Subscribe(names) => {
                within(answer_timeout, sink.subscribe(names.as_slice())).await?;
                Ok(Done::Subscribed(names))
            }
            Change::Unsubscribe(names) => {
                within(answer_timeout, sink.unsubscribe(names.as_slice())).await?;
                Ok(Done::Unsubscribed)
            }
        }
    };
    request.boxed().fuse()
}

/// A peer that vanished without closing is indistinguishable from one without messages.
fn ping(mut sink: PubSubSink, answer_timeout: Duration) -> Request {
    let request = async move {
        within(answer_timeout, sink.ping::<::redis::Value>()).await?;
        Ok(Done::Alive)
    };
    request.boxed().fuse()
}

async fn within<T>(
    answer_timeout: Duration,
    request: impl Future<Output = Result<T, RedisError>>,
) -> Result<T, Lost> {
    match timeout(answer_timeout, request).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(Lost::NoAnswer(answer_timeout)),
    }
}
