//! A collector that takes one request and keeps it.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

const REQUEST_BYTES_MAX: usize = 1024 * 1024;

/// One HTTP request as it arrived.
pub(super) struct Received {
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Received {
    pub(super) fn contains(&self, text: &str) -> bool {
        self.body
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    }
}

/// Listens on a free port; the request comes through the channel.
pub(super) fn start() -> (SocketAddr, Receiver<Received>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        let mut bytes = Vec::new();
        let mut chunk = [0; 4096];
        loop {
            let count = stream.read(&mut chunk).unwrap();
            assert!(count > 0, "the request ended early");
            bytes.extend_from_slice(&chunk[..count]);
            assert!(bytes.len() <= REQUEST_BYTES_MAX);
            if let Some(received) = whole_request(&bytes) {
                stream
                    .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
                    .unwrap();
                sender.send(received).unwrap();
                return;
            }
        }
    });
    (address, receiver)
}

fn whole_request(bytes: &[u8]) -> Option<Received> {
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let length: usize = head.lines().find_map(|line| {
        line.to_ascii_lowercase()
            .strip_prefix("content-length: ")?
            .parse()
            .ok()
    })?;
    let body = bytes[end + 4..].to_vec();
    (body.len() == length).then_some(Received { head, body })
}
