//! `proliferate token`: an operator's commands on tokens. They work on the database and the keys of
//! the settings directly, beside a running gateway or without one; whoever may read the keys needs no
//! other proof.

mod list;
mod mint_api_key;
mod mint_service;
mod mint_user;
mod revoke;
mod sandbox;

use app::App;
use clap::Subcommand;
use domain::id::OrganizationId;
use serde_json::json;

use crate::{
    context::Context,
    dev_file::DevFile,
    exit::Exit,
    failure::{Failure, Outcome},
    flags::{Flags, Stored},
    load::{Loaded, load},
    printer::Output,
    wiring,
};

/// Make, list and revoke tokens, as an operator.
#[derive(Debug, Subcommand)]
pub enum Command {
    #[command(subcommand)]
    Mint(Mint),
    List(list::Args),
    Revoke(revoke::Args),
    Sandbox(sandbox::Args),
}

/// Make a token.
#[derive(Debug, Subcommand)]
pub enum Mint {
    User(mint_user::Args),
    Service(mint_service::Args),
    ApiKey(mint_api_key::Args),
}

/// Options of every command that works on the database as an operator.
#[derive(Debug, clap::Args)]
pub struct Common {
    #[command(flatten)]
    flags: Flags<Stored>,
}

pub async fn run(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Mint(Mint::User(args)) => mint_user::run(context, args).await,
        Command::Mint(Mint::Service(args)) => mint_service::run(context, args).await,
        Command::Mint(Mint::ApiKey(args)) => mint_api_key::run(context, args).await,
        Command::List(args) => list::run(context, args).await,
        Command::Revoke(args) => revoke::run(context, args).await,
        Command::Sandbox(args) => sandbox::run(context, args).await,
    }
}

/// The product, opened for one command.
pub(crate) struct Opened {
    pub(crate) app: App,
    loaded: Loaded,
}

impl Opened {
    pub(crate) async fn new(context: &Context, common: &Common) -> Result<Self, Failure> {
        let loaded = load(context, &common.flags.overrides)?;
        let app = wiring::operator_app(context, &loaded.settings).await?;
        Ok(Self { app, loaded })
    }

    /// The organization that was named, or the demo one of a data directory that `dev` made.
    pub(crate) fn organization(
        &self,
        given: Option<OrganizationId>,
    ) -> Result<OrganizationId, Failure> {
        if let Some(given) = given {
            return Ok(given);
        }
        let dev_file = DevFile::read(&self.loaded.data_dir.dev_file())?;
        dev_file
            .and_then(|file| OrganizationId::new(file.organization_id).ok())
            .ok_or_else(|| {
                Failure::new(Exit::Usage, "no organization is given").hint("name it with `--org`")
            })
    }

    /// Where people open the gateway: the `dev` that runs, or what the settings say.
    pub(crate) fn public_url(&self) -> Result<String, Failure> {
        let server = &self.loaded.settings.server;
        if let Some(url) = &server.public_url {
            return Ok(url.as_str().to_owned());
        }
        let dev_file = DevFile::read(&self.loaded.data_dir.dev_file())?;
        Ok(dev_file.map_or_else(|| server.advertised(server.listen), |file| file.url))
    }
}

/// Prints a secret that was just made: it alone, or with what it is good for.
pub(crate) fn print_secret(context: &Context, name: &str, secret: &str, facts: &serde_json::Value) {
    match context.printer.output {
        Output::Table => context.printer.data(secret),
        Output::Json => {
            let mut shown = facts.clone();
            if let Some(members) = shown.as_object_mut() {
                members.insert(name.to_owned(), json!(secret));
            }
            context.printer.json(&shown);
        }
    }
}
