//! The preview: forwards connections to the port that was exposed; until one is, to the first of the usual ports on which a
//! server listens.

use std::{net::Ipv4Addr, net::Ipv6Addr, sync::Arc};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::timeout,
};

use super::context::DaemonContext;
use crate::limits::{ACCEPT_PAUSE, PREVIEW_CONNECT_WITHIN, PREVIEWS_MAX};

/// Where servers of web frameworks listen unless told otherwise.
const USUAL_PORTS: [u16; 4] = [3000, 5173, 8000, 4321];

pub(super) async fn serve(daemon: Arc<DaemonContext>, listener: TcpListener) {
    let connections = Arc::new(Semaphore::new(PREVIEWS_MAX));
    loop {
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else {
            return;
        };
        let Ok((mut incoming, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let daemon = Arc::clone(&daemon);
        tokio::spawn(async move {
            let _permit = permit;
            let _ = incoming.set_nodelay(true);
            match connect_target(daemon.services.exposed_port()).await {
                Some(mut server) => {
                    let _ = server.set_nodelay(true);
                    let _ = tokio::io::copy_bidirectional(&mut incoming, &mut server).await;
                }
                None => refuse(&mut incoming).await,
            }
        });
    }
}

async fn connect_target(exposed: Option<u16>) -> Option<TcpStream> {
    if let Some(port) = exposed {
        return connect(port).await;
    }
    for port in USUAL_PORTS {
        if let Some(stream) = connect(port).await {
            return Some(stream);
        }
    }
    None
}

async fn connect(port: u16) -> Option<TcpStream> {
    let v4 = timeout(
        PREVIEW_CONNECT_WITHIN,
        TcpStream::connect((Ipv4Addr::LOCALHOST, port)),
    )
    .await;
    if let Ok(Ok(stream)) = v4 {
        return Some(stream);
    }
    let v6 = timeout(
        PREVIEW_CONNECT_WITHIN,
        TcpStream::connect((Ipv6Addr::LOCALHOST, port)),
    )
    .await;
    v6.ok()?.ok()
}

/// Responds that no server listens. Reads the request first: closing on unread bytes would lose the response.
async fn refuse(incoming: &mut TcpStream) {
    const TEXT: &str = "Nothing listens on the exposed port of this sandbox.\n";
    let mut request = vec![0; 16 * 1024];
    let _ = timeout(PREVIEW_CONNECT_WITHIN, incoming.read(&mut request)).await;
    let length = TEXT.len();
    let answer = format!(
        "HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/plain\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{TEXT}"
    );
    let _ = incoming.write_all(answer.as_bytes()).await;
    let _ = incoming.shutdown().await;
}
