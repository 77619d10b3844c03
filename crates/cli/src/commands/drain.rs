//! `proliferate drain`: one instance is taken out of the fleet, or back into it, as a client of any gateway.

use std::time::Duration;

use wire::fleet::{FleetView, InstanceView};

use crate::{
    client::{Client, EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    value_parsers::duration,
};

/// How often the instance is asked how many sessions are left.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Take an instance out of the fleet: it takes no new sessions and gives its own to others.
///
/// For operators: admins of the organizations that `fleet.operators` names. Clients come back by themselves, and turns of
/// agents go on. The gateway that is asked leads the request to the instance. An instance that is stopped with SIGTERM
/// does the same by itself.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The instance, by its id or the URL at which the others reach it; else the one that answers
    instance: Option<String>,
    /// Wait until no session is left there
    #[arg(long, conflicts_with = "undo")]
    wait: bool,
    /// How long to wait
    #[arg(long, value_name = "DURATION", default_value = "5m", value_parser = duration)]
    timeout: Duration,
    /// Let it take sessions again
    #[arg(long)]
    undo: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let fleet: FleetView = client.get("/v1/fleet", &()).await?;
    let id = chosen(&fleet, args.instance.as_deref())?.id;
    let path = format!("/v1/fleet/instances/{id}/drain");
    let mut instance: InstanceView = if args.undo {
        client.delete(&path).await?
    } else {
        client.post(&path, &()).await?
    };
    if args.wait {
        instance = wait_until_empty(context, &client, instance, args.timeout).await?;
    }
    context.printer.changed(&instance, progress);
    Ok(Exit::Ok)
}

fn chosen<'a>(fleet: &'a FleetView, named: Option<&str>) -> Result<&'a InstanceView, Failure> {
    let named = named.map(|name| name.trim_end_matches('/'));
    let found = fleet.instances.iter().find(|instance| match named {
        None => instance.is_this,
        Some(name) => instance.id.to_string() == name || instance.url.trim_end_matches('/') == name,
    });
    found.ok_or_else(|| {
        let name = named.unwrap_or_default();
        let message = format!("no instance that is alive has the id or the URL {name}");
        Failure::new(Exit::NotFound, message).hint("`GET /v1/fleet` lists those that are")
    })
}

/// Waits until no session is left, and reports how many are.
async fn wait_until_empty(
    context: &Context,
    client: &Client,
    mut instance: InstanceView,
    at_most: Duration,
) -> Result<InstanceView, Failure> {
    let path = format!("/v1/fleet/instances/{}", instance.id);
    let since = context.clock.monotonic();
    let mut said = None;
    while instance.hubs.leases > 0 {
        if instance.drain.is_none() {
            let message = "an operator lets the instance take sessions again";
            return Err(Failure::new(Exit::Conflict, message));
        }
        if said != Some(instance.hubs.leases) {
            said = Some(instance.hubs.leases);
            context.printer.note(&progress(&instance));
        }
        if context.clock.monotonic().saturating_sub(since) >= at_most {
            let message = format!("{} sessions are still there", instance.hubs.leases);
            return Err(Failure::new(Exit::Failed, message)
                .hint("it goes on; ask again, or wait longer with `--timeout`"));
        }
        tokio::time::sleep(POLL_INTERVAL).await;
        instance = client.get(&path, &()).await?;
    }
    Ok(instance)
}

fn progress(instance: &InstanceView) -> String {
    let id = instance.id;
    match instance.drain {
        None => format!("{id} takes sessions"),
        Some(drain) => format!(
            "{id} is drained: {} sessions left, {} handed over, {} put away",
            drain.left, drain.handed_over, drain.put_away
        ),
    }
}
