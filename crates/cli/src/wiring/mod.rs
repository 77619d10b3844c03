//! From settings to a running product: the parts of an app, put together once per process.

mod outside;
mod stores;

use std::{collections::BTreeMap, sync::Arc};

use app::{
    App, Parts,
    crypto::Keyring,
    identity::{TokenSecrets, Tokens},
    models::Models,
    policy::{ActivePolicy, NotInForce, PolicySource},
    sessions::{NoProvisioner, Provisioner},
};
use blobs::Blobs;
use config::{RequiredSecrets, SafetyLock, Settings};
use coord::{Coordination, MemoryCoordination};
use domain::{
    id::InstanceId,
    instance::{Instance, InstanceRole, Load},
};
use hub::{HubSlot, SandboxTools};
use secrecy::{ExposeSecret as _, SecretBox};
use store::Db;

pub(crate) use self::{
    outside::executors,
    stores::{Absent, open_coordination, open_database, open_storage, require_schema},
};
use self::{
    outside::{admission, built_in, guard, mail, oidc, services},
    stores::operator_storage,
};
use crate::{context::Context, exit::Exit, failure::Failure, models};

/// This process, as other instances see it.
pub(crate) fn instance(context: &Context, role: InstanceRole, advertised_url: String) -> Instance {
    let now = context.clock.now();
    Instance {
        id: InstanceId::generate(now, &*context.entropy),
        role,
        advertised_url,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: now,
        heartbeat_at: now,
        load: Load::default(),
    }
}

/// Where the policy comes from.
pub(crate) fn policy_source(settings: &Settings) -> PolicySource {
    match &settings.policy.directory {
        None => PolicySource::BuiltIn,
        Some(directory) => PolicySource::Directory(directory.clone()),
    }
}

/// What calls are decided by. Nothing starts without a valid policy.
async fn active_policy(
    context: &Context,
    settings: &Settings,
    db: &Db,
) -> Result<Arc<ActivePolicy>, Failure> {
    let active = ActivePolicy::start(policy_source(settings), db, context.clock.now()).await;
    active.map(Arc::new).map_err(|error| match error {
        NotInForce::NotKept(error) => error.into(),
        NotInForce::Refused(_) => Failure::new(Exit::Failed, error.to_string())
            .hint("`proliferate policy check DIR` lists what is wrong, by file and line"),
    })
}

/// Services that a process has opened; they differ from command to command.
pub(crate) struct OpenedServices {
    pub(crate) db: Db,
    pub(crate) blobs: Blobs,
    pub(crate) coordination: Arc<dyn Coordination>,
    pub(crate) instance: Instance,
    pub(crate) models: Models,
    /// Leads to this process's live sessions, if it has any.
    pub(crate) slot: Option<Arc<HubSlot>>,
}

/// The app of an instance. Grants of before are bound to what it defines: to what serves, and to nothing that an operator's
/// command of another build defines.
pub(crate) async fn app(
    context: &Context,
    settings: &Settings,
    opened: OpenedServices,
) -> Result<App, Failure> {
    let app = assembled(context, settings, opened).await?;
    app::grants::bind_built_in(&app).await?;
    Ok(app)
}

async fn assembled(
    context: &Context,
    settings: &Settings,
    opened: OpenedServices,
) -> Result<App, Failure> {
    let secrets = settings.require_secrets()?;
    let policy = active_policy(context, settings, &opened.db).await?;
    let mut executors = executors(settings)?;
    let mut provisioner: Arc<dyn Provisioner> = Arc::new(NoProvisioner);
    if let Some(slot) = opened.slot {
        executors = SandboxTools::add_to(executors, &slot);
        provisioner = slot;
    }
    let guard = guard(settings)?;
    let oidc = oidc(&settings.login, &guard)?;
    let mail = mail(&settings.mail)?;
    let app = App::new(Parts {
        db: opened.db,
        blobs: opened.blobs,
        coordination: opened.coordination,
        clock: Arc::clone(&context.clock),
        entropy: Arc::clone(&context.entropy),
        keyring: keyring(&secrets)?,
        tokens: Tokens::new(TokenSecrets {
            user: secrets.user_token_secret.clone(),
            service: secrets.service_token_secret.clone(),
            sandbox: secrets.sandbox_token_secret.clone(),
            issuer: settings.identity.issuer.clone(),
            audience: settings.identity.audience.clone(),
        }),
        admission: admission(context, &settings.admission)?,
        provisioner,
        policy,
        executors,
        sources: built_in(context, &settings.integrations, &guard)?,
        services: services(&settings.integrations, &guard)?,
        guard,
        models: opened.models,
        mail,
        oidc,
        scratch: settings.data_dir.join("runs"),
        safety_lock: settings.policy.safety_lock == SafetyLock::On,
        fleet_operators: settings.fleet.operators.clone(),
        instance: opened.instance,
    });
    Ok(app)
}

/// An app for one command of an operator: on the database, beside the instances that run, without
/// coordination with them.
pub(crate) async fn operator_app(context: &Context, settings: &Settings) -> Result<App, Failure> {
    // Before anything is opened: the list of what is missing is the more useful answer.
    settings.require_secrets()?;
    let db = open_database(&settings.database, Absent::Refuse).await?;
    require_schema(&db).await?;
    let opened = OpenedServices {
        db,
        blobs: operator_storage(context, settings),
        coordination: Arc::new(MemoryCoordination::new(Arc::clone(&context.clock))),
        instance: instance(context, InstanceRole::Worker, String::new()),
        models: models::none(&settings.model)?,
        slot: None,
    };
    assembled(context, settings, opened).await
}

fn keyring(secrets: &RequiredSecrets<'_>) -> Result<Keyring, Failure> {
    let keys: BTreeMap<_, _> = secrets
        .encryption_keys
        .iter()
        .map(|(id, key)| (id, SecretBox::new(Box::new(*key.expose_secret()))))
        .collect();
    Keyring::new(keys).ok_or_else(|| Failure::new(Exit::Usage, "there is no encryption key"))
}
