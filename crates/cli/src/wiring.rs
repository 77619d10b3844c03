//! From settings to a running product: the database, the coordination service, the keys, put
//! together once per process.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use app::{
    App, Parts,
    crypto::Keyring,
    identity::{TokenSecrets, Tokens},
    policy::{ActivePolicy, Source},
    sessions::{AdmitAll, NoProvisioner},
};
use blobs::{Blobs, Location, S3Credentials, S3Location};
use config::{
    CoordinationUrl, DatabaseSettings, DatabaseUrl, SafetyLock, Secrets, Settings, StorageSettings,
    StorageUrl,
};
use coord::{Coordination, MemoryCoordination};
use domain::{
    id::InstanceId,
    instance::{Instance, InstanceRole},
};
use secrecy::{ExposeSecret as _, SecretBox};
use store::Db;
use tools::{
    CommandExecutor, Executors, HttpExecutor,
    egress::{AllowedHost, EgressGuard, SystemResolver},
};

use crate::{context::Context, data_dir::touch_private, exit::Exit, failure::Failure};

/// What to do about an SQLite file that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    /// Make it, for its owner alone.
    Create,
    /// Say so: a command that makes an empty database by accident hides a wrong path.
    Refuse,
}

pub(crate) async fn open_database(
    settings: &DatabaseSettings,
    absent: Absent,
) -> Result<Db, Failure> {
    let url = match &settings.url {
        DatabaseUrl::Sqlite(path) => {
            if absent == Absent::Create {
                touch_private(path)?;
            } else if !path.exists() {
                return Err(no_database(path));
            }
            format!("sqlite:{}", path.display())
        }
        DatabaseUrl::Postgres(url) => url.expose().to_owned(),
    };
    let options = store::Options {
        url,
        connections_max: settings.connections_max,
        acquire_timeout: settings.acquire_timeout,
        statement_timeout: settings.statement_timeout,
    };
    Ok(Db::open(&options).await?)
}

fn no_database(path: &Path) -> Failure {
    Failure::new(
        Exit::NotFound,
        format!("there is no database at {}", path.display()),
    )
    .hint("`proliferate migrate` makes it; `--data-dir` or `--database-url` name another one")
}

/// Refuses a schema that this binary cannot work with.
pub(crate) async fn require_schema(db: &Db) -> Result<(), Failure> {
    let (found, needed) = db.schema_versions().await?;
    if found < needed {
        return Err(Failure::new(
            Exit::Failed,
            format!("the database has schema version {found}, this binary needs {needed}"),
        )
        .hint("run `proliferate migrate` once, then start again"));
    }
    Ok(())
}

pub(crate) fn open_coordination(
    context: &Context,
    settings: &Settings,
) -> Result<Arc<dyn Coordination>, Failure> {
    let url = match &settings.coordination.url {
        CoordinationUrl::Memory => "memory://",
        CoordinationUrl::Redis(url) => url.expose(),
    };
    Ok(coord::open(url, Arc::clone(&context.clock))?)
}

pub(crate) fn open_storage(context: &Context, settings: &Settings) -> Result<Blobs, Failure> {
    let location = location(&settings.storage);
    Blobs::open(&location, Arc::clone(&context.entropy)).map_err(|error| {
        Failure::new(Exit::Failed, format!("storage cannot be used: {error}"))
            .hint("`storage.url` names it; `proliferate doctor` says more")
    })
}

/// Storage for a command that may go without: a directory is not made, and one that cannot be used is
/// complained about by what needs it.
fn operator_storage(context: &Context, settings: &Settings) -> Blobs {
    let closed = |reason: String| Blobs::closed(reason, Arc::clone(&context.entropy));
    match &settings.storage.url {
        StorageUrl::Directory(path) if !path.exists() => {
            closed(format!("there is no directory {} yet", path.display()))
        }
        StorageUrl::Directory(_) | StorageUrl::S3 { .. } => {
            open_storage(context, settings).unwrap_or_else(|failure| closed(failure.message))
        }
    }
}

fn location(settings: &StorageSettings) -> Location {
    match &settings.url {
        StorageUrl::Directory(path) => Location::Directory(path.clone()),
        StorageUrl::S3 { bucket, prefix } => Location::S3(S3Location {
            bucket: bucket.clone(),
            prefix: prefix.clone(),
            region: settings.s3_region.clone(),
            endpoint: settings
                .s3_endpoint
                .as_ref()
                .map(|url| url.as_str().to_owned()),
            credentials: settings
                .s3_access_key_id
                .clone()
                .zip(settings.s3_secret_access_key.clone())
                .map(|(access_key_id, secret_access_key)| S3Credentials {
                    access_key_id,
                    secret_access_key,
                }),
            allow_http: settings.s3_endpoint_is_loopback(),
        }),
    }
}

/// This process, as the others see it.
pub(crate) fn instance(context: &Context, role: InstanceRole, advertised_url: String) -> Instance {
    let now = context.clock.now();
    Instance {
        id: InstanceId::generate(now, &*context.entropy),
        role,
        advertised_url,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: now,
        heartbeat_at: now,
    }
}

/// Where the policy comes from.
pub(crate) fn policy_source(settings: &Settings) -> Source {
    match &settings.policy.directory {
        None => Source::BuiltIn,
        Some(directory) => Source::Directory(directory.clone()),
    }
}

/// What calls are decided by. Nothing starts without a valid policy.
async fn active_policy(settings: &Settings) -> Result<Arc<ActivePolicy>, Failure> {
    let active = ActivePolicy::start(policy_source(settings)).await;
    active.map(Arc::new).map_err(|problems| {
        Failure::new(Exit::Failed, format!("the policy was refused: {problems}"))
            .hint("`proliferate policy check DIR` lists what is wrong, by file and line")
    })
}

/// What runs the calls that may be made.
pub(crate) fn executors(settings: &Settings) -> Result<Executors, Failure> {
    let allowed = settings.policy.egress_allow.iter().map(|host| host.parse());
    let allowed: Result<Vec<AllowedHost>, _> = allowed.collect();
    let allowed = allowed.map_err(|error| {
        Failure::new(
            Exit::Usage,
            format!("`policy.egress_allow` is wrong: {error}"),
        )
    })?;
    let guard = EgressGuard::new(Arc::new(SystemResolver), allowed);
    let command = Arc::new(CommandExecutor::new());
    Ok(Executors::new(command, HttpExecutor::new(guard)))
}

pub(crate) async fn app(
    context: &Context,
    settings: &Settings,
    db: Db,
    blobs: Blobs,
    coordination: Arc<dyn Coordination>,
    instance: Instance,
) -> Result<App, Failure> {
    let secrets = settings.require_secrets()?;
    let policy = active_policy(settings).await?;
    let executors = executors(settings)?;
    Ok(App::new(Parts {
        db,
        blobs,
        coordination,
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
        admission: Arc::new(AdmitAll),
        provisioner: Arc::new(NoProvisioner),
        policy,
        executors,
        scratch: settings.data_dir.join("runs"),
        safety_lock: settings.policy.safety_lock == SafetyLock::On,
        instance,
    }))
}

/// An app for one command of an operator: on the database, beside whatever runs, coordinating with
/// nobody.
pub(crate) async fn operator_app(context: &Context, settings: &Settings) -> Result<App, Failure> {
    // Before anything is opened: the list of what is missing is the more useful answer.
    settings.require_secrets()?;
    let db = open_database(&settings.database, Absent::Refuse).await?;
    require_schema(&db).await?;
    let coordination = Arc::new(MemoryCoordination::new(Arc::clone(&context.clock)));
    let instance = instance(context, InstanceRole::Worker, String::new());
    let blobs = operator_storage(context, settings);
    app(context, settings, db, blobs, coordination, instance).await
}

fn keyring(secrets: &Secrets<'_>) -> Result<Keyring, Failure> {
    let keys: BTreeMap<_, _> = secrets
        .encryption_keys
        .iter()
        .map(|(id, key)| (id, SecretBox::new(Box::new(*key.expose_secret()))))
        .collect();
    Keyring::new(keys).ok_or_else(|| Failure::new(Exit::Usage, "there is no encryption key"))
}
