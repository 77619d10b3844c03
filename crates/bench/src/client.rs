//! The cheapest client there is: prepared bytes out, a status and a body in (counted, or in chunks), on a
//! connection that stays open. Whatever it costs is taken from the server's two cores.

use anyhow::{Context, bail};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

#[derive(Debug)]
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// Largest answer a benchmark asks for.
const ANSWER_BYTES_MAX: usize = 256 * 1024;

/// How a body in chunks ends.
const LAST_CHUNK: &[u8] = b"\r\n0\r\n\r\n";

impl Client {
    /// Sends, and comes back with the first event of the stream; the rest of it is left for [`Self::rest`].
    pub(crate) async fn first_event(&mut self, request: &[u8]) -> anyhow::Result<()> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        while find(&self.buffer, b"data:").is_none() {
            self.read().await?;
        }
        Ok(())
    }

    /// Reads a body in chunks to its end.
    pub(crate) async fn rest(&mut self) -> anyhow::Result<()> {
        while !self.buffer.ends_with(LAST_CHUNK) {
            self.read().await?;
        }
        Ok(())
    }

    async fn read(&mut self) -> anyhow::Result<()> {
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            bail!("the server closed the connection");
        }
        if self.buffer.len() > ANSWER_BYTES_MAX {
            bail!("the answer is too long");
        }
        Ok(())
    }

    pub(crate) async fn connect(address: std::net::SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::with_capacity(ANSWER_BYTES_MAX),
        })
    }

    /// The status of the answer.
    pub(crate) async fn call(&mut self, request: &[u8]) -> anyhow::Result<u16> {
        self.exchange(request).await.map(|(status, _)| status)
    }

    /// Status and body.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> anyhow::Result<(u16, &[u8])> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        loop {
            self.read().await?;
            let Some(head_end) = find(&self.buffer, b"\r\n\r\n") else {
                continue;
            };
            let head = std::str::from_utf8(&self.buffer[..head_end])?;
            let body_start = head_end + 4;
            let length = if head.contains("transfer-encoding: chunked") {
                if !self.buffer.ends_with(LAST_CHUNK) {
                    continue;
                }
                self.buffer.len() - body_start
            } else {
                content_length(head)?
            };
            if self.buffer.len() >= body_start + length {
                let status = head.get(9..12).context("a status line")?.parse()?;
                return Ok((status, &self.buffer[body_start..body_start + length]));
            }
        }
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

fn content_length(head: &str) -> anyhow::Result<usize> {
    let line = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim())
    });
    Ok(line.context("the answer has a length")?.parse()?)
}

/// A request's bytes.
pub(crate) fn request(method: &str, path: &str, token: &str, extra: &str, body: &str) -> Vec<u8> {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n{extra}\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
