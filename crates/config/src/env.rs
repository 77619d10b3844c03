//! Every environment variable the product reads, but those of built-in sources, which follow from their declarations.
//! Settings can only be resolved from variables of a table, because the resolver takes an [`EnvVar`] and not a name. The
//! reference page is generated from both.

use std::fmt::Write as _;

use crate::catalog::Catalog;

/// One environment variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnvVar {
    pub name: &'static str,
    /// The setting it sets, as named in the file, or the part of the product that reads it.
    pub setting: &'static str,
    pub doc: &'static str,
    /// Whether its value must never be shown.
    pub secret: bool,
    /// The version that first read it.
    pub since: &'static str,
}

macro_rules! env_vars {
    ($($constant:ident = $name:literal, $setting:literal, $secret:ident, $since:literal, $doc:literal;)*) => {
        $(pub const $constant: EnvVar = EnvVar {
            name: $name,
            setting: $setting,
            doc: $doc,
            secret: env_vars!(@$secret),
            since: $since,
        };)*
        /// The table, in the order of the reference page.
        pub(crate) const ENV_VARS: &[EnvVar] = &[$($constant),*];
    };
    (@secret) => { true };
    (@open) => { false };
}

env_vars! {
    CONFIG = "PROLIFERATE_CONFIG", "(file)", open, "0.1.0",
        "Path of the TOML file with settings. There is no default file.";
    DATA_DIR = "PROLIFERATE_DATA_DIR", "data_dir", open, "0.1.0",
        "Directory for everything the product keeps on disk.";
    XDG_DATA_HOME = "XDG_DATA_HOME", "data_dir", open, "0.1.0",
        "Absolute path; the default data directory is `proliferate` inside it.";
    HOME = "HOME", "data_dir", open, "0.1.0",
        "The default data directory is `.local/share/proliferate` inside it when `XDG_DATA_HOME` is not set.";

    LISTEN = "PROLIFERATE_LISTEN", "server.listen", open, "0.1.0",
        "Address and port to listen on; port 0 takes a free one.";
    ADVERTISE_URL = "PROLIFERATE_ADVERTISE_URL", "server.advertise_url", open, "0.1.0",
        "URL at which other instances and sandboxes reach this instance.";
    PUBLIC_URL = "PROLIFERATE_PUBLIC_URL", "server.public_url", open, "0.1.0",
        "URL at which people open the gateway in a browser; the advertised one if it is not set.";
    CORS_ALLOWED_ORIGINS = "PROLIFERATE_CORS_ALLOWED_ORIGINS", "server.cors_allowed_origins", open, "0.1.0",
        "Origins whose pages may call the API, separated by commas.";
    REQUEST_TIMEOUT = "PROLIFERATE_REQUEST_TIMEOUT", "server.request_timeout", open, "0.1.0",
        "Longest a request may take, such as `30s`.";
    REQUEST_BODY_BYTES_MAX = "PROLIFERATE_REQUEST_BODY_BYTES_MAX", "server.request_body_bytes_max", open, "0.1.0",
        "Largest request body in bytes.";
    REQUESTS_IN_FLIGHT_MAX = "PROLIFERATE_REQUESTS_IN_FLIGHT_MAX", "server.requests_in_flight_max", open, "0.1.0",
        "Requests served at once, once for people and once more for sandboxes; more are refused with 503.";
    TRUSTED_PROXIES = "PROLIFERATE_TRUSTED_PROXIES", "server.trusted_proxies", open, "0.1.0",
        "Networks of the proxies in front, such as `10.0.0.0/8`, separated by commas; their `X-Forwarded-For` is believed.";
    METRICS_LISTEN = "PROLIFERATE_METRICS_LISTEN", "server.metrics_listen", open, "0.1.0",
        "Address and port for `/metrics` alone, which is then nowhere else; with everything else if not set.";
    SHUTDOWN_DRAIN = "PROLIFERATE_SHUTDOWN_DRAIN", "server.shutdown_drain", open, "0.1.0",
        "How long a shutdown waits for requests under way, such as `20s`.";

    DATABASE_URL = "PROLIFERATE_DATABASE_URL", "database.url", secret, "0.1.0",
        "`sqlite:PATH` or `postgres://...`. Secret because it may contain a password; `config check` shows it without.";
    DATABASE_CONNECTIONS_MAX = "PROLIFERATE_DATABASE_CONNECTIONS_MAX", "database.connections_max", open, "0.1.0",
        "Most connections to PostgreSQL, or reading connections to SQLite.";
    DATABASE_ACQUIRE_TIMEOUT = "PROLIFERATE_DATABASE_ACQUIRE_TIMEOUT", "database.acquire_timeout", open, "0.1.0",
        "How long a request waits for a connection, such as `5s`.";
    DATABASE_STATEMENT_TIMEOUT = "PROLIFERATE_DATABASE_STATEMENT_TIMEOUT", "database.statement_timeout", open, "0.1.0",
        "How long one statement may run in PostgreSQL, such as `10s`.";

    COORDINATION_URL = "PROLIFERATE_COORDINATION_URL", "coordination.url", secret, "0.1.0",
        "`memory://` for a single instance, or `redis://...` or `rediss://...`. Secret because it may contain a password; `config check` shows it without.";

    STORAGE_URL = "PROLIFERATE_STORAGE_URL", "storage.url", open, "0.1.0",
        "Where artifacts are kept: the path of a directory, `file:///PATH` or `s3://BUCKET/PREFIX`.";
    S3_ENDPOINT = "PROLIFERATE_S3_ENDPOINT", "storage.s3_endpoint", open, "0.1.0",
        "URL of a service that speaks S3's language; Amazon's if not set.";
    S3_REGION = "PROLIFERATE_S3_REGION", "storage.s3_region", open, "0.1.0",
        "Region of the bucket.";
    S3_ACCESS_KEY_ID = "PROLIFERATE_S3_ACCESS_KEY_ID", "storage.s3_access_key_id", open, "0.1.0",
        "Which key signs requests to S3; the credentials that the cloud gives this machine if not set.";
    S3_SECRET_ACCESS_KEY = "PROLIFERATE_S3_SECRET_ACCESS_KEY", "storage.s3_secret_access_key", secret, "0.1.0",
        "The secret of that key.";
    S3_SECRET_ACCESS_KEY_FILE = "PROLIFERATE_S3_SECRET_ACCESS_KEY_FILE", "storage.s3_secret_access_key_file", open, "0.1.0",
        "File that holds the secret of that key.";

    POLICY_DIRECTORY = "PROLIFERATE_POLICY_DIRECTORY", "policy.directory", open, "0.1.0",
        "Directory with `lanes.yaml`, `roles.yaml` and `tools.yaml`; the built-in policy if not set.";
    SAFETY_LOCK = "PROLIFERATE_SAFETY_LOCK", "policy.safety_lock", open, "0.1.0",
        "`on` denies every call; `off` if not set.";
    EGRESS_ALLOW = "PROLIFERATE_EGRESS_ALLOW", "policy.egress_allow", open, "0.1.0",
        "`HOST:PORT` of services that tools may reach though they are not public or not https, separated by commas.";

    SANDBOX_PROVIDER = "PROLIFERATE_SANDBOX_PROVIDER", "sandbox.provider", open, "0.1.0",
        "`auto` for the best sandboxes that this machine allows, `root`, `rootless`, `container`, or `off` for none.";
    SANDBOX_DIRECTORY = "PROLIFERATE_SANDBOX_DIRECTORY", "sandbox.directory", open, "0.1.0",
        "Directory of local sandboxes and their snapshots; `sandboxes` in the data directory if not set.";
    AGENT_DIRECTORY = "PROLIFERATE_AGENT_DIRECTORY", "sandbox.agent_directory", open, "0.1.0",
        "`node_modules` directory with the agent; that of the source tree if not set.";
    SANDBOX_CONTAINER_SOCKET = "PROLIFERATE_SANDBOX_CONTAINER_SOCKET", "sandbox.container_socket", open, "0.1.0",
        "Socket of Docker or podman; `DOCKER_HOST` or the first of the usual ones if not set.";
    DOCKER_HOST = "DOCKER_HOST", "sandbox.container_socket", open, "0.1.0",
        "Other name of `PROLIFERATE_SANDBOX_CONTAINER_SOCKET`, which wins when both are set.";
    SANDBOX_CONTAINER_IMAGE = "PROLIFERATE_SANDBOX_CONTAINER_IMAGE", "sandbox.container_image", open, "0.1.0",
        "Image that containers begin with; what `scripts/container-image.sh` makes if not set.";

    SANDBOX_LISTEN = "PROLIFERATE_SANDBOX_LISTEN", "sandbox.listen", open, "0.1.0",
        "Address and port at which sandboxes come in; on loopback, a thousand above the port of `PROLIFERATE_LISTEN`, if not set.";
    SANDBOX_GATEWAY_ADDRESS = "PROLIFERATE_SANDBOX_GATEWAY_ADDRESS", "sandbox.gateway_address", open, "0.1.0",
        "Address and port at which sandboxes reach gateways, such as a load balancer's; `PROLIFERATE_SANDBOX_LISTEN` of this instance if not set.";

    SANDBOX_LIFETIME = "PROLIFERATE_SANDBOX_LIFETIME", "sandbox.lifetime", open, "0.1.0",
        "How long a sandbox lives, such as `1h`; its session is moved to a fresh one before. For ever if not set.";
    SANDBOX_TIMEOUT_SECONDS = "SANDBOX_TIMEOUT_SECONDS", "sandbox.lifetime", open, "0.1.0",
        "The same in seconds; `PROLIFERATE_SANDBOX_LIFETIME` wins when both are set.";

    HUBS_MAX = "PROLIFERATE_HUBS_MAX", "live.hubs_max", open, "0.1.0",
        "Sessions that are live in this process at once.";
    MAX_HUBS_PER_INSTANCE = "MAX_HUBS_PER_INSTANCE", "live.hubs_max", open, "0.1.0",
        "Other name of `PROLIFERATE_HUBS_MAX`, which wins when both are set.";
    HUB_IDLE_TTL = "PROLIFERATE_HUB_IDLE_TTL", "live.idle_ttl", open, "0.1.0",
        "How long a session stays live that nobody uses, such as `5m`.";
    HUB_IDLE_TTL_MS = "HUB_IDLE_TTL_MS", "live.idle_ttl", open, "0.1.0",
        "The same in milliseconds; `PROLIFERATE_HUB_IDLE_TTL` wins when both are set.";
    FORWARD = "PROLIFERATE_FORWARD", "live.forward", open, "0.1.0",
        "`on` carries requests for sessions of other instances to them, `off` refuses them with the address.";

    FLEET_OPERATORS = "PROLIFERATE_FLEET_OPERATORS", "fleet.operators", open, "0.1.0",
        "Ids of the organizations whose admins operate this installation, separated by commas; none if not set.";

    MODEL_UPSTREAM_URL = "PROLIFERATE_MODEL_UPSTREAM_URL", "model.upstream_url", open, "0.1.0",
        "Base URL of the provider of models, without `/v1`; Anthropic's if not set.";
    ANTHROPIC_API_KEY = "ANTHROPIC_API_KEY", "model.api_key", secret, "0.1.0",
        "The key at the provider of models. It enters no sandbox.";
    ANTHROPIC_API_KEY_FILE = "ANTHROPIC_API_KEY_FILE", "model.api_key_file", open, "0.1.0",
        "File that holds the key at the provider of models.";
    MODEL_KEY_HEADER = "PROLIFERATE_MODEL_KEY_HEADER", "model.key_header", open, "0.1.0",
        "How that key is sent: `x-api-key`, or `bearer` for LiteLLM; `x-api-key` if not set.";
    MODEL_SESSION_BUDGET_USD = "PROLIFERATE_MODEL_SESSION_BUDGET_USD", "model.session_budget_usd", open, "0.1.0",
        "Dollars that a session may spend on its model before it is paused, such as `2.50`; `none` if not set.";
    MODEL_SCRIPTED = "PROLIFERATE_MODEL_SCRIPTED", "model.scripted", open, "0.1.0",
        "Whether the scripted model takes the provider's place: `on`, `off`, or `auto` for on in `dev` without a key.";
    MODEL_SCRIPT = "PROLIFERATE_MODEL_SCRIPT", "model.script", open, "0.1.0",
        "Script that the scripted model follows; it does what prompts say if not set.";

    OIDC_ISSUER = "PROLIFERATE_OIDC_ISSUER", "login.oidc_issuer", open, "0.1.0",
        "URL of the service that vouches for people who log in.";
    OIDC_CLIENT_ID = "PROLIFERATE_OIDC_CLIENT_ID", "login.oidc_client_id", open, "0.1.0",
        "The id that this service gave to the gateway.";
    OIDC_CLIENT_SECRET = "PROLIFERATE_OIDC_CLIENT_SECRET", "login.oidc_client_secret", secret, "0.1.0",
        "The secret that goes with it, if the service gave one.";
    OIDC_CLIENT_SECRET_FILE = "PROLIFERATE_OIDC_CLIENT_SECRET_FILE", "login.oidc_client_secret_file", open, "0.1.0",
        "File that holds it.";
    OIDC_SCOPES = "PROLIFERATE_OIDC_SCOPES", "login.oidc_scopes", open, "0.1.0",
        "What the service is asked for besides `openid`, separated by commas.";
    OIDC_ALLOWED_DOMAINS = "PROLIFERATE_OIDC_ALLOWED_DOMAINS", "login.oidc_allowed_domains", open, "0.1.0",
        "Domains of addresses that let new people in, separated by commas; `*` for everybody.";
    OIDC_ORGANIZATION = "PROLIFERATE_OIDC_ORGANIZATION", "login.oidc_organization", open, "0.1.0",
        "The organization that new people belong to.";
    OIDC_ROLE = "PROLIFERATE_OIDC_ROLE", "login.oidc_role", open, "0.1.0",
        "What new people are in it: `member`, `admin` or `owner`.";
    USER_TOKEN_SECRET = "PROLIFERATE_USER_TOKEN_SECRET", "identity.user_token_secret", secret, "0.1.0",
        "Key that signs user tokens, at least 32 bytes.";
    GATEWAY_JWT_SECRET = "GATEWAY_JWT_SECRET", "identity.user_token_secret", secret, "0.1.0",
        "Other name of `PROLIFERATE_USER_TOKEN_SECRET`, which wins when both are set.";
    USER_TOKEN_SECRET_FILE = "PROLIFERATE_USER_TOKEN_SECRET_FILE", "identity.user_token_secret_file", open, "0.1.0",
        "File that holds the key that signs user tokens.";
    SERVICE_TOKEN_SECRET = "PROLIFERATE_SERVICE_TOKEN_SECRET", "identity.service_token_secret", secret, "0.1.0",
        "Key that signs service tokens, at least 32 bytes.";
    SERVICE_TO_SERVICE_AUTH_TOKEN = "SERVICE_TO_SERVICE_AUTH_TOKEN", "identity.service_token_secret", secret, "0.1.0",
        "Other name of `PROLIFERATE_SERVICE_TOKEN_SECRET`, which wins when both are set.";
    SERVICE_TOKEN_SECRET_FILE = "PROLIFERATE_SERVICE_TOKEN_SECRET_FILE", "identity.service_token_secret_file", open, "0.1.0",
        "File that holds the key that signs service tokens.";
    SANDBOX_TOKEN_SECRET = "PROLIFERATE_SANDBOX_TOKEN_SECRET", "identity.sandbox_token_secret", secret, "0.1.0",
        "Key of the tokens that sandboxes hold, at least 32 bytes.";
    SANDBOX_TOKEN_SECRET_FILE = "PROLIFERATE_SANDBOX_TOKEN_SECRET_FILE", "identity.sandbox_token_secret_file", open, "0.1.0",
        "File that holds the key of the tokens that sandboxes hold.";
    TOKEN_ISSUER = "PROLIFERATE_TOKEN_ISSUER", "identity.issuer", open, "0.1.0",
        "Issuer that tokens name and must name.";
    TOKEN_AUDIENCE = "PROLIFERATE_TOKEN_AUDIENCE", "identity.audience", open, "0.1.0",
        "Audience that tokens name and must name.";

    ENCRYPTION_KEYS = "PROLIFERATE_ENCRYPTION_KEYS", "encryption.keys", secret, "0.1.0",
        "AES-256 keys as `1:<64 hexadecimal digits>,2:<64 hexadecimal digits>`. The highest id seals, all open.";
    USER_SECRETS_ENCRYPTION_KEY = "USER_SECRETS_ENCRYPTION_KEY", "encryption.keys", secret, "0.1.0",
        "One AES-256 key as 64 hexadecimal digits, becomes key 1. `PROLIFERATE_ENCRYPTION_KEYS` wins when both are set.";
    ENCRYPTION_KEYS_FILE = "PROLIFERATE_ENCRYPTION_KEYS_FILE", "encryption.keys_file", open, "0.1.0",
        "File that holds the keys, separated by commas or line ends.";

    LOG_FORMAT = "PROLIFERATE_LOG_FORMAT", "telemetry.log_format", open, "0.1.0",
        "`human`, `json`, or `auto`: human in a terminal, JSON elsewhere.";
    LOG = "PROLIFERATE_LOG", "telemetry.log_filter", open, "0.1.0",
        "What is logged, such as `info` or `info,store=debug`.";
    OTLP_ENDPOINT = "PROLIFERATE_OTLP_ENDPOINT", "telemetry.otlp_endpoint", secret, "0.1.0",
        "Base URL of an OpenTelemetry collector that takes OTLP over HTTP. Secret because it may contain a password.";
    OTEL_EXPORTER_OTLP_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT", "telemetry.otlp_endpoint", secret, "0.1.0",
        "Other name of `PROLIFERATE_OTLP_ENDPOINT`, which wins when both are set.";
    SERVICE_NAME = "PROLIFERATE_SERVICE_NAME", "telemetry.service_name", open, "0.1.0",
        "Name of this service in traces.";
    TRACE_SAMPLING_RATIO = "PROLIFERATE_TRACE_SAMPLING_RATIO", "telemetry.sampling_ratio", open, "0.1.0",
        "Part of the traces that is exported, from 0 to 1.";
    NO_COLOR = "NO_COLOR", "telemetry.color", open, "0.1.0",
        "Set to anything but nothing: no colours in a terminal.";

    CLIENT_URL = "PROLIFERATE_URL", "(client)", open, "0.1.0",
        "Gateway that the client commands talk to, such as `proliferate session`. Read by them alone; without it they use the `dev.json` of the data directory.";
    CLIENT_TOKEN = "PROLIFERATE_TOKEN", "(client)", secret, "0.1.0",
        "Token that the client commands send. Read by them alone.";

    OTEL_EXPORTER_OTLP_HEADERS = "OTEL_EXPORTER_OTLP_HEADERS", "(trace exporter)", secret, "0.1.0",
        "Headers sent to the collector, such as an API key. Read by the OpenTelemetry exporter itself.";
    OTEL_EXPORTER_OTLP_TRACES_HEADERS = "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "(trace exporter)", secret, "0.1.0",
        "As `OTEL_EXPORTER_OTLP_HEADERS`, for traces alone; wins when both are set.";
    HTTP_PROXY = "HTTP_PROXY", "(HTTP client)", secret, "0.1.0",
        "Proxy for outgoing HTTP; may contain a password. Read by the HTTP client itself, also in lower case.";
    HTTPS_PROXY = "HTTPS_PROXY", "(HTTP client)", secret, "0.1.0",
        "Proxy for outgoing HTTPS; may contain a password. Read by the HTTP client itself, also in lower case.";
    NO_PROXY = "NO_PROXY", "(HTTP client)", open, "0.1.0",
        "Hosts reached without a proxy. Read by the HTTP client itself, also in lower case.";
}

/// The reference page of all environment variables.
pub fn env_markdown(catalog: &Catalog) -> String {
    let mut page = String::from(
        "# Environment variables\n\n\
         Generated from `crates/config/src/env.rs`; do not edit. Flags win over variables, variables \
         over the file, the file over defaults. A variable set to nothing counts as not set.\n\n\
         | Variable | Setting | Secret | Since | Meaning |\n|---|---|---|---|---|\n",
    );
    for var in catalog.env_vars() {
        let secret = if var.secret { "yes" } else { "no" };
        // Writing to a String cannot fail.
        let _ = writeln!(
            page,
            "| `{}` | `{}` | {secret} | {} | {} |",
            var.name, var.setting, var.since, var.doc
        );
    }
    page
}

/// Reads a variable of this process. Bytes that are not UTF-8 become replacement characters, so
/// that the value is refused where it matters instead of being taken as not set.
pub fn process_env(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}
