//! Commands of an operator: they work on the database and the keys of the settings directly, beside a running gateway or
//! without one. A user who may read the keys needs no other proof.

use app::App;
use domain::id::OrganizationId;
use serde_json::json;

use crate::{
    context::Context,
    dev_file::DevFile,
    exit::Exit,
    failure::Failure,
    flags::{DatabaseFlags, Flags},
    load::{Loaded, load},
    printer::Output,
    wiring,
};

/// Options of every command that works on the database as an operator.
#[derive(Debug, clap::Args)]
pub(crate) struct OperatorArgs {
    #[command(flatten)]
    flags: Flags<DatabaseFlags>,
}

/// The product, opened for one command.
pub(crate) struct Operator {
    pub(crate) app: App,
    loaded: Loaded,
}

impl Operator {
    pub(crate) async fn open(context: &Context, args: &OperatorArgs) -> Result<Self, Failure> {
        let loaded = load(context, &args.flags.overrides)?;
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

    /// Where users open the gateway: the `dev` that runs, or what the settings say.
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
