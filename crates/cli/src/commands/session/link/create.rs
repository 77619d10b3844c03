//! `proliferate session link create`.

use std::time::Duration;

use domain::id::SessionId;
use wire::sharing::{CreateShareLinkRequest, CreatedShareLink};

use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    fields::seconds,
    value_parsers::duration,
};

/// Make a share link and print its address. The address is shown only now.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id
    id: SessionId,
    /// How long it works, in whole hours: `1h` to `30d` (default: 7d)
    #[arg(long, value_name = "TIME", value_parser = hours)]
    expires: Option<u32>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

fn hours(text: &str) -> Result<u32, String> {
    const HOUR: Duration = Duration::from_hours(1);
    let time = duration(text)?;
    let whole = time.as_secs().is_multiple_of(HOUR.as_secs());
    let hours = u32::try_from(time.as_secs() / HOUR.as_secs()).ok();
    hours
        .filter(|_| whole)
        .ok_or_else(|| "write whole hours or days, such as `24h` or `7d`".to_owned())
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/sessions/{}/share-links", args.id);
    let request = CreateShareLinkRequest {
        expires_in_hours: args.expires,
    };
    // Not repeated: a second request would make a second link.
    let created: CreatedShareLink = client.post_once(&path, &request).await?;
    let printer = &context.printer;
    printer.result(&created, |created| created.url.expose().to_owned());
    let (id, until) = (created.link.id, seconds(created.link.expires_at));
    printer.note(&format!(
        "it works until {until}; `proliferate session link revoke {} {id}` ends it",
        args.id
    ));
    Ok(Exit::Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_life_is_in_whole_hours() {
        for (text, expected) in [
            ("1h", Some(1)),
            ("7d", Some(168)),
            ("90m", None),
            ("1", None),
        ] {
            assert_eq!(hours(text).ok(), expected, "{text}");
        }
    }
}
