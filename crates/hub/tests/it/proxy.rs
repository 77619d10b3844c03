//! A connection that can be held and cut, and led elsewhere.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU16, AtomicUsize, Ordering},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};
use tokio_util::sync::CancellationToken;

/// Passes bytes on to a port, until told otherwise.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    target: Arc<AtomicU16>,
    is_held: watch::Sender<bool>,
    awaited: Arc<Mutex<Awaited>>,
    cut: Arc<Mutex<CancellationToken>>,
    connections: Arc<AtomicUsize>,
}

/// What is looked for in requests: answers wait from the first on that has it.
#[derive(Default)]
struct Awaited {
    word: Option<&'static str>,
    asked: usize,
}

impl Proxy {
    pub(crate) async fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let proxy = Self {
            port: listener.local_addr().expect("its address").port(),
            target: Arc::new(AtomicU16::new(target)),
            is_held: watch::Sender::new(false),
            awaited: Arc::default(),
            cut: Arc::new(Mutex::new(CancellationToken::new())),
            connections: Arc::new(AtomicUsize::new(0)),
        };
        let (token, count) = (Arc::clone(&proxy.cut), Arc::clone(&proxy.connections));
        let (target, held) = (Arc::clone(&proxy.target), proxy.is_held.clone());
        let awaited = Arc::clone(&proxy.awaited);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let cut = token.lock().expect("no task panics with it").clone();
                let (target, held) = (target.load(Ordering::SeqCst), held.clone());
                let awaited = Arc::clone(&awaited);
                tokio::spawn(async move {
                    let Ok(far) = TcpStream::connect(("127.0.0.1", target)).await else {
                        return;
                    };
                    let ((from, to), (back, there)) = (near.into_split(), far.into_split());
                    let passing = async {
                        let answers = answers(back, to, held.subscribe());
                        tokio::join!(requests(from, there, &held, &awaited), answers)
                    };
                    tokio::select! {
                        // What was held when it was cut is not passed on, although it may be by now.
                        biased;
                        () = cut.cancelled() => {}
                        _ = passing => {}
                    }
                });
            }
        });
        proxy
    }

    /// Where new connections go from now on.
    pub(crate) fn lead_to(&self, target: u16) {
        self.target.store(target, Ordering::SeqCst);
    }

    /// Whether answers wait here.
    pub(crate) fn hold(&self, is_held: bool) {
        self.is_held.send_replace(is_held);
    }

    /// Answers wait here as soon as this was asked for, before it is asked for there.
    pub(crate) fn hold_from(&self, asked: &'static str) {
        self.awaited.lock().expect("no task panics with it").word = Some(asked);
    }

    /// How often that was asked for.
    pub(crate) fn asked(&self) -> usize {
        self.awaited.lock().expect("no task panics with it").asked
    }

    /// Breaks every connection that stands; what was held is lost.
    pub(crate) fn cut(&self) {
        let mut token = self.cut.lock().expect("no task panics with it");
        std::mem::replace(&mut *token, CancellationToken::new()).cancel();
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn requests(
    mut from: OwnedReadHalf,
    mut there: OwnedWriteHalf,
    held: &watch::Sender<bool>,
    awaited: &Mutex<Awaited>,
) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        if is_first(&bytes[..read], awaited) {
            held.send_replace(true);
        }
        if there.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
    let _ = there.shutdown().await;
}

/// Whether this asks for what is awaited, and nothing did before.
fn is_first(bytes: &[u8], awaited: &Mutex<Awaited>) -> bool {
    let request = String::from_utf8_lossy(bytes);
    let mut awaited = awaited.lock().expect("no task panics with it");
    let is_it = awaited.word.is_some_and(|word| request.contains(word));
    awaited.asked += usize::from(is_it);
    is_it && awaited.asked == 1
}

async fn answers(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut held: watch::Receiver<bool>) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        if held.wait_for(|is_held| !is_held).await.is_err()
            || to.write_all(&bytes[..read]).await.is_err()
        {
            return;
        }
    }
    // A receiver that waits for the end of what is sent gets it.
    let _ = to.shutdown().await;
}
