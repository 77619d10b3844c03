//! `proliferate automation update`.

use domain::id::{AutomationId, ConfigurationId};
use wire::{automation::UpdateAutomationRequest, patch::Patch};

use super::{fields::RECORD, instructions::Instructions};
use crate::{
    client::{Client, EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
};

/// Change an automation. Runs that are going on stay as they were started.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The automation's id, a part of it, or its name
    id: Selector<AutomationId>,
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
    fn is_empty(&self) -> bool {
        let texts = [
            &self.name,
            &self.description,
            &self.model,
            &self.configuration,
        ];
        texts.into_iter().all(Option::is_none) && !self.enable && !self.disable
    }

    async fn request(self, client: &Client) -> Result<UpdateAutomationRequest, Failure> {
        let configuration = match self.configuration.as_deref() {
            None => Patch::Keep,
            Some("none") => Patch::Clear,
            Some(text) => Patch::Set(configuration_id(client, text).await?.to_string()),
        };
        Ok(UpdateAutomationRequest {
            name: self.name,
            description: match self.description {
                None => Patch::Keep,
                Some(text) if text.is_empty() => Patch::Clear,
                Some(text) => Patch::Set(text),
            },
            agent_instructions: None,
            enabled: (self.enable || self.disable).then_some(self.enable),
            model_id: self.model,
            default_configuration_id: configuration,
        })
    }
}

async fn configuration_id(client: &Client, text: &str) -> Result<ConfigurationId, Failure> {
    let selector: Selector<ConfigurationId> = text
        .parse()
        .map_err(|why| Failure::new(Exit::Usage, format!("`--configuration` {why}")))?;
    selector.resolve(client).await
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let has_instructions = args.instructions.is_given();
    if !has_instructions && args.change.is_empty() {
        let hint = "`proliferate automation update --help` lists what can be changed.";
        return Err(Failure::new(Exit::Usage, "say what to change").hint(hint));
    }
    let agent_instructions = args.instructions.read()?;
    let client = connect(context, args.endpoint)?;
    let request = UpdateAutomationRequest {
        agent_instructions,
        ..args.change.request(&client).await?
    };
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/automations/{id}");
    let updated = client.patch(&path, &request).await?;
    RECORD.print(context.printer, &updated);
    Ok(Exit::Ok)
}
