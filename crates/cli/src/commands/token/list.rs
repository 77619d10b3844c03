//! `proliferate token list`: API keys. Signed tokens are nowhere recorded, so there is no list of
//! them.

use app::api_keys;
use domain::{api_key::ApiKey, id::OrganizationId, limits::PAGE_SIZE_MAX, page::PageRequest};
use wire::api_key::ApiKeyView;

use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    fields::{List, seconds, text},
    operator::{Operator, OperatorArgs},
    printer::Output,
};

/// List the API keys of an organization, newest first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Whose keys; the demo organization's in a data directory of `dev`
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    #[command(flatten)]
    operator: OperatorArgs,
}

const LIST: List<ApiKeyView> = List {
    columns: &[
        ("ID", |key| text(&key.id)),
        ("PREFIX", |key| text(&key.prefix)),
        ("NAME", |key| text(&key.name)),
        ("USER", |key| text(&key.user_id)),
        ("CREATED", |key| Some(seconds(key.created_at))),
        ("EXPIRES", |key| key.expires_at.map(seconds)),
        ("REVOKED", |key| key.revoked_at.map(seconds)),
    ],
    none: "no API keys",
};

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let organization_id = operator.organization(args.org)?;
    let mut keys: Vec<ApiKey> = Vec::new();
    let mut before = None;
    // Ends: each page begins below the one before.
    loop {
        let request = PageRequest {
            before,
            limit: PAGE_SIZE_MAX,
        };
        let page = api_keys::list_all(&operator.app, &organization_id, request).await?;
        keys.extend(page.items);
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    let keys: Vec<ApiKeyView> = keys.into_iter().map(Into::into).collect();
    match context.printer.output {
        Output::Json => context.printer.json(&keys),
        Output::Table => LIST.print_table(context.printer, &keys),
    }
    Ok(Exit::Ok)
}
