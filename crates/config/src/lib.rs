//! Settings: sections, environment variables, the TOML file.
//!
//! A leaf: the command line loads [`Settings`] once and hands each part its own section. Flags win
//! over variables, variables over the file, the file over defaults. Nothing here reads the process
//! environment by itself, writes anything or makes up a secret.

mod catalog;
mod cautions;
pub mod coordination;
pub mod data_dir;
pub mod database;
pub mod encryption;
pub mod env;
pub mod error;
mod file;
pub mod fleet;
pub mod identity;
pub mod integrations;
pub mod live;
pub mod login;
pub mod model;
pub mod policy;
mod resolve;
pub mod sandbox;
mod schema;
pub mod server;
pub mod setting;
mod settings;
pub mod storage;
mod suggest;
pub mod telemetry;
pub mod url;
mod value;

#[cfg(test)]
mod tests;

pub use catalog::Catalog;
pub use coordination::{CoordinationSettings, CoordinationUrl};
pub use database::{DatabaseSettings, DatabaseUrl};
pub use encryption::{EncryptionKey, EncryptionKeys, EncryptionSettings};
use env::ENV_VARS;
pub use env::{EnvVar, env_markdown, process_env};
pub use error::{Complaint, ConfigError, Problem, Refusal};
pub use file::FILE_VERSION;
pub use fleet::FleetSettings;
pub use identity::IdentitySettings;
pub use integrations::{IntegrationSettings, SourceSettings};
pub use live::{Forward, LiveSettings};
pub use login::LoginSettings;
pub use model::{ModelKeyHeader, ModelSettings, ScriptedModel};
pub use policy::{PolicySettings, SafetyLock};
pub use resolve::{HIDDEN, NOT_SET};
pub use sandbox::{SandboxProvider, SandboxSettings};
pub use schema::schema_json;
pub use server::ServerSettings;
pub use setting::{Effective, Overrides, SecretSetting, Setting, Source};
pub use settings::{Secrets, Settings, Sources};
pub use storage::{StorageSettings, StorageUrl};
pub use telemetry::{LogFormat, TelemetrySettings};
pub use url::{ConnectionUrl, EndpointUrl, HttpUrl, Origin};

/// Every secret but those of the sources, which [`Catalog`] has too.
const SECRETS: &[SecretSetting] = &[
    identity::USER_TOKEN_SECRET,
    identity::SERVICE_TOKEN_SECRET,
    identity::SANDBOX_TOKEN_SECRET,
    encryption::KEYS,
    storage::S3_SECRET_ACCESS_KEY,
    model::API_KEY,
    login::OIDC_CLIENT_SECRET,
];

/// Every setting that is not a secret, in the order of `config check`, without those of the sources.
const SETTINGS: &[Setting] = &[
    data_dir::DATA_DIR,
    server::LISTEN,
    server::ADVERTISE_URL,
    server::PUBLIC_URL,
    server::CORS_ALLOWED_ORIGINS,
    server::REQUEST_TIMEOUT,
    server::REQUEST_BODY_BYTES_MAX,
    server::REQUESTS_IN_FLIGHT_MAX,
    server::TRUSTED_PROXIES,
    server::METRICS_LISTEN,
    server::SHUTDOWN_DRAIN,
    database::URL,
    database::CONNECTIONS_MAX,
    database::ACQUIRE_TIMEOUT,
    database::STATEMENT_TIMEOUT,
    coordination::URL,
    storage::URL,
    storage::S3_ENDPOINT,
    storage::S3_REGION,
    storage::S3_ACCESS_KEY_ID,
    policy::DIRECTORY,
    policy::SAFETY_LOCK,
    policy::EGRESS_ALLOW,
    sandbox::PROVIDER,
    sandbox::DIRECTORY,
    sandbox::AGENT_DIRECTORY,
    sandbox::CONTAINER_SOCKET,
    sandbox::CONTAINER_IMAGE,
    sandbox::LISTEN,
    sandbox::GATEWAY_ADDRESS,
    sandbox::LIFETIME,
    live::HUBS_MAX_SETTING,
    live::IDLE_TTL,
    live::FORWARD,
    fleet::OPERATORS,
    model::UPSTREAM_URL,
    model::KEY_HEADER,
    model::SESSION_BUDGET,
    model::SCRIPTED,
    model::SCRIPT,
    identity::ISSUER,
    identity::AUDIENCE,
    login::OIDC_ISSUER,
    login::OIDC_CLIENT_ID,
    login::OIDC_SCOPES,
    login::OIDC_ALLOWED_DOMAINS,
    login::OIDC_ORGANIZATION,
    login::OIDC_ROLE,
    telemetry::LOG_FORMAT,
    telemetry::LOG_FILTER,
    telemetry::OTLP_ENDPOINT,
    telemetry::SERVICE_NAME,
    telemetry::SAMPLING_RATIO,
];
