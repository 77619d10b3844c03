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
    /// Answers wait from the first request on that has this in it.
    hold_from: Arc<Mutex<Option<&'static str>>>,
    cut: Arc<Mutex<CancellationToken>>,
    connections: Arc<AtomicUsize>,
}

impl Proxy {
    pub(crate) async fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let proxy = Self {
            port: listener.local_addr().expect("its address").port(),
            target: Arc::new(AtomicU16::new(target)),
            is_held: watch::Sender::new(false),
            hold_from: Arc::default(),
            cut: Arc::new(Mutex::new(CancellationToken::new())),
            connections: Arc::new(AtomicUsize::new(0)),
        };
        let (token, count) = (Arc::clone(&proxy.cut), Arc::clone(&proxy.connections));
        let (target, held) = (Arc::clone(&proxy.target), proxy.is_held.clone());
        let hold_from = Arc::clone(&proxy.hold_from);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let cut = token.lock().expect("nobody panics with it").clone();
                let (target, held) = (target.load(Ordering::SeqCst), held.clone());
                let hold_from = Arc::clone(&hold_from);
                tokio::spawn(async move {
                    let Ok(far) = TcpStream::connect(("127.0.0.1", target)).await else {
                        return;
                    };
                    let ((from, to), (back, there)) = (near.into_split(), far.into_split());
                    let passing = async {
                        let answers = answers(back, to, held.subscribe());
                        tokio::join!(requests(from, there, &held, &hold_from), answers)
                    };
                    tokio::select! {
                        _ = passing => {}
                        () = cut.cancelled() => {}
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
        *self.hold_from.lock().expect("nobody panics with it") = Some(asked);
    }

    /// Breaks every connection that stands; what was held is lost.
    pub(crate) fn cut(&self) {
        let mut token = self.cut.lock().expect("nobody panics with it");
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
    hold_from: &Mutex<Option<&'static str>>,
) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        if is_asked(&bytes[..read], hold_from) {
            held.send_replace(true);
        }
        if there.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
    let _ = there.shutdown().await;
}

/// Whether this is what was waited for; it is waited for once.
fn is_asked(bytes: &[u8], waited_for: &Mutex<Option<&'static str>>) -> bool {
    let asked = String::from_utf8_lossy(bytes);
    let mut waited_for = waited_for.lock().expect("nobody panics with it");
    waited_for.take_if(|what| asked.contains(*what)).is_some()
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
    // Whoever waits for an end of what is sent gets it.
    let _ = to.shutdown().await;
}
