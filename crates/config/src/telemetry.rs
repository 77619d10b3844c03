//! `[telemetry]`: what is logged, how, and where traces go.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    env,
    error::{Complaint, Refusal, echo},
    resolve::{NOT_SET, Resolver},
    server::range,
    setting::{Setting, Source},
    url::ConnectionUrl,
    value::Value,
};

pub const LOG_FORMAT: Setting = Setting {
    path: "telemetry.log_format",
    flag: "--log-format",
    env: &[env::LOG_FORMAT],
};
pub const LOG_FILTER: Setting = Setting {
    path: "telemetry.log_filter",
    flag: "--log-filter",
    env: &[env::LOG],
};
pub const OTLP_ENDPOINT: Setting = Setting {
    path: "telemetry.otlp_endpoint",
    flag: "--otlp-endpoint",
    env: &[env::OTLP_ENDPOINT, env::OTEL_EXPORTER_OTLP_ENDPOINT],
};
pub const SERVICE_NAME: Setting = Setting {
    path: "telemetry.service_name",
    flag: "--service-name",
    env: &[env::SERVICE_NAME],
};
pub const SAMPLING_RATIO: Setting = Setting {
    path: "telemetry.sampling_ratio",
    flag: "--sampling-ratio",
    env: &[env::TRACE_SAMPLING_RATIO],
};
/// Not in the file: whether colours are wanted is a matter of who looks, not of the installation.
pub const COLOR: Setting = Setting {
    path: "telemetry.color",
    flag: "",
    env: &[],
};

/// Every module of ours with a level of its own fits many times.
const LOG_FILTER_LENGTH_MAX: usize = 2000;
const SERVICE_NAME_LENGTH_MAX: usize = 100;

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LogFormat {
    /// Human in a terminal, JSON elsewhere.
    #[default]
    Auto,
    Human,
    Json,
}

impl Value for LogFormat {
    fn parse(text: &str) -> Result<Self, Refusal> {
        match text {
            "auto" => Ok(Self::Auto),
            "human" => Ok(Self::Human),
            "json" => Ok(Self::Json),
            _ => Err(Refusal::new(
                format!("is {}, which is not a log format", echo(text)),
                "write `auto`, `human` or `json`",
            )),
        }
    }

    fn show(&self) -> String {
        match self {
            Self::Auto => "auto",
            Self::Human => "human",
            Self::Json => "json",
        }
        .to_owned()
    }
}

/// The collector; a newtype so that it parses as what it is.
struct OtlpEndpoint(ConnectionUrl);

impl Value for OtlpEndpoint {
    fn parse(text: &str) -> Result<Self, Refusal> {
        ConnectionUrl::parse(text, &["http", "https"], "http://localhost:4318").map(Self)
    }

    fn show(&self) -> String {
        self.0.to_string()
    }

    fn holds_secret(&self) -> bool {
        self.0.holds_secret()
    }
}

/// Logs and traces.
#[derive(Debug, Clone)]
pub struct TelemetrySettings {
    /// How log lines look.
    pub log_format: LogFormat,
    /// What is logged, as filter directives. Their syntax is checked where they are used.
    pub log_filter: String,
    /// Base URL of an OpenTelemetry collector; no traces are exported without one.
    pub otlp_endpoint: Option<ConnectionUrl>,
    /// Name of this service in traces.
    pub service_name: String,
    /// Part of the traces that is exported, from 0 to 1.
    pub sampling_ratio: f64,
    /// Whether colours may be used in a terminal; false with `NO_COLOR`.
    pub color: bool,
}

impl Default for TelemetrySettings {
    fn default() -> Self {
        Self {
            log_format: LogFormat::Auto,
            // The protocol's library tells of each connection it opens and closes.
            log_filter: "info,rmcp=warn".to_owned(),
            otlp_endpoint: None,
            service_name: "proliferate".to_owned(),
            sampling_ratio: 1.0,
            color: true,
        }
    }
}

impl TelemetrySettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: TelemetryFile) -> Self {
        let default = Self::default();
        let settings = Self {
            log_format: resolver.value(&LOG_FORMAT, file.log_format, default.log_format),
            log_filter: resolver.value(&LOG_FILTER, file.log_filter, default.log_filter),
            otlp_endpoint: resolver
                .optional(&OTLP_ENDPOINT, file.otlp_endpoint, NOT_SET)
                .map(|OtlpEndpoint(url)| url),
            service_name: resolver.value(&SERVICE_NAME, file.service_name, default.service_name),
            sampling_ratio: resolver.value(
                &SAMPLING_RATIO,
                file.sampling_ratio,
                default.sampling_ratio,
            ),
            color: resolver.env_var(&env::NO_COLOR).is_none(),
        };
        let source = if settings.color {
            Source::Default
        } else {
            Source::Env(env::NO_COLOR.name)
        };
        resolver.record(&COLOR, settings.color.to_string(), source);
        settings
    }

    pub fn validate(&self) -> Vec<Complaint> {
        let mut complaints = Vec::new();
        for (setting, text, max) in [
            (&LOG_FILTER, &self.log_filter, LOG_FILTER_LENGTH_MAX),
            (&SERVICE_NAME, &self.service_name, SERVICE_NAME_LENGTH_MAX),
        ] {
            if let Err(invalid) = domain::invalid::bounded_text(setting.path, text, 1, max) {
                complaints.push(Complaint::new(setting.path, invalid.message, "shorten it"));
            }
        }
        // Not a number is in no range, but compares as if it were in every one.
        let ratio = if self.sampling_ratio.is_nan() {
            -1.0
        } else {
            self.sampling_ratio
        };
        complaints.extend(range(&SAMPLING_RATIO, ratio, 0.0, 1.0));
        complaints
    }
}

/// `[telemetry]` of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TelemetryFile {
    /// `human`, `json`, or `auto`: human in a terminal, JSON elsewhere. Default `auto`.
    log_format: Option<String>,
    /// What is logged, such as `info` or `info,store=debug`. Default `info`.
    log_filter: Option<String>,
    /// Base URL of an OpenTelemetry collector that takes OTLP over HTTP. Default: none, no traces.
    otlp_endpoint: Option<String>,
    /// Name of this service in traces. Default `proliferate`.
    service_name: Option<String>,
    /// Part of the traces that is exported, from 0 to 1. Default 1.
    sampling_ratio: Option<f64>,
}
