//! `proliferate dev`: the whole product in one process, with nothing to set up. Makes what is
//! missing (data directory, keys, database, demo organization) and finds it again the next time.

use std::{sync::Arc, time::Duration};

use app::{
    App,
    identity::{ServiceToken, UserToken},
    organizations,
};
use domain::{id::UserId, instance::InstanceRole};
use hub::{Hub, HubSlot};
use secrecy::ExposeSecret as _;

use super::{doctor, login_link};
use crate::{
    client::{Client, Endpoint},
    context::Context,
    dashboard,
    demo::{self, Board},
    descriptors,
    dev_file::DevFile,
    exit::Exit,
    failure::{Failure, Outcome},
    flags::{AllFlags, Flags},
    listening::{self, IfTaken},
    load::{Loaded, load},
    models::{self, Choice, ServedBy},
    printer::{Output, Tone},
    sandboxes,
    serving::{self, Served, Work},
    wiring::{self, Absent, OpenedServices},
};

/// Run everything in one process, with a demo organization and nothing to configure.
///
/// Creates a data directory with keys and an SQLite database, prints the address and a token, and
/// serves until Ctrl-C. The next start finds its data again. `dev.json` in the data directory has
/// the address and the tokens of an owner, an admin, a member and a service.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Begin the demo: a session that shows what an agent does here, and waits for people
    #[arg(long)]
    demo: bool,
    #[command(flatten)]
    flags: Flags<AllFlags>,
}

/// Long enough that a token in a user's notes still works after a holiday.
const TOKEN_TTL: Duration = Duration::from_hours(30 * 24);
const SERVICE_NAME: &str = "dev";

pub async fn run(context: &Context, args: Args) -> Outcome {
    let mut loaded = load(context, &args.flags.overrides)?;
    loaded.data_dir.create()?;
    let _lock = loaded.data_dir.lock()?;
    DevFile::remove(&loaded.data_dir.dev_file())?;
    loaded.ensure_secrets(context)?;
    context.start_telemetry(&loaded.settings.telemetry)?;
    warn_of_exposure(context, &loaded);

    let board = Board::start()
        .await
        .map_err(|error| Failure::caused(Exit::Failed, "the demo's board cannot listen", &error))?;
    // Only this one port of the machine, and only here.
    let allowed = &mut loaded.settings.policy.egress_allow;
    allowed.push(board.address.to_string());
    // The user who runs this on their machine is the operator.
    let operators = &mut loaded.settings.fleet.operators;
    operators.push(organizations::demo_id()?);
    let loaded = Arc::new(loaded);
    let settings = &loaded.settings;
    let stop = serving::stop_on_signal()?;
    descriptors::raise();
    let listening = listening::bind(context, settings, IfTaken::UseAnother).await?;
    let for_sandboxes = listening.sandboxes;
    let url = settings.server.advertised(listening.people);

    let db = wiring::open_database(&settings.database, Absent::Create).await?;
    db.migrate().await?;
    let coordination = wiring::open_coordination(context, settings)?;
    let (models, _running) = models::start(context, &settings.model, ServedBy::Dev).await?;
    let slot = Arc::new(HubSlot::default());
    let opened = OpenedServices {
        db,
        blobs: wiring::open_storage(context, settings)?,
        coordination,
        instance: wiring::instance(context, InstanceRole::All, url.clone()),
        models,
        slot: Some(Arc::clone(&slot)),
    };
    let app = wiring::app(context, settings, opened).await?;
    let lazy_machine = sandboxes::lazy_machine(context, settings, for_sandboxes);
    let hub = Hub::new(app.clone(), lazy_machine).with_limits(serving::bounds(settings));
    slot.fill(hub.clone());

    let mut dev_file = make_dev_file(&app, url, board.url()).await?;
    dev_file.sandbox_url = for_sandboxes.map(|address| format!("http://{address}"));
    dev_file.write(&loaded.data_dir.dev_file())?;
    let login_link = create_login_link(&app, &dev_file).await?;
    announce(context, &loaded, &dev_file, login_link.as_deref());
    let work = Work {
        app,
        gateway: Some(Served {
            listeners: listening.listeners,
            options: serving::gateway_options(settings, doctor::runner(context, &loaded)),
            hub,
        }),
        sweeps: true,
    };
    let serving = serving::run(work, stop);
    if !args.demo {
        return serving.await;
    }
    let client = Client::new(Endpoint::of_dev(&dev_file))?;
    let ((), served) = tokio::join!(begin_demo(context, &client, &dev_file.board), serving);
    served
}

/// Beside serving, which it needs.
async fn begin_demo(context: &Context, client: &Client, board: &str) {
    match demo::begin(context, client, board).await {
        Ok(id) => context.printer.note(&format!(
            "the demo's session waits for you: proliferate session attach {id}"
        )),
        Err(failure) => {
            let message = format!("the demo did not begin: {}", failure.message);
            context.printer.warning(&message);
        }
    }
}

/// Makes the demo organization and a token for each of its members and for a service.
async fn make_dev_file(app: &App, url: String, board: String) -> Result<DevFile, Failure> {
    let demo = organizations::ensure_demo(app).await?;
    let now = app.now();
    let user = |user_id: &UserId| -> app::Result<String> {
        let token = UserToken {
            user_id: user_id.clone(),
            organization_id: Some(demo.organization_id.clone()),
        };
        let text = app
            .tokens
            .mint_user(&token, now, TOKEN_TTL, &*app.entropy)?;
        Ok(text.expose_secret().to_owned())
    };
    let service = ServiceToken {
        name: SERVICE_NAME.to_owned(),
        organization_id: demo.organization_id.clone(),
    };
    let service = app
        .tokens
        .mint_service(&service, now, TOKEN_TTL, &*app.entropy)?;
    Ok(DevFile {
        url,
        owner: user(&demo.owner)?,
        admin: user(&demo.admin)?,
        member: user(&demo.member)?,
        service: service.expose_secret().to_owned(),
        organization_id: demo.organization_id.to_string(),
        board,
        sandbox_url: None,
    })
}

/// Returns a link that opens the dashboard signed in as the demo owner; none in a build without the dashboard.
async fn create_login_link(app: &App, dev_file: &DevFile) -> Result<Option<String>, Failure> {
    if !dashboard::built().is_built() {
        return Ok(None);
    }
    let demo = organizations::ensure_demo(app).await?;
    let link = login_link::make(app, &dev_file.url, &demo.organization_id, &demo.owner);
    link.await.map(Some)
}

fn announce(context: &Context, loaded: &Loaded, dev_file: &DevFile, login_link: Option<&str>) {
    let printer = &context.printer;
    if printer.output == Output::Json {
        printer.json(dev_file);
        return;
    }
    let DevFile { url, owner, .. } = dev_file;
    let title = printer.paint("Proliferate is running", Tone::Strong);
    let dashboard = match login_link {
        Some(link) => {
            format!(
                "Open this to see it, signed in as the demo owner:\n\n  {link}\n\nOr from a terminal:"
            )
        }
        None => {
            format!("The dashboard was not built; {url} says how to build it. From a terminal:")
        }
    };
    printer.data(&format!(
        "{title}\n\n\
         \x20 address  {url}\n\
         \x20 model    {model}\n\
         \x20 data     {data_dir}\n\
         \x20 tokens   {file} (owner, admin, member, service)\n\n\
         {dashboard}\n\n\
         \x20 export PROLIFERATE_TOKEN={owner}\n\
         \x20 curl -H \"Authorization: Bearer $PROLIFERATE_TOKEN\" {url}/v1/me\n\n\
         Ctrl-C stops it. The data stays for the next start.",
        model = match models::choice(&loaded.settings.model, ServedBy::Dev) {
            Choice::Provider => loaded.settings.model.upstream_url.as_str(),
            Choice::Scripted => "scripted; set ANTHROPIC_API_KEY for one that thinks",
            Choice::NoModel => "none; set ANTHROPIC_API_KEY",
        },
        data_dir = loaded.data_dir.path().display(),
        file = loaded.data_dir.dev_file().display(),
    ));
}

fn warn_of_exposure(context: &Context, loaded: &Loaded) {
    let listen = loaded.settings.server.listen;
    if !listen.ip().is_loopback() {
        context.printer.warning(&format!(
            "listening on {listen}: every client that can reach this machine can reach the gateway, \
             without encryption"
        ));
    }
    if loaded.data_dir.is_open_to_others().unwrap_or(false) {
        context.printer.warning(&format!(
            "others on this machine may look into {}; `chmod 700` closes it",
            loaded.data_dir.path().display()
        ));
    }
}
