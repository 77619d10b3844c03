//! `proliferate org create`.

use app::{
    access::TerminalOperator,
    organizations::{self, NewOrganization, NewOwner},
};
use domain::limits::LOGIN_CODE_LIFE;
use serde_json::json;
use wire::organization::OrganizationView;

use super::fields::named;
use crate::{
    context::Context,
    exit::Exit,
    failure::Outcome,
    operator::{Operator, OperatorArgs, print_secret},
};

/// Create an organization with its owner, and print a link that logs the owner in once.
///
/// The first organization of an installation operates it. A user with the owner's address becomes the owner; otherwise a
/// user is made.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The name; the id is made of it
    name: String,
    /// The owner's mail address
    #[arg(long, value_name = "ADDRESS")]
    owner_email: String,
    /// The owner's name
    #[arg(long, value_name = "NAME")]
    owner_name: String,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let new = NewOrganization {
        name: args.name,
        owner: NewOwner {
            name: args.owner_name,
            email: args.owner_email,
        },
    };
    let created = organizations::create(&operator.app, &TerminalOperator, &new).await;
    let (organization, owner_id, code) = created?;
    let url = operator.public_url()?;
    operator.app.db.close().await;
    let view = OrganizationView::from(organization);
    context.printer.note(&format!(
        "created {}; this link logs its owner in, once and within an hour:",
        named(&view)
    ));
    let link = format!(
        "{}/login/dev?code={}",
        url.trim_end_matches('/'),
        code.expose()
    );
    let facts = json!({
        "organization": view,
        "ownerId": owner_id.as_str(),
        "expiresInSeconds": LOGIN_CODE_LIFE.as_secs(),
    });
    print_secret(context, "link", &link, &facts);
    Ok(Exit::Ok)
}
