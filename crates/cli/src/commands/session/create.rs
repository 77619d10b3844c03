//! `proliferate session create`.

use domain::{
    id::{ConfigurationId, IntegrationId},
    session::{Provisioning, SessionType},
    sharing::Visibility,
};
use wire::session::{ClientType, CreateSessionRequest, CreateSessionResponse};

use crate::{
    client::{EndpointArgs, Selector, connect, resolve_option},
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::printable,
    value_parsers::one_of,
};

/// Create a session and print its id.
///
/// Safe to repeat: with the same `--idempotency-key` and the same options the second run prints the
/// session that the first one made.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What it is called
    #[arg(long)]
    title: Option<String>,
    /// What the agent is asked to do first
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
    /// The model that the agent uses
    #[arg(long, value_name = "ID")]
    model: Option<String>,
    /// What it starts from; nothing without one
    #[arg(long, value_name = "ID")]
    configuration: Option<Selector<ConfigurationId>>,
    /// What it is for
    #[arg(long = "type", value_name = "TYPE")]
    #[arg(value_parser = one_of(SessionType::ALL, SessionType::as_str))]
    session_type: Option<SessionType>,
    /// A connection it may use; may be given several times
    #[arg(long = "integration", value_name = "ID")]
    integrations: Vec<Selector<IntegrationId>>,
    /// An environment variable of its sandbox; may be given several times. Without `=VALUE` the
    /// value is taken from the environment of this command
    #[arg(long = "env", value_name = "KEY[=VALUE]", value_parser = env_var)]
    env: Vec<EnvVar>,
    /// Whether its sandbox is made now or when it is first needed
    #[arg(long, value_name = "WHEN")]
    #[arg(value_parser = one_of(Provisioning::ALL, Provisioning::as_str))]
    provisioning: Option<Provisioning>,
    /// Which members see it (default: organization). Admins and owners see every session
    #[arg(long, value_name = "WHO")]
    #[arg(value_parser = one_of(Visibility::ALL, Visibility::as_str))]
    visibility: Option<Visibility>,
    /// Makes repeating the command safe (default: a fresh one, for the retries of this run)
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

/// A name and a value that must not be printed.
#[derive(Clone)]
struct EnvVar {
    name: String,
    value: String,
}

impl std::fmt::Debug for EnvVar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("EnvVar").field(&self.name).finish()
    }
}

fn env_var(text: &str) -> Result<EnvVar, String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, config::process_env(text)),
    };
    if name.is_empty() {
        return Err("write `KEY=VALUE`".to_owned());
    }
    match value {
        Some(value) => Ok(EnvVar {
            name: name.to_owned(),
            value,
        }),
        None => Err(format!("`{name}` is not set here; write `{name}=VALUE`")),
    }
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = connect(context, args.endpoint)?;
    let configuration = resolve_option(&client, args.configuration.as_ref()).await?;
    let mut integration_ids = Vec::new();
    for integration in &args.integrations {
        integration_ids.push(integration.resolve(&client).await?.to_string());
    }
    let request = CreateSessionRequest {
        title: args.title,
        initial_prompt: args.prompt,
        model_id: args.model,
        configuration_id: configuration.map(|id| id.to_string()),
        session_type: args.session_type.map(Into::into),
        client_type: Some(ClientType::Cli),
        integration_ids,
        env_vars: args
            .env
            .into_iter()
            .map(|var| (var.name, var.value))
            .collect(),
        provisioning: args.provisioning.map(Into::into),
        visibility: args.visibility.map(Into::into),
        ..CreateSessionRequest::default()
    };
    let key = args
        .idempotency_key
        .unwrap_or_else(|| context.idempotency_key());
    let response: CreateSessionResponse = client
        .create("/proliferate/sessions", &key, &request)
        .await?;
    report(context, &response);
    Ok(Exit::Ok)
}

fn report(context: &Context, response: &CreateSessionResponse) {
    let printer = &context.printer;
    printer.result(response, |response| response.session_id.to_string());
    if response.already_existed {
        printer.note("the session existed already: the same request had made it before");
    }
    for warning in &response.integration_warnings {
        printer.warning(&format!(
            "integration {} is left out: {}",
            warning.integration_id,
            printable(&warning.message)
        ));
    }
    if let Some(error) = &response.provisioning_error {
        let why = printable(&error.message);
        printer.warning(&format!("it has no sandbox yet: {why}"));
    }
}
