//! Bounds of forwarded bodies: a maximum of bytes, a longest pause between two pieces, and at most one piece read ahead.

use std::{
    fmt, io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use domain::limits::GIT_STALL_MAX;
use futures::{Stream, StreamExt as _};

/// The body of a request or response, as a stream.
pub struct GitBody(Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>);

impl GitBody {
    pub fn new(pieces: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Self {
        Self(Box::pin(pieces))
    }
}

impl Stream for GitBody {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx)
    }
}

impl fmt::Debug for GitBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GitBody")
    }
}

/// Ends with an error where there are more bytes, or the next ones take too long.
pub(super) fn bounded(stream: GitBody, bytes_max: u64) -> GitBody {
    bounded_by(stream, bytes_max, GIT_STALL_MAX)
}

fn bounded_by(stream: GitBody, bytes_max: u64, stall_max: Duration) -> GitBody {
    let next = move |state: Option<(GitBody, u64)>| async move {
        let (mut stream, left) = state?;
        let piece = match tokio::time::timeout(stall_max, stream.next()).await {
            Ok(piece) => piece?,
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "nothing came")),
        };
        let piece = piece.and_then(|piece| {
            let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
            let left = left.checked_sub(length);
            let left = left.ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, "too much"));
            Ok((piece, left?))
        });
        Some(match piece {
            Ok((piece, left)) => (Ok(piece), Some((stream, left))),
            Err(error) => (Err(error), None),
        })
    };
    GitBody::new(futures::stream::unfold(Some((stream, bytes_max)), next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(sizes: &[usize]) -> GitBody {
        let pieces: Vec<_> = sizes
            .iter()
            .map(|size| Ok(Bytes::from(vec![0; *size])))
            .collect();
        GitBody::new(futures::stream::iter(pieces))
    }

    #[tokio::test]
    async fn there_are_so_many_bytes_and_then_an_error() {
        for (sizes, whole, is_cut) in [
            (&[4, 6][..], 2, false),
            (&[4, 7, 1], 1, true),
            (&[], 0, false),
        ] {
            let all: Vec<_> = bounded(pieces(sizes), 10).collect().await;
            let good = all.iter().filter(|piece| piece.is_ok()).count();
            assert_eq!((good, all.len() > good), (whole, is_cut), "{sizes:?}");
        }
    }

    #[tokio::test]
    async fn a_pause_ends_it() {
        let silent = GitBody::new(pieces(&[1]).chain(futures::stream::pending()));
        let all: Vec<_> = bounded_by(silent, 10, Duration::from_millis(10))
            .collect()
            .await;
        assert!(all.len() == 2 && all[1].is_err(), "{all:?}");
    }
}
