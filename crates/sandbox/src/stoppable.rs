//! Work that ends when its time is up or when its caller does not wait any more.

use std::time::Duration;

use tokio::time::timeout;

use crate::{
    Error, Result,
    stop::{STOPPED, StopSignal},
};

/// Runs work that reads many files on a blocking thread. Stops it when its time is up and when the future is dropped. A
/// timeout is returned only after the work has ended: then nothing reads the files, and nothing of a copy is left.
pub(crate) async fn stoppable<T: Send + 'static>(
    step: &'static str,
    max: Duration,
    work: impl FnOnce(&StopSignal) -> Result<T> + Send + 'static,
) -> Result<T> {
    let stop = StopSignal::default();
    let guard = stop.on_drop();
    let mut working = tokio::task::spawn_blocking(move || work(&stop));
    let Ok(joined) = timeout(max, &mut working).await else {
        drop(guard);
        // What it had made is removed when its result is dropped.
        drop(working.await);
        return Err(Error::TimedOut { step });
    };
    joined.map_err(|error| Error::failed(step, error))?
}

/// Waits for work that ends when its future is dropped. Drops it when its time is up and when it is stopped.
pub(crate) async fn within<T>(
    step: &'static str,
    max: Duration,
    stop: &StopSignal,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    tokio::select! {
        biased;
        () = stop.stopped() => Err(Error::failed(step, STOPPED)),
        done = timeout(max, work) => done.map_err(|_| Error::TimedOut { step })?,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Work that goes on until it is told to stop, and then says so.
    fn endless(ended: mpsc::Sender<()>) -> impl FnOnce(&StopSignal) -> Result<()> + Send + 'static {
        move |stop| {
            while !stop.is_stopped() {
                std::thread::yield_now();
            }
            let _ = ended.send(());
            Err(Error::Gone)
        }
    }

    #[tokio::test]
    async fn work_ends_when_its_time_is_up() {
        let (ended, end) = mpsc::channel();
        let done = stoppable("working", Duration::from_millis(20), endless(ended)).await;
        assert_eq!(done, Err(Error::TimedOut { step: "working" }));
        // Before it was said: nothing goes on behind it.
        assert_eq!(end.try_recv(), Ok(()));
    }

    #[tokio::test]
    async fn work_ends_when_its_future_is_dropped() {
        let (ended, end) = mpsc::channel();
        let working = tokio::spawn(stoppable("working", Duration::from_mins(1), endless(ended)));
        tokio::task::yield_now().await;
        working.abort();
        let ended = tokio::task::spawn_blocking(move || end.recv_timeout(Duration::from_secs(30)));
        // One that had not begun has nothing to end.
        assert_ne!(ended.await.unwrap(), Err(mpsc::RecvTimeoutError::Timeout));
    }

    #[tokio::test]
    async fn a_wait_ends_with_its_time_and_with_its_caller() {
        let stop = StopSignal::default();
        let soon = Duration::from_millis(5);
        let waited = within("waiting", soon, &stop, std::future::pending::<Result<()>>()).await;
        assert_eq!(waited, Err(Error::TimedOut { step: "waiting" }));
        assert_eq!(within("waiting", soon, &stop, async { Ok(1) }).await, Ok(1));
        drop(stop.on_drop());
        assert!(stop.check().is_err());
        let refused = within("waiting", Duration::MAX, &stop, async { Ok(1) }).await;
        assert_eq!(refused.unwrap_err().to_string(), "waiting: it was stopped");
    }
}
