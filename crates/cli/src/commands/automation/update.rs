//! `proliferate automation update`.

use domain::id::AutomationId;
use wire::{automation::UpdateAutomationRequest, patch::Patch};

use super::{fields::RECORD, instructions::Instructions};
use crate::{
    client::{EndpointArgs, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Change an automation. Runs that are going on stay as they were started.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id
    id: AutomationId,
    #[command(flatten)]
    change: Change,
    #[command(flatten)]
    instructions: Instructions,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// What is not given stays as it is.
#[derive(Debug, clap::Args)]
struct Change {
    /// What it is called
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// What it is for, for people; an empty one takes it away
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// The model that its agents use
    #[arg(long, value_name = "ID")]
    model: Option<String>,
    /// What its sessions start from; `none` is an empty workspace
    #[arg(long, value_name = "ID")]
    configuration: Option<String>,
    /// It can be set to work
    #[arg(long, conflicts_with = "disable")]
    enable: bool,
    /// It cannot
    #[arg(long)]
    disable: bool,
}

impl Change {
    fn request(self) -> UpdateAutomationRequest {
        UpdateAutomationRequest {
            name: self.name,
            description: patch(self.description, ""),
            agent_instructions: None,
            enabled: (self.enable || self.disable).then_some(self.enable),
            model_id: self.model,
            default_configuration_id: patch(self.configuration, "none"),
        }
    }
}

/// `nothing` is the word that clears it.
fn patch(given: Option<String>, nothing: &str) -> Patch<String> {
    match given {
        None => Patch::Keep,
        Some(text) if text == nothing => Patch::Clear,
        Some(text) => Patch::Set(text),
    }
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let has_instructions = args.instructions.is_given();
    let change = args.change.request();
    if !has_instructions && change == UpdateAutomationRequest::default() {
        let hint = "`proliferate automation update --help` lists what can be changed.";
        return Err(Failure::new(Exit::Usage, "say what to change").hint(hint));
    }
    let request = UpdateAutomationRequest {
        agent_instructions: args.instructions.read()?,
        ..change
    };
    let client = connect(context, args.endpoint)?;
    let path = format!("/v1/automations/{}", args.id);
    let updated = client.patch(&path, &request).await?;
    RECORD.print(context.printer, &updated);
    Ok(Exit::Ok)
}
