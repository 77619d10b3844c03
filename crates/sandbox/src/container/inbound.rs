//! Connections into a container: a listener on this machine's loopback for each port, whose connections are forwarded inside.
//!
//! A program in the container (`carry.pl`) connects to a socket of this process, which is its offer to serve one connection,
//! and receives a port. It costs a fork, where a program that the engine starts takes a tenth of a second of processor. That
//! is for containers without an offer: made before there was the program, or taken over a moment ago from a process that
//! still has its offer.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bollard::container::LogOutput;
use domain::limits::{
    SANDBOX_CARRIER_ANSWER_MAX, SANDBOX_CARRIER_WAIT, SANDBOX_CARRIERS_MAX,
    SANDBOX_DOOR_CONNECTIONS_MAX, SANDBOX_DRAIN,
};
use futures::StreamExt as _;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, UnixListener, UnixStream},
    sync::{Notify, Semaphore},
    task::JoinSet,
    time::timeout,
};

use super::{
    helper::{Helper, HelperCall},
    response::failed,
};
use crate::{Error, Result};

/// The program of an offer, given to perl inside, so that an image need not have it.
pub(super) const OFFER_PROGRAM: &str = include_str!("carry.pl");
const STEP: &str = "carrying a connection";

/// Offers of a container to serve a connection, the oldest first.
#[derive(Default)]
pub(super) struct Offers {
    queue: Mutex<VecDeque<UnixStream>>,
    arrived: Notify,
}

impl Offers {
    /// Accepts offers, as long as this process has the sandbox.
    pub(super) async fn accept_all(self: Arc<Self>, listener: UnixListener) {
        loop {
            let Ok((offer, _)) = listener.accept().await else {
                tokio::time::sleep(SANDBOX_DRAIN).await;
                continue;
            };
            let mut queue = self.queue();
            // A new offer withdraws the old one.
            queue.retain(is_standing);
            if queue.len() < SANDBOX_CARRIERS_MAX {
                queue.push_back(offer);
            }
            drop(queue);
            self.arrived.notify_one();
        }
    }

    /// Connects to a port by an offer. Returns none without an offer.
    async fn connect(&self, port: u16) -> Result<Option<UnixStream>> {
        loop {
            let Ok(mut offer) = timeout(SANDBOX_CARRIER_WAIT, self.take()).await else {
                return Ok(None);
            };
            let asked = async {
                offer.write_all(&port.to_be_bytes()).await?;
                offer.read_u8().await
            };
            match timeout(SANDBOX_CARRIER_ANSWER_MAX, asked).await {
                Ok(Ok(b'+')) => return Ok(Some(offer)),
                Ok(Ok(_)) => {
                    let what = "a server at this port".to_owned();
                    return Err(Error::NotFound { what });
                }
                // It was withdrawn meanwhile.
                Ok(Err(_)) => {}
                // The program of the offer is stopped.
                Err(_) => return Ok(None),
            }
        }
    }

    async fn take(&self) -> UnixStream {
        loop {
            let arrived = self.arrived.notified();
            let offer = self.queue().pop_front();
            match offer {
                Some(offer) => return offer,
                None => arrived.await,
            }
        }
    }

    fn queue(&self) -> MutexGuard<'_, VecDeque<UnixStream>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the container still holds the offer; it sends nothing before a request.
fn is_standing(offer: &UnixStream) -> bool {
    let seen = offer.try_read(&mut [0]);
    seen.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}

/// Forwards connections of a listener on this machine to a port inside.
#[derive(Clone)]
pub(super) struct InboundPort {
    pub(super) helper: Helper,
    pub(super) offers: Arc<Offers>,
    /// The container's name.
    pub(super) container: String,
    pub(super) port: u16,
}

impl InboundPort {
    pub(super) async fn serve(self, listener: TcpListener) {
        let room = Arc::new(Semaphore::new(SANDBOX_DOOR_CONNECTIONS_MAX));
        let mut connections = JoinSet::new();
        loop {
            let Ok(permit) = Arc::clone(&room).acquire_owned().await else {
                return;
            };
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(SANDBOX_DRAIN).await;
                continue;
            };
            while connections.try_join_next().is_some() {}
            let inbound = self.clone();
            connections.spawn(async move {
                // The client sees a connection that was closed.
                if let Err(error) = inbound.forward(stream).await {
                    tracing::debug!(container = inbound.container, port = inbound.port, %error, "a connection into a sandbox ended");
                }
                drop(permit);
            });
        }
    }

    async fn forward(&self, mut stream: TcpStream) -> Result<()> {
        let _ = stream.set_nodelay(true);
        match self.offers.connect(self.port).await? {
            Some(mut offer) => {
                let (mut read, mut write) = stream.split();
                let (mut responses, mut requests) = offer.split();
                // Clients of HTTP do not close one half: when one direction ends, both do.
                let done = tokio::select! {
                    done = tokio::io::copy(&mut read, &mut requests) => done,
                    done = tokio::io::copy(&mut responses, &mut write) => done,
                };
                done.map(drop).map_err(|error| Error::failed(STEP, error))
            }
            None => self.forward_by_engine(stream).await,
        }
    }

    async fn forward_by_engine(&self, mut stream: TcpStream) -> Result<()> {
        let broken = |error: io::Error| Error::failed(STEP, error);
        let call = HelperCall::new("connect", [self.port.to_string()]);
        let session = self
            .helper
            .open_session(&self.container, call, "a server at this port");
        let mut session = session.await?;
        let written = session.written.await;
        let mut input = written.map_err(|error| Error::failed(STEP, error))?;
        let (mut read, mut write) = stream.split();
        let into = async {
            let mut buffer = vec![0; 16 * 1024];
            loop {
                let got = read.read(&mut buffer).await.map_err(broken)?;
                if got == 0 {
                    break;
                }
                input.write_all(&buffer[..got]).await.map_err(broken)?;
                input.flush().await.map_err(broken)?;
            }
            Ok(())
        };
        let out = async {
            write.write_all(&session.rest).await.map_err(broken)?;
            while let Some(piece) = session.output.next().await {
                if let LogOutput::StdOut { message } = piece.map_err(failed(STEP))? {
                    write.write_all(&message).await.map_err(broken)?;
                }
            }
            Ok(())
        };
        tokio::select! {
            done = into => done,
            done = out => done,
        }
    }
}
