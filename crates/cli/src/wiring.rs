//! From settings to a running product: the database, the coordination service, the keys, put
//! together once per process.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use app::{
    App, Parts,
    crypto::Keyring,
    identity::{AllowedDomains, Oidc, OidcSettings, TokenSecrets, Tokens},
    integrations::{GithubApp, Services},
    models::Models,
    policy::{ActivePolicy, NotInForce, PolicySource},
    sessions::{AdmitAll, NoProvisioner, Provisioner},
};
use blobs::{Blobs, Location, S3Credentials, S3Location};
use config::{
    CoordinationUrl, DatabaseSettings, DatabaseUrl, IntegrationSettings, LoginSettings,
    RequiredSecrets, SafetyLock, Settings, SourceSettings, StorageSettings, StorageUrl,
};
use coord::{Coordination, MemoryCoordination};
use domain::{
    id::{InstanceId, OrganizationId},
    instance::{Instance, InstanceRole, Load},
    source::Pkce,
};
use hub::{HubSlot, SandboxTools};
use integrations::{
    BaseUrls, Sources,
    oauth::{OAuth, OAuthSettings},
};
use secrecy::{ExposeSecret as _, SecretBox};
use store::Db;
use tools::{
    CommandExecutor, Executors, HttpExecutor,
    egress::{AllowedHost, EgressGuard, SystemResolver},
};

use crate::{context::Context, data_dir::touch_private, exit::Exit, failure::Failure, models};

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
    Ok(db.schema_status().await?.require_usable()?)
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

/// What every request to the outside goes through.
fn guard(settings: &Settings) -> Result<EgressGuard, Failure> {
    let allowed = settings.policy.egress_allow.iter().map(|host| host.parse());
    let allowed: Result<Vec<AllowedHost>, _> = allowed.collect();
    let allowed = allowed.map_err(|error| {
        Failure::new(
            Exit::Usage,
            format!("`policy.egress_allow` is wrong: {error}"),
        )
    })?;
    Ok(EgressGuard::new(Arc::new(SystemResolver), allowed))
}

/// What runs the calls that may be made.
pub(crate) fn executors(settings: &Settings) -> Result<Executors, Failure> {
    let command = Arc::new(CommandExecutor::new());
    Ok(Executors::new(command, HttpExecutor::new(guard(settings)?)))
}

/// The services whose actions are built in.
fn built_in(
    context: &Context,
    settings: &IntegrationSettings,
    guard: &EgressGuard,
) -> Result<Sources, Failure> {
    Sources::new(
        guard,
        &context.clock,
        &base_urls(settings),
        integrations::CallLimits::default(),
    )
    .map_err(|error| Failure::new(Exit::Usage, error.to_string()))
}

fn base_urls(settings: &IntegrationSettings) -> BaseUrls {
    let sources = settings.sources.iter();
    sources.fold(BaseUrls::default(), |urls, one| {
        urls.with(one.source.name, one.url.as_str())
    })
}

/// The clients with which organizations connect those services.
fn services(settings: &IntegrationSettings, guard: &EgressGuard) -> Result<Services, Failure> {
    let client = |one: &SourceSettings| {
        let client_id = one.client_id.clone();
        let (client_id, client_secret) = client_id.zip(one.client_secret.clone())?;
        let client = OAuthSettings {
            client_id,
            client_secret,
            authorize_url: one.authorize_url.as_str().to_owned(),
            token_url: one.token_url.as_str().to_owned(),
            scopes: one.scopes.clone(),
            pkce: match one.source.oauth.pkce {
                Pkce::Always => true,
                Pkce::Configured => one.pkce,
            },
        };
        Some((one.source.name, client))
    };
    let clients = settings.sources.iter().filter_map(client);
    let urls = base_urls(settings);
    let github = urls.of("github");
    let oauth = OAuth::new(guard, github, clients)
        .map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
    Ok(Services {
        github_origin: integrations::github_origin(github),
        oauth,
        github_app: github_app(settings)?,
    })
}

fn github_app(settings: &IntegrationSettings) -> Result<Option<GithubApp>, Failure> {
    let github = settings.source("github");
    let app = github.and_then(|one| one.app_id.as_ref().zip(one.app_private_key.as_ref()));
    let app = app.map(|(id, key)| GithubApp::new(id, key)).transpose();
    app.map_err(|error| {
        let message = format!("`integrations.github_app_private_key` is wrong: {error}");
        Failure::new(Exit::Usage, message)
    })
}

/// Who vouches for people who log in, if anybody was set up.
fn oidc(settings: &LoginSettings, guard: &EgressGuard) -> Result<Option<Oidc>, Failure> {
    // Whatever an issuer needs was checked with the settings.
    let needed = settings
        .oidc_issuer
        .as_ref()
        .zip(settings.oidc_client_id.as_ref());
    let organization = settings.oidc_organization.as_ref();
    let Some(((issuer, client_id), organization)) = needed.zip(organization) else {
        return Ok(None);
    };
    let wrong = |setting: &str| Failure::new(Exit::Usage, format!("`{setting}` is wrong"));
    let oidc = OidcSettings {
        issuer: issuer.as_str().to_owned(),
        client_id: client_id.clone(),
        client_secret: settings.oidc_client_secret.clone(),
        scopes: settings.oidc_scopes.clone(),
        allowed_domains: if settings.oidc_allows_every_domain() {
            AllowedDomains::All
        } else {
            AllowedDomains::Only(settings.oidc_allowed_domains.clone())
        },
        organization_id: OrganizationId::new(organization.as_str())
            .map_err(|_| wrong("login.oidc_organization"))?,
        role: settings.oidc_role,
    };
    let oidc = Oidc::new(guard, oidc).map_err(|_| wrong("login.oidc_issuer"))?;
    Ok(Some(oidc))
}

/// What differs from command to command.
pub(crate) struct Opened {
    pub(crate) db: Db,
    pub(crate) blobs: Blobs,
    pub(crate) coordination: Arc<dyn Coordination>,
    pub(crate) instance: Instance,
    pub(crate) models: Models,
    /// The way to this process's live sessions, if it has any.
    pub(crate) slot: Option<Arc<HubSlot>>,
}

/// The app of an instance. Grants of before are bound to what it defines: to what serves, and to nothing that an operator's
/// command of another build defines.
pub(crate) async fn app(
    context: &Context,
    settings: &Settings,
    opened: Opened,
) -> Result<App, Failure> {
    let app = assembled(context, settings, opened).await?;
    app::grants::bind_built_in(&app).await?;
    Ok(app)
}

async fn assembled(context: &Context, settings: &Settings, opened: Opened) -> Result<App, Failure> {
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
        admission: Arc::new(AdmitAll),
        provisioner,
        policy,
        executors,
        sources: built_in(context, &settings.integrations, &guard)?,
        services: services(&settings.integrations, &guard)?,
        guard,
        models: opened.models,
        oidc,
        scratch: settings.data_dir.join("runs"),
        safety_lock: settings.policy.safety_lock == SafetyLock::On,
        fleet_operators: settings.fleet.operators.clone(),
        instance: opened.instance,
    });
    Ok(app)
}

/// An app for one command of an operator: on the database, beside whatever runs, coordinating with
/// nobody.
pub(crate) async fn operator_app(context: &Context, settings: &Settings) -> Result<App, Failure> {
    // Before anything is opened: the list of what is missing is the more useful answer.
    settings.require_secrets()?;
    let db = open_database(&settings.database, Absent::Refuse).await?;
    require_schema(&db).await?;
    let opened = Opened {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Of every built-in source.
    fn public() -> IntegrationSettings {
        IntegrationSettings::defaults(integrations::declarations())
    }

    #[test]
    fn the_default_settings_are_the_public_services() {
        let settings = public();
        assert_eq!(base_urls(&settings), BaseUrls::default());
        let guard = EgressGuard::new(Arc::new(SystemResolver), []);
        let services = services(&settings, &guard).unwrap();
        assert!(services.github_app.is_none());
        assert!(services.oauth.service("linear").is_none());
    }

    #[test]
    fn every_default_address_of_a_client_can_be_used() {
        let mut settings = public();
        for source in &mut settings.sources {
            source.client_id = Some("id".to_owned());
            source.client_secret = Some("hush".into());
            source.app_id = Some("12".to_owned());
        }
        let guard = EgressGuard::new(Arc::new(SystemResolver), []);
        let services = services(&settings, &guard).unwrap();
        for source in integrations::declarations() {
            let service = services.oauth.service(source.name).unwrap();
            let url = service.authorize_url("https://gateway.example/back", "state", "challenge");
            assert!(url.starts_with("https://"), "{url}");
            let pkce = source.oauth.pkce == Pkce::Always;
            assert_eq!(url.contains("code_challenge=challenge"), pkce, "{url}");
        }
        assert!(integrations::declaration("slack").unwrap().oauth.pkce == Pkce::Configured);
        for source in &mut settings.sources {
            source.app_private_key = Some("not a key".into());
        }
        let failure = super::services(&settings, &guard).unwrap_err();
        assert!(!failure.message.contains("not a key"));
    }
}
