//! The way of clients to gateways: requests run where they arrive and end with the process; answers may be late, lost,
//! or never come. A client that hears nothing asks again, elsewhere perhaps.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use app::App;
use domain::limits::REQUEST_TIMEOUT;
use hub::Hub;
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
    time::{sleep, timeout},
};

use crate::{rng::Rng, trace::Trace};

/// A gateway that can be asked.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) handle: Handle,
    pub(crate) app: App,
    pub(crate) hub: Hub,
}

/// Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Net {
    pub(crate) rng: Rng,
    pub(crate) trace: Trace,
    pub(crate) storm: Arc<AtomicBool>,
    slots: Arc<Mutex<Vec<Option<Entry>>>>,
}

impl Net {
    pub(crate) fn new(gateways: usize, rng: Rng, trace: Trace, storm: Arc<AtomicBool>) -> Self {
        Self {
            rng,
            trace,
            storm,
            slots: Arc::new(Mutex::new(vec![None; gateways])),
        }
    }

    pub(crate) fn set(&self, number: usize, entry: Option<Entry>) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots[number] = entry;
    }

    /// The instance that an uninformed client asks.
    pub(crate) fn any(&self) -> usize {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let count = slots.len() as u64;
        drop(slots);
        usize::try_from(self.rng.below(count)).unwrap_or_default()
    }

    /// The gateway that an address of the fleet names.
    pub(crate) fn at(url: &str) -> Option<usize> {
        let (number, _) = url.strip_prefix("http://g")?.split_once('.')?;
        number.parse().ok()
    }

    fn entry(&self, number: usize) -> Option<Entry> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.get(number).cloned().flatten()
    }

    fn is_stormy(&self) -> bool {
        self.storm.load(Ordering::SeqCst)
    }

    /// Asks a gateway; `None` without an answer. Now and then the question arrives twice.
    pub(crate) async fn ask<T, F>(&self, number: usize, work: impl Fn(App, Hub) -> F) -> Option<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        if self.is_stormy() && self.rng.chance(40) {
            let other = self.any();
            self.trace.fault("duplicated", format!("to g{other}"));
            drop(self.send(other, &work));
        }
        let Some(answer) = self.send(number, &work) else {
            // Refused.
            sleep(Duration::from_millis(20)).await;
            return None;
        };
        let patience = if self.is_stormy() && self.rng.chance(40) {
            self.trace.fault("impatient", format!("of g{number}"));
            self.rng.millis(1, 500)
        } else {
            REQUEST_TIMEOUT
        };
        let answer = timeout(patience, answer).await.ok()?.ok()?;
        if self.is_stormy() && self.rng.chance(30) {
            self.trace.fault("unheard", format!("from g{number}"));
            return None;
        }
        Some(answer)
    }

    fn send<T, F>(
        &self,
        number: usize,
        work: &impl Fn(App, Hub) -> F,
    ) -> Option<oneshot::Receiver<T>>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let entry = self.entry(number)?;
        let (reply, answer) = oneshot::channel();
        let late = match self.rng.below(100) {
            0..80 => self.rng.millis(0, 5),
            80..97 => self.rng.millis(5, 200),
            _ if self.is_stormy() => self.rng.millis(200, 5_000),
            _ => Duration::ZERO,
        };
        let work = work(entry.app, entry.hub);
        entry.handle.spawn(async move {
            sleep(late).await;
            // The client may have disconnected.
            _ = reply.send(work.await);
        });
        Some(answer)
    }

    /// Opens a stream; it ends when the gateway does.
    pub(crate) fn open<T, F>(
        &self,
        number: usize,
        work: impl FnOnce(App, Hub, mpsc::UnboundedSender<T>) -> F,
    ) -> Option<mpsc::UnboundedReceiver<T>>
    where
        T: Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let entry = self.entry(number)?;
        let (sender, receiver) = mpsc::unbounded_channel();
        entry.handle.spawn(work(entry.app, entry.hub, sender));
        Some(receiver)
    }
}
