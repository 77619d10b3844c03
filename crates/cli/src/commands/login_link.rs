//! `proliferate login-link`: a link that signs a user's browser in, once. For operators, who hold the database and
//! need no other proof.

use app::{App, identity};
use domain::{
    id::{OrganizationId, UserId},
    limits::LOGIN_CODE_LIFE,
    role::Role,
};
use serde_json::json;

use crate::{
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    operator::{Operator, OperatorArgs, print_secret},
};

/// Make a link that lets a browser in, once and within an hour.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Who it lets in (default: the owner of the demo organization)
    #[arg(long, value_name = "USER")]
    user: Option<UserId>,
    /// The organization it lets them into; the demo one in a data directory of `dev`
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub async fn run(context: &Context, args: Args) -> Outcome {
    let operator = Operator::open(context, &args.operator).await?;
    let organization_id = operator.organization(args.org)?;
    let url = operator.public_url()?;
    let user_id = args.user.map_or_else(demo_owner, Ok)?;
    let link = make(&operator.app, &url, &organization_id, &user_id).await?;
    operator.app.db.close().await;
    let facts = json!({
        "organizationId": organization_id.as_str(),
        "userId": user_id.as_str(),
        "expiresInSeconds": LOGIN_CODE_LIFE.as_secs(),
    });
    print_secret(context, "link", &link, &facts);
    Ok(Exit::Ok)
}

/// The link itself.
pub(crate) async fn make(
    app: &App,
    url: &str,
    organization_id: &OrganizationId,
    user_id: &UserId,
) -> Result<String, Failure> {
    let code = identity::login_code_create(app, organization_id, user_id).await?;
    let url = url.trim_end_matches('/');
    Ok(format!("{url}/login/dev?code={}", code.expose()))
}

fn demo_owner() -> Result<UserId, Failure> {
    UserId::new(format!("user_demo_{}", Role::Owner))
        .map_err(|_| Failure::new(Exit::Usage, "no user is named; name one with `--user`"))
}
