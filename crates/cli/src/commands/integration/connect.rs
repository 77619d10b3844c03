//! `proliferate integration connect`.

use crate::{
    browser,
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
};

/// Open the page where services are connected with their own authorization, and print its address.
///
/// A service sends the browser back to the gateway, which accepts it only from the browser that began: so it begins there.
/// `integration create` connects with a token instead, without a browser.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only print the address
    #[arg(long)]
    no_browser: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let page = format!("{}/connectors", client.url());
    context.printer.data(&page);
    if !args.no_browser && browser::open(&page) {
        context.printer.note("opened in the browser");
    }
    Ok(Exit::Ok)
}
