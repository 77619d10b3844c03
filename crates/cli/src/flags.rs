//! Flags that set settings. They are made from `config`'s own table: name, meaning and variable are
//! written down once, and a flag that an error message names exists.

use std::{fmt, marker::PhantomData};

use clap::{Arg, ArgMatches, Command, FromArgMatches};
use config::{
    Overrides, Setting, coordination, database, encryption, fleet, identity, live, login, model,
    policy, sandbox, server, storage, telemetry,
};

use crate::load::CATALOG;

const INTEGRATIONS_HEADING: &str = "Integrations";

/// Settings that belong together in the help.
#[derive(Debug)]
pub(crate) struct Group {
    heading: &'static str,
    /// Shown by `-h` too; the others by `--help` alone.
    common: &'static [Setting],
    rare: &'static [Setting],
}

const SERVER: Group = Group {
    heading: "Server",
    common: &[server::LISTEN, server::ADVERTISE_URL, server::PUBLIC_URL],
    rare: &[
        server::CORS_ALLOWED_ORIGINS,
        server::REQUEST_TIMEOUT,
        server::REQUEST_BODY_BYTES_MAX,
        server::REQUESTS_IN_FLIGHT_MAX,
        server::TRUSTED_PROXIES,
        server::METRICS_LISTEN,
        server::SHUTDOWN_DRAIN,
    ],
};
const DATABASE: Group = Group {
    heading: "Database",
    common: &[database::URL],
    rare: &[
        database::CONNECTIONS_MAX,
        database::ACQUIRE_TIMEOUT,
        database::STATEMENT_TIMEOUT,
    ],
};
const COORDINATION: Group = Group {
    heading: "Coordination",
    common: &[coordination::URL],
    rare: &[],
};
const STORAGE: Group = Group {
    heading: "Storage",
    common: &[storage::URL],
    rare: &[
        storage::S3_ENDPOINT,
        storage::S3_REGION,
        storage::S3_ACCESS_KEY_ID,
        storage::S3_SECRET_ACCESS_KEY.file,
    ],
};
const POLICY: Group = Group {
    heading: "Policy",
    common: &[policy::DIRECTORY],
    rare: &[policy::SAFETY_LOCK, policy::EGRESS_ALLOW],
};
const SANDBOX: Group = Group {
    heading: "Sandboxes",
    common: &[sandbox::PROVIDER],
    rare: &[
        sandbox::DIRECTORY,
        sandbox::AGENT_DIRECTORY,
        sandbox::CONTAINER_SOCKET,
        sandbox::CONTAINER_IMAGE,
        sandbox::LISTEN,
        sandbox::GATEWAY_ADDRESS,
        sandbox::LIFETIME,
    ],
};
const LIVE: Group = Group {
    heading: "Live sessions",
    common: &[],
    rare: &[live::HUBS_MAX_SETTING, live::IDLE_TTL, live::FORWARD],
};
const FLEET: Group = Group {
    heading: "Fleet",
    common: &[],
    rare: &[fleet::OPERATORS],
};
/// Its flags are those of the built-in sources.
const INTEGRATIONS: Group = Group {
    heading: INTEGRATIONS_HEADING,
    common: &[],
    rare: &[],
};
const MODEL: Group = Group {
    heading: "Models",
    common: &[],
    rare: &[
        model::UPSTREAM_URL,
        model::API_KEY.file,
        model::KEY_HEADER,
        model::SESSION_BUDGET,
        model::SCRIPTED,
        model::SCRIPT,
    ],
};
const LOGIN: Group = Group {
    heading: "Login",
    common: &[],
    rare: &[
        login::OIDC_ISSUER,
        login::OIDC_CLIENT_ID,
        login::OIDC_CLIENT_SECRET.file,
        login::OIDC_SCOPES,
        login::OIDC_ALLOWED_DOMAINS,
        login::OIDC_ORGANIZATION,
        login::OIDC_ROLE,
    ],
};
const TOKENS: Group = Group {
    heading: "Tokens and keys",
    common: &[],
    rare: &[
        identity::USER_TOKEN_SECRET.file,
        identity::SERVICE_TOKEN_SECRET.file,
        identity::SANDBOX_TOKEN_SECRET.file,
        identity::ISSUER,
        identity::AUDIENCE,
        encryption::KEYS.file,
    ],
};
const TELEMETRY: Group = Group {
    heading: "Logs and traces",
    common: &[],
    rare: &[
        telemetry::LOG_FORMAT,
        telemetry::LOG_FILTER,
        telemetry::OTLP_ENDPOINT,
        telemetry::SERVICE_NAME,
        telemetry::SAMPLING_RATIO,
    ],
};

/// Which groups a command takes.
pub(crate) trait FlagSet {
    const GROUPS: &'static [Group];
}

/// Of a command that serves, or that checks the settings of one.
#[derive(Debug)]
pub(crate) struct All;
impl FlagSet for All {
    const GROUPS: &'static [Group] = &[
        SERVER,
        DATABASE,
        COORDINATION,
        STORAGE,
        POLICY,
        SANDBOX,
        LIVE,
        FLEET,
        INTEGRATIONS,
        MODEL,
        LOGIN,
        TOKENS,
        TELEMETRY,
    ];
}

/// Of a command that only works on the database.
#[derive(Debug)]
pub(crate) struct Stored;
impl FlagSet for Stored {
    const GROUPS: &'static [Group] = &[DATABASE, STORAGE, POLICY, TOKENS];
}

/// What was given, as settings.
pub(crate) struct Flags<S> {
    pub(crate) overrides: Overrides,
    set: PhantomData<fn() -> S>,
}

impl<S> fmt::Debug for Flags<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Flags").field(&self.overrides).finish()
    }
}

impl Group {
    /// Those that `-h` leaves out.
    fn rare(&self) -> impl Iterator<Item = &'static Setting> {
        let is_of_sources = self.heading == INTEGRATIONS_HEADING;
        let of_sources = is_of_sources.then(|| CATALOG.source_flags());
        self.rare.iter().chain(of_sources.into_iter().flatten())
    }
}

fn settings<S: FlagSet>() -> impl Iterator<Item = &'static Setting> {
    let groups = S::GROUPS.iter();
    groups.flat_map(|group| group.common.iter().chain(group.rare()))
}

impl<S: FlagSet> clap::Args for Flags<S> {
    fn augment_args(mut command: Command) -> Command {
        for group in S::GROUPS {
            for setting in group.common {
                command = command.arg(flag(setting, group.heading));
            }
            for setting in group.rare() {
                command = command.arg(flag(setting, group.heading).hide_short_help(true));
            }
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: FlagSet> FromArgMatches for Flags<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Self {
            overrides: Overrides::default(),
            set: PhantomData,
        };
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for setting in settings::<S>() {
            self.overrides
                .set_if(setting, matches.get_one::<String>(setting.path).cloned());
        }
        Ok(())
    }
}

fn flag(setting: &'static Setting, heading: &'static str) -> Arg {
    let long = setting.flag.trim_start_matches('-');
    let (meaning, variable) = setting
        .env
        .first()
        .map_or(("", ""), |variable| (variable.doc, variable.name));
    // Whether a variable is secret concerns its own page.
    let meaning = meaning.split(". Secret").next().unwrap_or_default();
    let meaning = meaning.trim_end_matches('.');
    Arg::new(setting.path)
        .long(long)
        .value_name(value_name(setting.path))
        .help(format!("{meaning} [env: {variable}]"))
        .help_heading(heading)
}

/// What kind of value it takes, by the unit that its name ends with.
fn value_name(path: &str) -> &'static str {
    let ends = |endings: &[&str]| endings.iter().any(|ending| path.ends_with(ending));
    if ends(&["_timeout", "_drain"]) {
        "DURATION"
    } else if ends(&["_max", "_ratio"]) {
        "NUMBER"
    } else if ends(&["url", "_endpoint"]) {
        "URL"
    } else if ends(&["_file", ".script"]) {
        "FILE"
    } else if ends(&["listen"]) {
        "ADDRESS"
    } else if ends(&["_origins"]) {
        "URLS"
    } else if ends(&["_proxies"]) {
        "NETWORKS"
    } else if ends(&["directory"]) {
        "DIR"
    } else if ends(&["_lock", "_pkce"]) {
        "on|off"
    } else if ends(&["_scripted", ".scripted"]) {
        "auto|on|off"
    } else if ends(&["_usd"]) {
        "DOLLARS"
    } else if ends(&["_allow"]) {
        "HOSTS"
    } else if ends(&["operators"]) {
        "IDS"
    } else {
        "TEXT"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_its_flag() {
        let mut flags: Vec<_> = settings::<All>().map(|setting| setting.path).collect();
        // Global: every command takes it.
        flags.push(config::data_dir::DATA_DIR.path);
        flags.sort_unstable();
        let mut known: Vec<_> = CATALOG
            .settings()
            .iter()
            .chain(CATALOG.secrets().iter().map(|secret| &secret.file))
            .map(|setting| setting.path)
            .collect();
        known.sort_unstable();
        assert_eq!(flags, known);
    }
}
