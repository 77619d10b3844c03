//! A way to PostgreSQL that can be cut and mended.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};
use tokio_util::sync::CancellationToken;

pub(super) struct Link {
    url: String,
    is_cut: Arc<AtomicBool>,
    standing: Arc<Mutex<CancellationToken>>,
}

impl Link {
    pub(super) async fn to(url: &str) -> Self {
        let (_, rest) = url.split_once('@').unwrap();
        let (target, _) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let link = Self {
            url: url.replacen(target, &address, 1),
            is_cut: Arc::default(),
            standing: Arc::default(),
        };
        let (is_cut, standing) = (Arc::clone(&link.is_cut), Arc::clone(&link.standing));
        let target = target.to_owned();
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                if is_cut.load(Ordering::SeqCst) {
                    continue;
                }
                let (cut, target) = (standing.lock().unwrap().clone(), target.clone());
                tokio::spawn(async move {
                    let Ok(mut far) = TcpStream::connect(target).await else {
                        return;
                    };
                    tokio::select! {
                        // Both sides see for themselves how it ended.
                        _ = copy_bidirectional(&mut near, &mut far) => {}
                        () = cut.cancelled() => {}
                    }
                });
            }
        });
        link
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Breaks every connection; new ones are closed at once.
    pub(super) fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        let mut standing = self.standing.lock().unwrap();
        std::mem::take(&mut *standing).cancel();
    }

    pub(super) fn mend(&self) {
        self.is_cut.store(false, Ordering::SeqCst);
    }
}
