//! Environment variables: how they are read, which there are besides those of the sections, and the
//! reference page of all of them.

use std::fmt::Write as _;

use crate::{
    catalog::Catalog,
    setting::{EnvVar, OtherVariable, SectionEntry, Setting, ValueKind},
};

/// Names the file when `--config` does not.
pub(crate) const CONFIG: OtherVariable = OtherVariable {
    variable: EnvVar::new("PROLIFERATE_CONFIG", "0.1.0"),
    used_by: "(file)",
    is_secret: false,
    help: "Path of the TOML file with settings. There is no default file.",
};
pub const CLIENT_URL: OtherVariable = OtherVariable {
    variable: EnvVar::new("PROLIFERATE_URL", "0.1.0"),
    used_by: "(client)",
    is_secret: false,
    help: "Gateway that the client commands talk to, such as `proliferate session`. Read by them alone; without it they use \
           the current context, else the `dev.json` of the data directory.",
};
pub const CLIENT_TOKEN: OtherVariable = OtherVariable {
    variable: EnvVar::new("PROLIFERATE_TOKEN", "0.1.0"),
    used_by: "(client)",
    is_secret: true,
    help: "Token that the client commands send. Read by them alone.",
};

pub const CLIENT_CONTEXT: OtherVariable = OtherVariable {
    variable: EnvVar::new("PROLIFERATE_CONTEXT", "0.1.0"),
    used_by: "(client)",
    is_secret: false,
    help: "Saved context that the client commands use instead of the current one. Read by them alone.",
};
pub const CONFIG_HOME: OtherVariable = OtherVariable {
    variable: EnvVar::new("XDG_CONFIG_HOME", "0.1.0"),
    used_by: "(client)",
    is_secret: false,
    help: "Absolute path; saved contexts are in `proliferate/contexts.json` inside it, else inside `.config` of HOME.",
};

/// Variables that libraries read, not this crate.
const READ_BY_LIBRARIES: [OtherVariable; 5] = [
    OtherVariable {
        variable: EnvVar::new("OTEL_EXPORTER_OTLP_HEADERS", "0.1.0"),
        used_by: "(trace exporter)",
        is_secret: true,
        help: "Headers sent to the collector, such as an API key. Read by the OpenTelemetry exporter itself.",
    },
    OtherVariable {
        variable: EnvVar::new("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "0.1.0"),
        used_by: "(trace exporter)",
        is_secret: true,
        help: "As `OTEL_EXPORTER_OTLP_HEADERS`, for traces alone; wins when both are set.",
    },
    OtherVariable {
        variable: EnvVar::new("HTTP_PROXY", "0.1.0"),
        used_by: "(HTTP client)",
        is_secret: true,
        help: "Proxy for outgoing HTTP; may contain a password. Read by the HTTP client itself, also in lower case.",
    },
    OtherVariable {
        variable: EnvVar::new("HTTPS_PROXY", "0.1.0"),
        used_by: "(HTTP client)",
        is_secret: true,
        help: "Proxy for outgoing HTTPS; may contain a password. Read by the HTTP client itself, also in lower case.",
    },
    OtherVariable {
        variable: EnvVar::new("NO_PROXY", "0.1.0"),
        used_by: "(HTTP client)",
        is_secret: false,
        help: "Hosts reached without a proxy. Read by the HTTP client itself, also in lower case.",
    },
];

/// One variable of the reference page.
#[derive(Debug)]
pub(crate) struct EnvVarRow {
    pub(crate) name: &'static str,
    /// The setting it sets, or what else reads it.
    pub(crate) used_by: &'static str,
    is_secret: bool,
    since: &'static str,
    meaning: String,
}

/// Every environment variable the product reads.
pub(crate) fn env_var_rows(catalog: &Catalog) -> Vec<EnvVarRow> {
    let mut rows = vec![other_row(&CONFIG)];
    for section in catalog.sections() {
        for entry in section.entries {
            match entry {
                SectionEntry::Open(setting) => rows.extend(setting_rows(setting)),
                SectionEntry::Secret(secret) => {
                    rows.extend(setting_rows(&secret.value));
                    rows.extend(setting_rows(&secret.file));
                }
            }
        }
        rows.extend(section.other_variables.iter().map(other_row));
    }
    let others = [CLIENT_URL, CLIENT_TOKEN, CLIENT_CONTEXT, CONFIG_HOME];
    rows.extend(others.iter().chain(&READ_BY_LIBRARIES).map(other_row));
    rows
}

fn other_row(other: &OtherVariable) -> EnvVarRow {
    EnvVarRow {
        name: other.variable.name,
        used_by: other.used_by,
        is_secret: other.is_secret,
        since: other.variable.since,
        meaning: other.help.to_owned(),
    }
}

/// The preferred name explains the setting, the other names refer to it.
fn setting_rows(setting: &'static Setting) -> impl Iterator<Item = EnvVarRow> {
    let preferred = setting.env[0].name;
    setting
        .env
        .iter()
        .enumerate()
        .map(move |(index, variable)| EnvVarRow {
            name: variable.name,
            used_by: setting.path,
            is_secret: setting.kind.is_secret(),
            since: variable.since,
            meaning: match (index, variable.difference) {
                (0, _) => setting_meaning(setting),
                (_, "") => format!("Other name of `{preferred}`, which wins when both are set."),
                (_, difference) => {
                    format!("{difference}; `{preferred}` wins when both are set.")
                }
            },
        })
}

fn setting_meaning(setting: &Setting) -> String {
    let mut meaning = setting.help.to_owned();
    if setting.kind.is_list() {
        meaning.push_str(" Separated by commas.");
    }
    let default = setting.default.sentence();
    if !default.is_empty() {
        meaning.push(' ');
        meaning.push_str(&default);
    }
    if setting.kind == ValueKind::UrlWithPassword {
        meaning.push_str(
            " Secret because it may contain a password; `config check` shows it without.",
        );
    }
    meaning
}

/// The reference page of all environment variables.
pub fn env_markdown(catalog: &Catalog) -> String {
    let mut page = String::from(
        "# Environment variables\n\n\
         Generated from the declarations in `crates/config/src/sections`; do not edit. Flags win over variables, \
         variables over the file, the file over defaults. A variable set to nothing counts as not set.\n\n\
         | Variable | Setting | Secret | Since | Meaning |\n|---|---|---|---|---|\n",
    );
    for row in env_var_rows(catalog) {
        let secret = if row.is_secret { "yes" } else { "no" };
        // Writing to a String cannot fail.
        let _ = writeln!(
            page,
            "| `{}` | `{}` | {secret} | {} | {} |",
            row.name, row.used_by, row.since, row.meaning
        );
    }
    page
}

/// Reads a variable of this process. Bytes that are not UTF-8 become replacement characters, so
/// that the value is refused where it matters instead of being taken as not set.
pub fn process_env(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}
