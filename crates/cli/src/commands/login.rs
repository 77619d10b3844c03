//! `proliferate login`: lets a person's browser approve this terminal, and saves the API key that it is given (RFC 8628).

use std::time::Duration;

use domain::limits::DEVICE_POLL_INTERVAL;
use wire::{
    device_login::{
        DeviceLoginStarted, DeviceTokenRequest, DeviceTokenResponse, DeviceTokenStatus,
        StartDeviceLoginRequest,
    },
    me::Me,
};

use crate::{
    browser,
    client::{Client, Endpoint, valid_url},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    machine_name::machine_name,
    printer::printable,
    saved_contexts::{ContextsFile, SavedContext, check_name, contexts_file},
};

/// Longest wait between two questions, whatever a gateway demands.
const INTERVAL_MAX: Duration = Duration::from_mins(1);

/// Sign in to a gateway through the browser, save the key it gives, and make it the current context.
///
/// Prints an address and a code. Open the address in a browser that is signed in, on this machine or another one, compare
/// the code and approve. The gateway then makes an API key named after this machine, which Settings lists and revokes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The gateway's address
    #[arg(value_name = "URL")]
    gateway: String,
    /// What to call the context (default: the gateway's host name)
    #[arg(long)]
    name: Option<String>,
    /// What the key is named after (default: this machine's host name)
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// Only print the address, for a browser elsewhere
    #[arg(long)]
    no_browser: bool,
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let url = valid_url(&args.gateway)?;
    let name = args.name.unwrap_or_else(|| default_name(&url));
    check_name(&name)?;
    let file = contexts_file()?;
    let replaced = replaceable(&file, &name, &url)?;
    if is_readable_underway(&url) {
        let warning = "the connection is not encrypted: others on the way can read the key";
        context.printer.warning(warning);
    }
    let client = Client::new(Endpoint::without_token(&url)?)?;
    let request = StartDeviceLoginRequest {
        machine: args.machine.unwrap_or_else(machine_name),
    };
    // Sent once: each is another code to compare.
    let started: DeviceLoginStarted = client.post_once("/v1/login/device", &request).await?;
    announce(context, &started, args.no_browser);
    let saved = wait_until_decided(context, &client, &url, &started).await?;
    let me: Me = Client::new(Endpoint::of_saved(saved.clone(), None)?)?
        .get("/v1/me", &())
        .await?;
    file.change(|contexts| {
        // It may have been changed meanwhile: only one of the same gateway is replaced.
        if contexts
            .contexts
            .get(&name)
            .is_some_and(|old| old.url == url)
        {
            contexts.remove(&name)?;
        }
        contexts.add(&name, saved)?;
        contexts.select(&name)
    })?;
    if let Some(old) = replaced {
        revoke(context, old).await;
    }
    report(context, &name, &me);
    Ok(Exit::Ok)
}

/// The context of the same name that is signed in again; one of another gateway is in the way.
fn replaceable(
    file: &ContextsFile,
    name: &str,
    url: &str,
) -> Result<Option<SavedContext>, Failure> {
    let saved = file.read()?.contexts.remove(name);
    match saved {
        Some(other) if other.url != url => {
            let message = format!("the context `{name}` is of another gateway, {}", other.url);
            Err(Failure::new(Exit::Conflict, message).hint("choose another name with `--name`"))
        }
        saved => Ok(saved),
    }
}

/// The host, and the port if there is one.
fn default_name(url: &str) -> String {
    let parsed = reqwest::Url::parse(url).ok();
    let host = parsed.as_ref().and_then(reqwest::Url::host_str);
    let host = host
        .unwrap_or("gateway")
        .replace(['[', ']'], "")
        .replace(':', "-");
    let host = host.trim_start_matches('-').to_owned();
    match parsed.as_ref().and_then(reqwest::Url::port) {
        Some(port) => format!("{host}-{port}"),
        None => host,
    }
}

/// Whether the address is neither encrypted nor on this machine.
fn is_readable_underway(url: &str) -> bool {
    let parsed = reqwest::Url::parse(url).ok();
    let host = parsed.as_ref().and_then(reqwest::Url::host_str);
    let is_local = host.is_some_and(|host| {
        host == "localhost" || { host.trim_matches(['[', ']']).parse::<std::net::IpAddr>() }
            .is_ok_and(|address| address.is_loopback())
    });
    url.starts_with("http://") && !is_local
}

fn announce(context: &Context, started: &DeviceLoginStarted, no_browser: bool) {
    let printer = context.printer;
    let page = printable(&started.verification_url);
    printer.note(&format!("Open      {page}"));
    printer.note(&format!("Code      {}", printable(&started.user_code)));
    let minutes = started.expires_in_seconds / 60;
    printer.note(&format!(
        "Approve it only if the page shows this very code. It is good for {minutes} minutes."
    ));
    if !no_browser && browser::open(&started.verification_url) {
        printer.note("The page is open in the browser.");
    }
}

/// Asks at the gateway's pace until the person has decided, or the time is over.
async fn wait_until_decided(
    context: &Context,
    client: &Client,
    url: &str,
    started: &DeviceLoginStarted,
) -> Result<SavedContext, Failure> {
    let life = Duration::from_secs(started.expires_in_seconds);
    let end = context.clock.monotonic() + life + DEVICE_POLL_INTERVAL;
    let mut interval = Duration::from_secs(started.interval_seconds).min(INTERVAL_MAX);
    let request = DeviceTokenRequest {
        device_code: started.device_code.clone(),
    };
    while context.clock.monotonic() < end {
        tokio::time::sleep(interval).await;
        // Sent once: the key is in one answer alone. A lost answer is asked for again, and finds it gone.
        let answered = client.post_once("/v1/login/device/token", &request).await;
        let answer: DeviceTokenResponse = match answered {
            Ok(answer) => answer,
            // RFC 8628, section 3.5: after a timeout, wait longer.
            Err(failure) if failure.exit == Exit::Unavailable => {
                interval = (interval * 2).min(INTERVAL_MAX);
                continue;
            }
            Err(failure) => return Err(failure),
        };
        match answer.status {
            DeviceTokenStatus::Pending => {}
            DeviceTokenStatus::SlowDown => {
                interval = (interval + DEVICE_POLL_INTERVAL).min(INTERVAL_MAX);
            }
            DeviceTokenStatus::Denied => {
                return Err(Failure::new(
                    Exit::Denied,
                    "the request was denied in the browser",
                ));
            }
            DeviceTokenStatus::Expired => break,
            DeviceTokenStatus::Approved => return saved(url, answer),
        }
    }
    Err(
        Failure::new(Exit::Denied, "the code was not approved in time")
            .hint("run `proliferate login` again, and approve it within ten minutes"),
    )
}

fn saved(url: &str, answer: DeviceTokenResponse) -> Result<SavedContext, Failure> {
    let token = answer
        .key
        .ok_or_else(|| Failure::new(Exit::Failed, "the gateway approved and gave no key"))?;
    Ok(SavedContext {
        url: url.to_owned(),
        token,
        organization: None,
        api_key_id: answer.api_key.map(|key| key.id),
    })
}

/// Revokes the key that the new one takes the place of, as well as it can be.
async fn revoke(context: &Context, old: SavedContext) {
    let Some(id) = old.api_key_id else {
        return;
    };
    if super::logout::revoke(old, id).await.is_err() {
        let warning = "the key until now could not be revoked; Settings lists it";
        context.printer.warning(warning);
    }
}

fn report(context: &Context, name: &str, me: &Me) {
    context.printer.changed(me, |me| {
        let who = me
            .email
            .as_deref()
            .or(me.user_id.as_deref())
            .unwrap_or("a caller");
        let organization = me
            .organization_name
            .as_deref()
            .unwrap_or(&me.organization_id);
        let (who, organization) = (printable(who), printable(organization));
        format!("signed in as {who} of {organization}; the context `{name}` is current")
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_is_named_after_the_host() {
        for (url, name) in [
            ("https://agents.example.com", "agents.example.com"),
            ("https://agents.example.com/path", "agents.example.com"),
            ("http://127.0.0.1:7777", "127.0.0.1-7777"),
            ("http://[::1]:7777", "1-7777"),
        ] {
            assert_eq!(default_name(url), name);
        }
    }

    #[test]
    fn only_a_plain_address_elsewhere_can_be_read_underway() {
        for (url, readable) in [
            ("https://a.example", false),
            ("http://a.example", true),
            ("http://localhost:7777", false),
            ("http://127.0.0.1:7777", false),
            ("http://[::1]:7777", false),
            ("http://10.0.0.1", true),
        ] {
            assert_eq!(is_readable_underway(url), readable, "{url}");
        }
    }
}
