//! `proliferate automation create`.

use domain::id::ConfigurationId;
use wire::automation::{AutomationView, CreateAutomationRequest};

use super::instructions::Instructions;
use crate::{
    client::{EndpointArgs, Selector, connect, resolve_option},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Add an automation and print its id. Nothing runs yet: `automation run` sets it to work.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What it is called
    name: String,
    #[command(flatten)]
    instructions: Instructions,
    /// What it is for, for people
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// The model that its agents use
    #[arg(long, value_name = "ID")]
    model: Option<String>,
    /// What its sessions start from; an empty workspace without one
    #[arg(long, value_name = "ID")]
    configuration: Option<Selector<ConfigurationId>>,
    /// It cannot be set to work until it is enabled
    #[arg(long)]
    disabled: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let instructions = args.instructions.read()?;
    let instructions = instructions.ok_or_else(|| {
        let message = "say what its agents are told";
        let hint = "Add `--instructions TEXT` or `--instructions-file FILE`.";
        Failure::new(Exit::Usage, message).hint(hint)
    })?;
    let client = connect(context, args.endpoint)?;
    let configuration = resolve_option(&client, args.configuration.as_ref()).await?;
    let request = CreateAutomationRequest {
        name: args.name,
        description: args.description,
        agent_instructions: instructions,
        enabled: args.disabled.then_some(false),
        model_id: args.model,
        default_configuration_id: configuration.map(|id| id.to_string()),
    };
    // Sent once: sent again it would be a second one.
    let created: AutomationView = client.post_once("/v1/automations", &request).await?;
    context
        .printer
        .result(&created, |created| created.id.to_string());
    Ok(Exit::Ok)
}
