//! `proliferate session env`.

use std::io::Read as _;

use domain::{dotenv, id::SessionId, limits::REQUEST_BODY_BYTES_MAX};
use wire::{
    secret_text::SecretText,
    session::{SubmitEnvRequest, SubmitEnvResponse, SubmittedSecret},
};

use crate::{
    client::{EndpointArgs, Selector, connect},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::{Output, printable},
};

/// Give a session's agent values, and print their names. They come from the input or from this terminal's own
/// environment: every user of this machine can read a command line.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session's id, a part of it, or its title
    id: Selector<SessionId>,
    /// Variables of this terminal's environment; without any, the input is read as an env file
    names: Vec<String>,
    /// Put them into the sandbox, and keep them nowhere else
    #[arg(long)]
    once: bool,
    /// Keep them for every session of the configuration
    #[arg(long, conflicts_with = "once")]
    configuration: bool,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let values = if args.names.is_empty() {
        read()?
    } else {
        let named = args.names.iter();
        named.map(|name| own(name)).collect::<Result<_, _>>()?
    };
    let secrets = values.into_iter().map(|(key, value)| SubmittedSecret {
        key,
        value: SecretText::new(value),
        description: None,
        persist: Some(!args.once),
    });
    let request = SubmitEnvRequest {
        secrets: secrets.collect(),
        save_to_configuration: args.configuration,
        ..SubmitEnvRequest::default()
    };
    let client = connect(context, args.endpoint)?;
    let id = args.id.resolve(&client).await?;
    let path = format!("/v1/sessions/{id}/env");
    let given: SubmitEnvResponse = client.post(&path, &request).await?;
    match context.printer.output {
        Output::Json => context.printer.json(&given),
        Output::Table => {
            for result in &given.results {
                context.printer.data(&printable(&result.key));
            }
        }
    }
    Ok(Exit::Ok)
}

fn own(name: &str) -> Result<(String, String), Failure> {
    let value = std::env::var(name).map_err(|_| {
        let message = format!("there is no variable `{name}` here, or it is no text");
        Failure::new(Exit::Usage, message)
    })?;
    Ok((name.to_owned(), value))
}

fn read() -> Result<Vec<(String, String)>, Failure> {
    let mut text = String::new();
    let mut input = std::io::stdin().lock().take(REQUEST_BODY_BYTES_MAX as u64);
    let read = input.read_to_string(&mut text);
    read.map_err(|error| Failure::caused(Exit::Usage, "the input cannot be read", &error))?;
    dotenv::parse("input", &text).map_err(|error| Failure::new(Exit::Usage, error.to_string()))
}
