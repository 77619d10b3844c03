//! All sections together: loading them from their sources, and the secrets a server cannot do
//! without.

use std::path::PathBuf;

use secrecy::SecretString;

use crate::{
    catalog::Catalog,
    env,
    error::{ConfigError, ConfigProblem},
    file,
    invalid::{InvalidSetting, InvalidValue},
    resolve::Resolver,
    sections::{
        admission::AdmissionSettings,
        coordination::CoordinationSettings,
        data_dir,
        database::{self, DatabaseSettings},
        encryption::{self, EncryptionKeys, EncryptionSettings},
        fleet::FleetSettings,
        identity::IdentitySettings,
        integrations::IntegrationSettings,
        live::LiveSettings,
        login::LoginSettings,
        mail::MailServerSettings,
        model::ModelSettings,
        policy::PolicySettings,
        sandbox::SandboxSettings,
        server::ServerSettings,
        storage::StorageSettings,
        telemetry::TelemetrySettings,
    },
    setting::SecretSetting,
    sources::{EffectiveSetting, Overrides, ValueSource},
    value::duration::show_duration,
};

/// Where settings come from.
pub struct SettingSources<'a> {
    /// What the command line said.
    pub flags: Overrides,
    /// Looks up an environment variable; [`env::process_env`] outside of tests.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// The file named by `--config`; PROLIFERATE_CONFIG names it otherwise.
    pub file: Option<PathBuf>,
}

impl std::fmt::Debug for SettingSources<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SettingSources")
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
    pub admission: AdmissionSettings,
    pub integrations: IntegrationSettings,
    pub model: ModelSettings,
    pub identity: IdentitySettings,
    pub login: LoginSettings,
    pub mail: MailServerSettings,
    pub encryption: EncryptionSettings,
    pub telemetry: TelemetrySettings,
    effective: Vec<EffectiveSetting>,
}

/// The secrets that a server needs, all present.
#[derive(Debug, Clone, Copy)]
pub struct RequiredSecrets<'a> {
    pub user_token_secret: &'a SecretString,
    pub service_token_secret: &'a SecretString,
    pub sandbox_token_secret: &'a SecretString,
    pub encryption_keys: &'a EncryptionKeys,
}

impl Settings {
    /// Loads and checks everything; an error names every problem there is.
    pub fn load(catalog: &Catalog, sources: SettingSources<'_>) -> Result<Self, ConfigError> {
        let mut resolver = Resolver::new(&sources.flags, sources.env);
        let path = sources.file.or_else(|| {
            resolver
                .variable(env::CONFIG.variable.name)
                .map(PathBuf::from)
        });
        if let Some(path) = path {
            resolver.file = file::load(&path, catalog, &mut resolver.problems);
        }
        let data_dir = data_dir::resolve(&mut resolver);
        let settings = Self {
            server: ServerSettings::resolve(&mut resolver),
            database: DatabaseSettings::resolve(&mut resolver, &data_dir),
            coordination: CoordinationSettings::resolve(&mut resolver),
            storage: StorageSettings::resolve(&mut resolver, &data_dir),
            policy: PolicySettings::resolve(&mut resolver),
            sandbox: SandboxSettings::resolve(&mut resolver, &data_dir),
            live: LiveSettings::resolve(&mut resolver),
            fleet: FleetSettings::resolve(&mut resolver),
            admission: AdmissionSettings::resolve(&mut resolver),
            integrations: IntegrationSettings::resolve(&mut resolver, catalog.sources()),
            model: ModelSettings::resolve(&mut resolver),
            identity: IdentitySettings::resolve(&mut resolver),
            login: LoginSettings::resolve(&mut resolver),
            mail: MailServerSettings::resolve(&mut resolver),
            encryption: EncryptionSettings::resolve(&mut resolver),
            telemetry: TelemetrySettings::resolve(&mut resolver),
            effective: Vec::new(),
            data_dir,
        };
        resolver.report_invalid(settings.validate(catalog));
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
    pub fn validate(&self, catalog: &Catalog) -> Vec<InvalidSetting> {
        let mut found = self.server.validate();
        found.extend(self.database.validate());
        found.extend(self.storage.validate());
        found.extend(self.sandbox.validate());
        found.extend(self.live.validate());
        found.extend(self.fleet.validate());
        found.extend(self.admission.validate());
        found.extend(self.integrations.validate(catalog.sources()));
        found.extend(self.model.validate());
        found.extend(self.identity.validate());
        found.extend(self.login.validate());
        found.extend(self.mail.validate());
        found.extend(self.telemetry.validate());
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
                found.push(InvalidSetting::new(
                    setting.path,
                    format!(
                        "is {}, not shorter than `server.request_timeout`",
                        show_duration(timeout)
                    ),
                    format!("write a duration below {request_timeout}, or raise that one"),
                ));
            }
        }
        found
    }

    /// One row per setting for `config check`; safe to print.
    pub fn effective(&self) -> &[EffectiveSetting] {
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
    pub fn require_secrets(&self) -> Result<RequiredSecrets<'_>, ConfigError> {
        let identity = &self.identity;
        if let (Some(user), Some(service), Some(sandbox), Some(keys)) = (
            &identity.user_token_secret,
            &identity.service_token_secret,
            &identity.sandbox_token_secret,
            &self.encryption.keys,
        ) {
            return Ok(RequiredSecrets {
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
            ConfigProblem::new(
                secret.value.path,
                ValueSource::Default,
                InvalidValue::new("is not set", hint),
            )
        });
        Err(ConfigError {
            problems: problems.collect(),
        })
    }
}
