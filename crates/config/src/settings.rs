//! All sections together: loading them from their sources, and the secrets a server cannot do
//! without.

use std::path::PathBuf;

use secrecy::SecretString;

use crate::{
    catalog::Catalog,
    coordination::CoordinationSettings,
    data_dir,
    database::{self, DatabaseSettings},
    encryption::{self, EncryptionKeys, EncryptionSettings},
    env,
    error::{Complaint, ConfigError, Problem, Refusal},
    file::{self, FileSettings, Lines},
    fleet::FleetSettings,
    identity::IdentitySettings,
    integrations::IntegrationSettings,
    live::LiveSettings,
    login::LoginSettings,
    model::ModelSettings,
    policy::PolicySettings,
    resolve::Resolver,
    sandbox::SandboxSettings,
    server::ServerSettings,
    setting::{Effective, Overrides, SecretSetting, Source},
    storage::StorageSettings,
    telemetry::TelemetrySettings,
    value::show_duration,
};

/// Where settings come from.
pub struct Sources<'a> {
    /// What the command line said.
    pub flags: Overrides,
    /// Looks up an environment variable; [`env::process_env`] outside of tests.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// The file named by `--config`; PROLIFERATE_CONFIG is asked otherwise.
    pub file: Option<PathBuf>,
}

impl std::fmt::Debug for Sources<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sources")
            .field("flags", &self.flags)
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

/// Everything that can be set. Printing it shows no secret.
#[derive(Debug)]
pub struct Settings {
    /// The one directory that holds everything the product keeps on disk; may not exist yet.
    pub data_dir: PathBuf,
    pub server: ServerSettings,
    pub database: DatabaseSettings,
    pub coordination: CoordinationSettings,
    pub storage: StorageSettings,
    pub policy: PolicySettings,
    pub sandbox: SandboxSettings,
    pub live: LiveSettings,
    pub fleet: FleetSettings,
    pub integrations: IntegrationSettings,
    pub model: ModelSettings,
    pub identity: IdentitySettings,
    pub login: LoginSettings,
    pub encryption: EncryptionSettings,
    pub telemetry: TelemetrySettings,
    effective: Vec<Effective>,
}

/// The secrets that a server needs, all present.
#[derive(Debug, Clone, Copy)]
pub struct Secrets<'a> {
    pub user_token_secret: &'a SecretString,
    pub service_token_secret: &'a SecretString,
    pub sandbox_token_secret: &'a SecretString,
    pub encryption_keys: &'a EncryptionKeys,
}

impl Settings {
    /// Loads and checks everything; an error names every problem there is.
    pub fn load(catalog: &Catalog, sources: Sources<'_>) -> Result<Self, ConfigError> {
        let mut resolver = Resolver {
            flags: &sources.flags,
            env: sources.env,
            lines: Lines::default(),
            problems: Vec::new(),
            effective: Vec::new(),
        };
        let path = sources
            .file
            .or_else(|| resolver.env_var(&env::CONFIG).map(PathBuf::from));
        let file = match path {
            Some(path) => {
                let (file, lines) = file::load(&path, catalog, &mut resolver.problems);
                resolver.lines = lines;
                file
            }
            None => FileSettings::default(),
        };
        let data_dir = data_dir::resolve(&mut resolver, file.data_dir);
        let settings = Self {
            server: ServerSettings::resolve(&mut resolver, file.server),
            database: DatabaseSettings::resolve(&mut resolver, file.database, &data_dir),
            coordination: CoordinationSettings::resolve(&mut resolver, file.coordination),
            storage: StorageSettings::resolve(&mut resolver, file.storage, &data_dir),
            policy: PolicySettings::resolve(&mut resolver, file.policy),
            sandbox: SandboxSettings::resolve(&mut resolver, file.sandbox, &data_dir),
            live: LiveSettings::resolve(&mut resolver, file.live),
            fleet: FleetSettings::resolve(&mut resolver, file.fleet),
            integrations: IntegrationSettings::resolve(
                &mut resolver,
                catalog.sources(),
                file.integrations,
            ),
            model: ModelSettings::resolve(&mut resolver, file.model),
            identity: IdentitySettings::resolve(&mut resolver, file.identity),
            login: LoginSettings::resolve(&mut resolver, file.login),
            encryption: EncryptionSettings::resolve(&mut resolver, file.encryption),
            telemetry: TelemetrySettings::resolve(&mut resolver, file.telemetry),
            effective: Vec::new(),
            data_dir,
        };
        resolver.complain(settings.validate(catalog));
        if !resolver.problems.is_empty() {
            return Err(ConfigError {
                problems: resolver.problems,
            });
        }
        Ok(Self {
            effective: resolver.effective,
            ..settings
        })
    }

    /// What is wrong within and between the sections.
    pub fn validate(&self, catalog: &Catalog) -> Vec<Complaint> {
        let mut complaints = self.server.validate();
        complaints.extend(self.database.validate());
        complaints.extend(self.coordination.validate());
        complaints.extend(self.storage.validate());
        complaints.extend(self.sandbox.validate());
        complaints.extend(self.live.validate());
        complaints.extend(self.fleet.validate());
        complaints.extend(self.integrations.validate(catalog.sources()));
        complaints.extend(self.model.validate());
        complaints.extend(self.identity.validate());
        complaints.extend(self.login.validate());
        complaints.extend(self.encryption.validate());
        complaints.extend(self.telemetry.validate());
        // INVARIANT: a database timeout ends before the request does, so that the caller gets the
        // more precise error.
        for (setting, timeout) in [
            (&database::ACQUIRE_TIMEOUT, self.database.acquire_timeout),
            (
                &database::STATEMENT_TIMEOUT,
                self.database.statement_timeout,
            ),
        ] {
            if timeout >= self.server.request_timeout {
                let request_timeout = show_duration(self.server.request_timeout);
                complaints.push(Complaint::new(
                    setting.path,
                    format!(
                        "is {}, not shorter than `server.request_timeout`",
                        show_duration(timeout)
                    ),
                    format!("write a duration below {request_timeout}, or raise that one"),
                ));
            }
        }
        complaints
    }

    /// One row per setting for `config check`; safe to print.
    pub fn effective(&self) -> &[Effective] {
        &self.effective
    }

    /// Secrets that are not set, in a fixed order.
    pub fn missing_secrets(&self) -> Vec<&'static SecretSetting> {
        let mut missing: Vec<_> = self
            .identity
            .secrets()
            .into_iter()
            .filter(|(_, secret)| secret.is_none())
            .map(|(setting, _)| setting)
            .collect();
        if self.encryption.keys.is_none() {
            missing.push(&encryption::KEYS);
        }
        missing
    }

    /// The secrets, or an error that names every missing one and how to set it.
    pub fn require_secrets(&self) -> Result<Secrets<'_>, ConfigError> {
        let identity = &self.identity;
        if let (Some(user), Some(service), Some(sandbox), Some(keys)) = (
            &identity.user_token_secret,
            &identity.service_token_secret,
            &identity.sandbox_token_secret,
            &self.encryption.keys,
        ) {
            return Ok(Secrets {
                user_token_secret: user,
                service_token_secret: service,
                sandbox_token_secret: sandbox,
                encryption_keys: keys,
            });
        }
        let problems = self.missing_secrets().into_iter().map(|secret| {
            let value = secret.value.env[0].name;
            let file = secret.file.env[0].name;
            let hint = format!("set {value}, or name a file that holds it with {file}");
            Problem::new(
                secret.value.path,
                Source::Default,
                Refusal::new("is not set", hint),
            )
        });
        Err(ConfigError {
            problems: problems.collect(),
        })
    }
}
