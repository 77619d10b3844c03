//! `proliferate connector show`.

use domain::{action::Risk, id::ConnectorId};
use serde_json::json;
use wire::connector::{ConnectorAuth, ConnectorView};

use super::{client, fetch, listing, tools};
use crate::{
    client::EndpointArgs,
    context::Context,
    exit::Exit,
    failure::Outcome,
    printer::{Output, printable},
};

/// Show a tool server and what it offers.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The connector's id
    id: ConnectorId,
    #[command(flatten)]
    endpoint: EndpointArgs,
}

pub(super) async fn run(context: &Context, args: Args) -> Outcome {
    let client = client(context, args.endpoint)?;
    let connector = fetch(&client, args.id).await?;
    let offered = listing(&client, args.id).await?;
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(&json!({ "connector": connector, "offer": offered }));
        return Ok(Exit::Ok);
    }
    printer.data(&text(&connector));
    if let Some(failure) = tools::failure(&offered) {
        printer.warning(&failure.message);
    } else {
        printer.data("");
        tools::print(context, &offered);
    }
    Ok(Exit::Ok)
}

/// One line per fact that is there.
fn text(connector: &ConnectorView) -> String {
    let secret = match &connector.auth {
        ConnectorAuth::None => None,
        ConnectorAuth::Bearer { secret_key } => Some(format!("{secret_key} as a bearer token")),
        ConnectorAuth::CustomHeader {
            secret_key,
            header_name,
        } => Some(format!("{secret_key} in {header_name}")),
    };
    let policy = &connector.risk_policy;
    let default_risk = policy.default_risk.map(|risk| Risk::from(risk).to_string());
    let risks: Vec<String> = policy
        .overrides
        .iter()
        .map(|(tool, risk)| format!("{tool}={}", Risk::from(*risk)))
        .collect();
    let yes = |is: bool| Some(if is { "yes" } else { "no" }.to_owned());
    let facts = [
        ("id", Some(connector.id.to_string())),
        ("name", Some(connector.name.clone())),
        ("server", Some(connector.url.clone())),
        ("integration", Some(connector.integration.clone())),
        (
            "configuration",
            connector.configuration_id.map(|id| id.to_string()),
        ),
        ("secret", secret),
        ("default risk", default_risk),
        ("risks", (!risks.is_empty()).then(|| risks.join(", "))),
        ("enabled", yes(connector.enabled)),
        ("trusted", yes(connector.trusted)),
    ];
    let lines: Vec<String> = facts
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name:<14} {}", printable(&value?))))
        .collect();
    lines.join("\n")
}
