//! `proliferate integration create`.

use wire::integration::{CreateIntegrationRequest, GithubAppRequest, IntegrationView};

use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::Outcome,
    secret_input::SecretArgs,
};

/// Connect a service with a token of it, or GitHub with the private key of an app, and print the connection's id.
///
/// The token or key is read, never given as an argument. Recorded in the audit log.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The service, such as `linear`
    service: String,
    /// What the connection is called (default: the service's name)
    #[arg(long)]
    name: Option<String>,
    /// A scope that the token has, for people to see; may be given several times
    #[arg(long = "scope", value_name = "SCOPE")]
    scopes: Vec<String>,
    /// The GitHub App's id: its private key is read instead of a token
    #[arg(long, value_name = "ID", requires = "installation")]
    github_app: Option<String>,
    /// Where the GitHub App is installed
    #[arg(long, value_name = "NUMBER", requires = "github_app")]
    installation: Option<i64>,
    #[command(flatten)]
    value: SecretArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let (token, github_app) = match (args.github_app, args.installation) {
        (Some(app_id), Some(installation_id)) => {
            let private_key = args.value.read(context.printer, "the app's private key")?;
            let app = GithubAppRequest {
                app_id,
                installation_id,
                private_key,
            };
            (None, Some(app))
        }
        _ => (Some(args.value.read(context.printer, "the token")?), None),
    };
    let request = CreateIntegrationRequest {
        integration_id: args.service,
        display_name: args.name,
        token,
        github_app,
        scopes: args.scopes,
    };
    // Sent once: sent again it would be a second one.
    let created: IntegrationView = client.post_once("/v1/integrations", &request).await?;
    context
        .printer
        .result(&created, |created| created.id.to_string());
    Ok(Exit::Ok)
}
