//! The ways into a container: a listener on this machine's loopback for each port, whose connections are carried inside.
//!
//! A helper in the container (`carry.pl`) offers itself at a socket of ours and is told a port. It costs a fork, where a
//! program that the engine starts takes a tenth of a second of processor. That is for containers without an offer:
//! made before there was the helper, or taken over a moment ago from a process that still has its offer.

use std::{
    collections::VecDeque,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
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

use super::{Container, Inner, inside::Call, name_of};
use crate::{Error, Result, SandboxId};

/// Given to perl inside, so that an image need not have it.
pub(super) const CARRY: &str = include_str!("carry.pl");
const STEP: &str = "carrying a connection";

/// Who offers to carry a connection, the oldest offer first.
#[derive(Default)]
pub(super) struct Carriers {
    waiting: Mutex<VecDeque<UnixStream>>,
    came: Notify,
}

impl Carriers {
    /// Takes their offers, as long as this process has the sandbox.
    pub(super) async fn gather(self: Arc<Self>, offers: UnixListener) {
        loop {
            let Ok((offer, _)) = offers.accept().await else {
                tokio::time::sleep(SANDBOX_DRAIN).await;
                continue;
            };
            let mut waiting = self.waiting();
            // A new offer withdraws the old one.
            waiting.retain(stands);
            if waiting.len() < SANDBOX_CARRIERS_MAX {
                waiting.push_back(offer);
            }
            drop(waiting);
            self.came.notify_one();
        }
    }

    /// A carrier connected to that port. `None` without an offer.
    async fn reach(&self, port: u16) -> Result<Option<UnixStream>> {
        loop {
            let Ok(mut carrier) = timeout(SANDBOX_CARRIER_WAIT, self.next()).await else {
                return Ok(None);
            };
            let asked = async {
                carrier.write_all(&port.to_be_bytes()).await?;
                carrier.read_u8().await
            };
            match timeout(SANDBOX_CARRIER_ANSWER_MAX, asked).await {
                Ok(Ok(b'+')) => return Ok(Some(carrier)),
                Ok(Ok(_)) => {
                    let what = "a server at this port".to_owned();
                    return Err(Error::NotFound { what });
                }
                // It was taken back meanwhile.
                Ok(Err(_)) => {}
                // The carrier is stopped.
                Err(_) => return Ok(None),
            }
        }
    }

    async fn next(&self) -> UnixStream {
        loop {
            let came = self.came.notified();
            let offer = self.waiting().pop_front();
            match offer {
                Some(offer) => return offer,
                None => came.await,
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<UnixStream>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the carrier still holds it; it sends nothing before a request.
fn stands(offer: &UnixStream) -> bool {
    let seen = offer.try_read(&mut [0]);
    seen.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}

impl Container {
    /// Where a port inside is reached from this machine.
    pub(super) async fn open_port(&self, id: &SandboxId, port: u16) -> Result<SocketAddr> {
        let known = |container: &Self| {
            let doors = container.0.doors.open();
            doors.get(id).and_then(|open| open.into.get(&port).copied())
        };
        if let Some(address) = known(self) {
            return Ok(address);
        }
        let failed = |error: io::Error| Error::failed("opening a way into the sandbox", error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        if let Some(address) = known(self) {
            return Ok(address);
        }
        let mut doors = self.0.doors.open();
        let open = doors.entry(id.clone()).or_default();
        open.into.insert(port, address);
        let way = Way {
            // Not the provider itself, which would then hold itself.
            provider: Arc::downgrade(&self.0),
            carriers: Arc::clone(&open.carriers),
            name: name_of(id),
            port,
        };
        open.tasks.spawn(way.keep(listener));
        Ok(address)
    }
}

/// From a listener of this machine to a port inside.
#[derive(Clone)]
struct Way {
    provider: Weak<Inner>,
    carriers: Arc<Carriers>,
    name: String,
    port: u16,
}

impl Way {
    async fn keep(self, listener: TcpListener) {
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
            let way = self.clone();
            connections.spawn(async move {
                // Who asked sees a connection that was closed.
                if let Err(error) = way.carry(stream).await {
                    tracing::debug!(container = way.name, port = way.port, %error, "a connection into a sandbox ended");
                }
                drop(permit);
            });
        }
    }

    async fn carry(&self, mut stream: TcpStream) -> Result<()> {
        let _ = stream.set_nodelay(true);
        match self.carriers.reach(self.port).await? {
            Some(mut carrier) => {
                let (mut read, mut write) = stream.split();
                let (mut answers, mut asks) = carrier.split();
                // Clients of HTTP do not close one half: when either side is done, both are.
                let done = tokio::select! {
                    done = tokio::io::copy(&mut read, &mut asks) => done,
                    done = tokio::io::copy(&mut answers, &mut write) => done,
                };
                done.map(drop).map_err(|error| Error::failed(STEP, error))
            }
            None => self.carry_by_engine(stream).await,
        }
    }

    async fn carry_by_engine(&self, mut stream: TcpStream) -> Result<()> {
        let failed = |error: io::Error| Error::failed(STEP, error);
        let container = self.provider.upgrade().map(Container).ok_or(Error::Gone)?;
        let call = Call::new("connect", [self.port.to_string()]);
        let session = container.begin(&self.name, call, "a server at this port");
        let mut session = session.await?;
        // A cycle: it would be held by what it holds.
        drop(container);
        let joined = session.given.await;
        let mut input = joined.map_err(|error| Error::failed(STEP, error))?;
        let (mut read, mut write) = stream.split();
        let into = async {
            let mut buffer = vec![0; 16 * 1024];
            loop {
                let got = read.read(&mut buffer).await.map_err(failed)?;
                if got == 0 {
                    break;
                }
                input.write_all(&buffer[..got]).await.map_err(failed)?;
                input.flush().await.map_err(failed)?;
            }
            Ok(())
        };
        let out = async {
            write.write_all(&session.rest).await.map_err(failed)?;
            while let Some(piece) = session.output.next().await {
                if let LogOutput::StdOut { message } = piece.map_err(super::failed(STEP))? {
                    write.write_all(&message).await.map_err(failed)?;
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
