//! A connection to the agent that can be cut.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};
use tokio_util::sync::CancellationToken;

/// Passes bytes on to a port, until told to cut.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    cut: Arc<Mutex<CancellationToken>>,
    connections: Arc<AtomicUsize>,
}

impl Proxy {
    pub(crate) async fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("its address").port();
        let cut = Arc::new(Mutex::new(CancellationToken::new()));
        let connections = Arc::new(AtomicUsize::new(0));
        let (token, count) = (Arc::clone(&cut), Arc::clone(&connections));
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let cut = token.lock().expect("nobody panics with it").clone();
                tokio::spawn(async move {
                    let Ok(mut far) = TcpStream::connect(("127.0.0.1", target)).await else {
                        return;
                    };
                    tokio::select! {
                        _ = copy_bidirectional(&mut near, &mut far) => {}
                        () = cut.cancelled() => {}
                    }
                });
            }
        });
        Self {
            port,
            cut,
            connections,
        }
    }

    /// Breaks every connection that stands.
    pub(crate) fn cut(&self) {
        let mut token = self.cut.lock().expect("nobody panics with it");
        std::mem::replace(&mut *token, CancellationToken::new()).cancel();
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}
