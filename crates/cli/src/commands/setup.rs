//! `proliferate setup`: the link that makes the first organization of an installation.

use app::{
    App,
    setup::{self, OlderLinks},
};
use domain::limits::SETUP_LINK_LIFE;
use serde_json::json;

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    operator::{Operator, OperatorArgs, print_secret},
};

/// Make a new link that sets up an installation without an organization.
///
/// The link works once and within an hour; the links from before stop working. The page that it opens makes the first
/// organization and its owner, whose admins operate the installation.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    operator: OperatorArgs,
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let url = operator.public_url()?;
    let link = make(&operator.app, &url, OlderLinks::Replace).await?;
    operator.app.db.close().await;
    let link = link.ok_or_else(|| {
        Failure::new(Exit::Failed, "this installation has an organization already")
            .hint("`proliferate login-link --user USER --org ORG` lets a member in; `proliferate org list` lists organizations")
    })?;
    let facts = json!({ "expiresInSeconds": SETUP_LINK_LIFE.as_secs() });
    print_secret(context, "link", &link, &facts);
    Ok(Exit::Ok)
}

/// The link itself; none where there is an organization.
async fn make(app: &App, url: &str, older: OlderLinks) -> Result<Option<String>, Failure> {
    let code = setup::link_create(app, older).await?;
    let url = url.trim_end_matches('/');
    Ok(code.map(|code| format!("{url}/setup?code={}", code.expose())))
}

/// Prints a link where there is no organization yet. Each instance that starts prints one, and each of these works.
pub(crate) async fn announce(context: &Context, app: &App, url: &str) -> Result<(), Failure> {
    if !setup::is_needed(app).await? {
        return Ok(());
    }
    if let Some(link) = make(app, url, OlderLinks::Keep).await? {
        context.printer.note(&format!(
            "This installation has no organization yet. To set it up, open this link within an hour:\n\n  {link}\n\n\
             It works once. `proliferate setup` makes a new one."
        ));
    }
    Ok(())
}
