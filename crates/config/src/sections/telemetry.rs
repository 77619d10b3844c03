//! `[telemetry]`: what is logged, how, and where traces go.

use crate::{
    invalid::{InvalidSetting, InvalidValue},
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, OtherVariable, Section, SectionEntry, Setting, ValueKind},
    sources::ValueSource,
    value::{
        SettingValue,
        bounds::{check_range, check_text},
        url::ConnectionUrl,
        word_values,
    },
};

pub const LOG_FORMAT: Setting = Setting {
    path: "telemetry.log_format",
    flag: "--log-format",
    env: &[EnvVar::new("PROLIFERATE_LOG_FORMAT", "0.1.0")],
    kind: ValueKind::Choice("auto|human|json"),
    default: DefaultValue::Text("auto"),
    help: "`human`, `json`, or `auto`: human in a terminal, JSON elsewhere.",
};
pub const LOG_FILTER: Setting = Setting {
    path: "telemetry.log_filter",
    flag: "--log-filter",
    env: &[EnvVar::new("PROLIFERATE_LOG", "0.1.0")],
    kind: ValueKind::Text,
    // The library of the MCP protocol logs each connection that it opens or closes.
    default: DefaultValue::Text("info,rmcp=warn"),
    help: "What is logged, such as `info` or `info,store=debug`.",
};
pub const OTLP_ENDPOINT: Setting = Setting {
    path: "telemetry.otlp_endpoint",
    flag: "--otlp-endpoint",
    env: &[
        EnvVar::new("PROLIFERATE_OTLP_ENDPOINT", "0.1.0"),
        EnvVar::new("OTEL_EXPORTER_OTLP_ENDPOINT", "0.1.0"),
    ],
    kind: ValueKind::UrlWithPassword,
    default: DefaultValue::Unset,
    help: "Base URL of an OpenTelemetry collector that takes OTLP over HTTP; without one no traces are exported.",
};
pub const SERVICE_NAME: Setting = Setting {
    path: "telemetry.service_name",
    flag: "--service-name",
    env: &[EnvVar::new("PROLIFERATE_SERVICE_NAME", "0.1.0")],
    kind: ValueKind::Text,
    default: DefaultValue::Text("proliferate"),
    help: "Name of this service in traces.",
};
pub const SAMPLING_RATIO: Setting = Setting {
    path: "telemetry.sampling_ratio",
    flag: "--sampling-ratio",
    env: &[EnvVar::new("PROLIFERATE_TRACE_SAMPLING_RATIO", "0.1.0")],
    kind: ValueKind::Fraction,
    default: DefaultValue::Text("1"),
    help: "Part of the traces that is exported, from 0 to 1.",
};
/// Not in the file: whether colours are wanted depends on the terminal, not on the installation.
pub const NO_COLOR: OtherVariable = OtherVariable {
    variable: EnvVar::new("NO_COLOR", "0.1.0"),
    used_by: "telemetry.color",
    is_secret: false,
    help: "Set to any text: no colours in a terminal.",
};

pub(crate) const SECTION: Section = Section {
    name: "telemetry",
    heading: "Logs and traces",
    entries: &[
        SectionEntry::Open(LOG_FORMAT),
        SectionEntry::Open(LOG_FILTER),
        SectionEntry::Open(OTLP_ENDPOINT),
        SectionEntry::Open(SERVICE_NAME),
        SectionEntry::Open(SAMPLING_RATIO),
    ],
    other_variables: &[NO_COLOR],
};

/// Every module of ours with a level of its own fits many times.
const LOG_FILTER_LENGTH_MAX: usize = 2000;
const SERVICE_NAME_LENGTH_MAX: usize = 100;

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Human in a terminal, JSON elsewhere.
    Auto,
    Human,
    Json,
}

word_values!(
    LogFormat { "auto" => Auto, "human" => Human, "json" => Json },
    "write `auto`, `human` or `json`",
    is_not "a log format"
);

/// The URL of a collector.
struct OtlpEndpoint(ConnectionUrl);

impl SettingValue for OtlpEndpoint {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
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
        Resolver::defaults(Self::resolve)
    }
}

impl TelemetrySettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        let settings = Self {
            log_format: resolver.value(&LOG_FORMAT),
            log_filter: resolver.value(&LOG_FILTER),
            otlp_endpoint: {
                let endpoint = resolver.optional(&OTLP_ENDPOINT);
                endpoint.map(|OtlpEndpoint(url)| url)
            },
            service_name: resolver.value(&SERVICE_NAME),
            sampling_ratio: resolver.value(&SAMPLING_RATIO),
            color: resolver.variable(NO_COLOR.variable.name).is_none(),
        };
        let source = if settings.color {
            ValueSource::Default
        } else {
            ValueSource::Env(NO_COLOR.variable.name)
        };
        resolver.record(NO_COLOR.used_by, settings.color.to_string(), source);
        settings
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        let hint = "shorten it";
        // Not a number is in no range, but compares as if it were in every one.
        let ratio = if self.sampling_ratio.is_nan() {
            -1.0
        } else {
            self.sampling_ratio
        };
        let found = [
            check_text(&LOG_FILTER, &self.log_filter, LOG_FILTER_LENGTH_MAX, hint),
            check_text(
                &SERVICE_NAME,
                &self.service_name,
                SERVICE_NAME_LENGTH_MAX,
                hint,
            ),
            check_range(&SAMPLING_RATIO, ratio, [0.0, 1.0]),
        ];
        found.into_iter().flatten().collect()
    }
}
