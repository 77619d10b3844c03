//! Settings: their declarations, and their values from flags, environment, TOML file and defaults.
//!
//! A setting is declared once, in the file of its section. The command line loads [`Settings`] once and
//! hands each part its own section. Flags win over variables, variables over the file, the file over
//! defaults. Nothing here reads the process environment by itself, writes anything or makes up a secret.
//!
//! No configuration crate (`figment`, `config`, clap's derive): none of them reports every problem of
//! all sources at once with its line or variable and without repeating a secret, nor derives flags,
//! schema and reference pages from the declaration that the values are read by.
//!
//! From the bottom up: `setting` says what a declaration is, `value` parses and shows values, `resolve`
//! takes each from the first source that has it, `sections` has the declarations, and above them are
//! `catalog`, `file`, `schema`, `env` and `settings`, which know all sections.

mod catalog;
mod cautions;
pub mod env;
mod error;
mod file;
mod invalid;
mod resolve;
mod schema;
mod sections;
mod setting;
mod settings;
mod sources;
mod suggest;
mod text_file;
mod value;

#[cfg(test)]
mod tests;

pub use catalog::Catalog;
pub use cautions::Caution;
pub use env::{env_markdown, process_env};
pub use error::{ConfigError, ConfigProblem};
pub use invalid::{InvalidSetting, InvalidValue};
pub use schema::schema_json;
pub use sections::{
    admission::{self, AdmissionFailure, AdmissionSettings},
    coordination::{self, CoordinationSettings, CoordinationUrl},
    data_dir,
    database::{self, DatabaseSettings, DatabaseUrl},
    encryption::{self, EncryptionKey, EncryptionKeys, EncryptionSettings},
    fleet::{self, FleetSettings},
    identity::{self, IdentitySettings},
    integrations::{AppSettingTable, IntegrationSettings, SourceSettingTable, SourceSettings},
    live::{self, Forwarding, LiveSettings},
    login::{self, LoginSettings},
    mail::{self, MailServerSettings, SmtpEncryption},
    model::{self, ModelKeyHeader, ModelSettings, ScriptedModel},
    policy::{self, PolicySettings, SafetyLock},
    sandbox::{self, SandboxProvider, SandboxSettings},
    server::{self, ServerSettings},
    storage::{self, StorageSettings, StorageUrl},
    telemetry::{self, LogFormat, TelemetrySettings},
};
pub use setting::{
    DefaultValue, EnvVar, OtherVariable, SecretSetting, Section, SectionEntry, Setting, TomlType,
    ValueKind,
};
pub use settings::{RequiredSecrets, SettingSources, Settings};
pub use sources::{EffectiveSetting, Overrides, ValueSource};
pub use value::url::{ConnectionUrl, EndpointUrl, HttpUrl, Origin};
