//! `proliferate token list`: API keys. Signed tokens are nowhere recorded, so there is no list of
//! them.

use app::api_keys;
use domain::{
    api_key::ApiKey, clock::Timestamp, id::OrganizationId, limits::PAGE_SIZE_MAX, page::PageRequest,
};
use wire::api_key::ApiKeyView;

use super::{Common, Opened};
use crate::{context::Context, exit::Exit, failure::Outcome, printer::Output};

/// List the API keys of an organization, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Whose keys; the demo organization's in a data directory of `dev`
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    #[command(flatten)]
    common: Common,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let opened = Opened::new(context, &args.common).await?;
    let organization_id = opened.organization(args.org)?;
    let mut keys: Vec<ApiKey> = Vec::new();
    let mut before = None;
    // Ends: each page begins below the one before.
    loop {
        let request = PageRequest {
            before,
            limit: PAGE_SIZE_MAX,
        };
        let page = api_keys::list_all(&opened.app, &organization_id, request).await?;
        keys.extend(page.items);
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    match context.printer.output {
        Output::Json => {
            let views: Vec<ApiKeyView> = keys.into_iter().map(Into::into).collect();
            context.printer.json(&views);
        }
        Output::Table => {
            let rows: Vec<Vec<String>> = keys.iter().map(row).collect();
            let headings = [
                "ID", "PREFIX", "NAME", "USER", "CREATED", "EXPIRES", "REVOKED",
            ];
            context.printer.table(&headings, &rows, "no API keys");
        }
    }
    Ok(Exit::Ok)
}

fn row(key: &ApiKey) -> Vec<String> {
    let optional = |at: Option<Timestamp>| at.map_or_else(|| "-".to_owned(), seconds);
    vec![
        key.id.to_string(),
        key.prefix.clone(),
        key.name.clone(),
        key.user_id.to_string(),
        seconds(key.created_at),
        optional(key.expires_at),
        optional(key.revoked_at),
    ]
}

fn seconds(at: Timestamp) -> String {
    at.datetime().format("%Y-%m-%d %H:%M:%S").to_string()
}
