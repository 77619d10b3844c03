//! Streams to clients, with the permits they hold until their last chunk.

use std::{io, pin::pin, time::Duration};

use axum::body::{Body, Bytes};
use domain::capacity::CapacityPermit;
use futures::{Stream, StreamExt as _};
use tokio::{
    sync::mpsc::{self, Sender},
    time::timeout,
};
use tracing::Instrument as _;

/// The items of a stream, with the permit it holds until it is dropped. For streams that handle stalled clients
/// themselves.
pub(crate) fn hold_permit<S: Stream>(
    stream: S,
    permit: CapacityPermit,
) -> impl Stream<Item = S::Item> + use<S> {
    stream.map(move |piece| {
        let _held = &permit;
        piece
    })
}

/// A body of such chunks. A client that reads none of them for too long is disconnected, so that the permit is
/// released in any case: a body that waits for its client is not polled.
pub(crate) fn stream_body<S, E>(stream: S, permit: CapacityPermit, stall_max: Duration) -> Body
where
    S: Stream<Item = Result<Bytes, E>> + Send + 'static,
    E: Into<Box<dyn std::error::Error + Send + Sync>> + Send + 'static,
{
    Body::from_stream(relay_chunks(stream, permit, stall_max))
}

fn relay_chunks<S, E>(
    stream: S,
    permit: CapacityPermit,
    stall_max: Duration,
) -> impl Stream<Item = io::Result<Bytes>> + Send
where
    S: Stream<Item = Result<Bytes, E>> + Send + 'static,
    E: Into<Box<dyn std::error::Error + Send + Sync>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(1);
    let relay = async move {
        let _held = permit;
        send_chunks(stream, &sender, stall_max).await;
    };
    tokio::spawn(relay.in_current_span());
    futures::stream::unfold(Some(receiver), |receiver| async {
        let mut receiver = receiver?;
        match receiver.recv().await {
            Some(StreamChunk::Piece(piece)) => Some((Ok(piece), Some(receiver))),
            Some(StreamChunk::End) => None,
            Some(StreamChunk::Broken(error)) => Some((Err(error), None)),
            // Without its end marker it is incomplete.
            None => {
                let error = io::Error::new(io::ErrorKind::TimedOut, "the client did not read it");
                Some((Err(error), None))
            }
        }
    })
}

enum StreamChunk {
    Piece(Bytes),
    Broken(io::Error),
    End,
}

/// Until the end, or until the client disconnects or stalls.
async fn send_chunks<S, E>(stream: S, client: &Sender<StreamChunk>, stall_max: Duration)
where
    S: Stream<Item = Result<Bytes, E>>,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut stream = pin!(stream);
    loop {
        let piece = tokio::select! {
            biased;
            () = client.closed() => return,
            piece = stream.next() => piece,
        };
        let (part, is_last) = match piece {
            Some(Ok(piece)) => (StreamChunk::Piece(piece), false),
            Some(Err(error)) => (StreamChunk::Broken(io::Error::other(error)), true),
            None => (StreamChunk::End, true),
        };
        let taken = timeout(stall_max, client.send(part)).await;
        if is_last || !matches!(taken, Ok(Ok(()))) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::{
        capacity::{CapacityPool, Claimant},
        limits::GIT_STREAMS,
    };
    use futures::stream;

    use super::*;

    fn pool() -> (CapacityPool, CapacityPermit) {
        let pool = CapacityPool::new(GIT_STREAMS);
        let claimant = Claimant::organization("acme".parse().unwrap());
        let permit = pool.try_acquire(&claimant, 1).unwrap();
        (pool, permit)
    }

    fn pieces(count: usize) -> impl Stream<Item = io::Result<Bytes>> + Send {
        stream::iter((0..count).map(|_| Ok(Bytes::from_static(b"piece"))))
    }

    #[tokio::test]
    async fn what_is_taken_is_whole_and_gives_the_permit_back() {
        let (pool, permit) = pool();
        let relay_chunks = relay_chunks(pieces(10), permit, Duration::from_secs(10));
        let all: Vec<_> = relay_chunks.collect().await;
        assert!(all.len() == 10 && all.iter().all(Result::is_ok), "{all:?}");
        assert_eq!(pool.held(), 0);
    }

    #[tokio::test]
    async fn a_client_that_takes_nothing_is_given_up() {
        let (pool, permit) = pool();
        let relay_chunks = relay_chunks(pieces(10), permit, Duration::from_millis(20));
        while pool.held() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let all: Vec<_> = relay_chunks.collect().await;
        assert!(all.last().is_some_and(Result::is_err), "{all:?}");
    }

    #[tokio::test]
    async fn a_client_that_is_gone_gives_the_permit_back() {
        let (pool, permit) = pool();
        let silent = stream::pending::<io::Result<Bytes>>();
        let relay_chunks = relay_chunks(silent, permit, Duration::from_mins(1));
        drop(relay_chunks);
        while pool.held() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}
