//! Where the gateway listens: for people, for sandboxes, and for readers of its measurements.

use std::{io, net::SocketAddr};

use config::{SandboxProvider, Settings};
use gateway::Listeners;
use tokio::net::TcpListener;

use crate::{context::Context, exit::Exit, failure::Failure};

/// What was bound, and where that is.
#[derive(Debug)]
pub(crate) struct Listening {
    pub(crate) listeners: Listeners,
    pub(crate) people: SocketAddr,
    /// Absent where there are no sandboxes.
    pub(crate) sandboxes: Option<SocketAddr>,
}

/// What may be done about an address for sandboxes that was not chosen and is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IfTaken {
    /// Another one: nothing has to be set up.
    UseAnother,
    /// Nothing: sandboxes that go on would look for the gateway in vain.
    Refuse,
}

/// Binds all addresses, or says what is in the way. Logs what their settings leave open.
pub(crate) async fn bind(
    context: &Context,
    settings: &Settings,
    if_taken: IfTaken,
) -> Result<Listening, Failure> {
    for caution in settings.cautions() {
        let (setting, hint) = (caution.setting, &caution.hint);
        tracing::warn!(hint, "`{setting}` {}", caution.message);
    }
    let people = bind_one(settings.server.listen, "--listen").await?;
    let people_at = bound(&people)?;
    let sandboxes = match settings.sandbox.provider {
        SandboxProvider::Off if settings.sandbox.listen.is_none() => None,
        _ => Some(bind_for_sandboxes(context, settings, people_at, if_taken).await?),
    };
    let metrics = match settings.server.metrics_listen {
        None => None,
        Some(address) => Some(bind_one(address, "--metrics-listen").await?),
    };
    Ok(Listening {
        people: people_at,
        sandboxes: sandboxes.as_ref().map(bound).transpose()?,
        listeners: Listeners {
            people,
            sandboxes,
            metrics,
        },
    })
}

async fn bind_for_sandboxes(
    context: &Context,
    settings: &Settings,
    people: SocketAddr,
    if_taken: IfTaken,
) -> Result<TcpListener, Failure> {
    // A port that was taken freely has no neighbour that the next start would find.
    let beside = match settings.server.listen.port() {
        0 => SocketAddr::new(people.ip(), 0),
        _ => people,
    };
    let address = settings.sandbox.listen(beside);
    let is_chosen = settings.sandbox.listen.is_some() || if_taken == IfTaken::Refuse;
    match bind_one(address, "--sandbox-listen").await {
        Err(failure) if failure.exit == Exit::Conflict && !is_chosen => {
            let listener = bind_one(SocketAddr::new(address.ip(), 0), "--sandbox-listen").await?;
            context.printer.warning(&format!(
                "{address} is taken: sandboxes come in at {}; those of an earlier start do not find it",
                bound(&listener)?
            ));
            Ok(listener)
        }
        outcome => outcome,
    }
}

fn bound(listener: &TcpListener) -> Result<SocketAddr, Failure> {
    let address = listener.local_addr();
    Ok(address.map_err(|error| anyhow::Error::new(error).context("the socket has no address"))?)
}

/// Binds one address; `flag` sets it.
async fn bind_one(address: SocketAddr, flag: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let message = format!("cannot listen on {address}");
        match error.kind() {
            io::ErrorKind::AddrInUse => Failure::new(
                Exit::Conflict,
                format!("{message}: another process uses this port"),
            )
            .hint(format!(
                "stop that process, or take a free port with `{flag} 127.0.0.1:0`"
            )),
            io::ErrorKind::PermissionDenied => Failure::caused(Exit::Failed, message, &error).hint(
                format!("ports below 1024 need special rights; take a higher one with `{flag}`"),
            ),
            io::ErrorKind::AddrNotAvailable => Failure::caused(Exit::Failed, message, &error)
                .hint("the address must be one of this machine's; 127.0.0.1 always is"),
            _ => Failure::caused(Exit::Failed, message, &error),
        }
    })
}
