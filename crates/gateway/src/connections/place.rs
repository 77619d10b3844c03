//! A connection's place in the table, and the connection with it: the task that owns the bytes owns the place.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use super::{Connections, Link};

/// Given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) link: Arc<Link>,
    pub(super) table: Arc<Connections>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.table.leave(self.link.id);
    }
}

/// A connection that holds its place, also when it has become a WebSocket.
#[derive(Debug)]
pub(crate) struct OnWire {
    stream: TokioIo<TcpStream>,
    _place: Place,
}

impl OnWire {
    pub(crate) fn new(stream: TcpStream, place: Place) -> Self {
        Self {
            stream: TokioIo::new(stream),
            _place: place,
        }
    }
}

impl Read for OnWire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl Write for OnWire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }
}
