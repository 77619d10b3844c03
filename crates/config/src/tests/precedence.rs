//! Every setting from every source: flag over variable over file over default.

use std::{fmt::Write as _, path::Path};

use super::{Given, catalog, row};
use crate::{
    DatabaseUrl, Overrides, Setting, admission, coordination, data_dir, database, fleet, identity,
    live, login, mail, model, policy, sandbox, server, storage, telemetry,
};

/// A setting, its default as shown, and what the file (as TOML), the variable and the flag say.
type Case = (
    Setting,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

/// Without those of the sources.
const CASES: &[Case] = &[
    (
        data_dir::DATA_DIR,
        "/home/ada/.local/share/proliferate",
        "'/f'",
        "/e",
        "/a",
    ),
    (
        server::LISTEN,
        "127.0.0.1:7777",
        "'[::1]:1'",
        "0.0.0.0:0",
        "10.0.0.1:3",
    ),
    (
        server::ADVERTISE_URL,
        "(from the address it listens on)",
        "'http://f'",
        "http://e",
        "http://a",
    ),
    (
        server::PUBLIC_URL,
        "(the advertised one)",
        "'https://f'",
        "https://e",
        "https://a",
    ),
    (
        server::CORS_ALLOWED_ORIGINS,
        "(none)",
        "['http://f','http://g']",
        "http://e",
        "http://a,http://b",
    ),
    (server::REQUEST_TIMEOUT, "30s", "'31s'", "32s", "33s"),
    (
        server::REQUEST_BODY_BYTES_MAX,
        "1048576",
        "5000",
        "5001",
        "5002",
    ),
    (server::REQUESTS_IN_FLIGHT_MAX, "1024", "11", "12", "13"),
    (
        server::TRUSTED_PROXIES,
        "(none)",
        "['10.0.0.0/8','fd00::/8']",
        "192.0.2.7/32",
        "10.0.0.0/8,172.16.0.0/12",
    ),
    (
        server::METRICS_LISTEN,
        "(with everything else)",
        "'10.0.0.1:9'",
        "10.0.0.2:9",
        "10.0.0.3:9",
    ),
    (server::SHUTDOWN_DRAIN, "20s", "'0s'", "1m", "1500ms"),
    (
        database::URL,
        "sqlite:/home/ada/.local/share/proliferate/proliferate.db",
        "'sqlite:/f'",
        "postgres://e/d",
        "postgresql://a/d",
    ),
    (database::CONNECTIONS_MAX, "8", "1", "2", "500"),
    (database::ACQUIRE_TIMEOUT, "5s", "'1s'", "2s", "3s"),
    (database::STATEMENT_TIMEOUT, "10s", "'1s'", "2s", "3s"),
    (
        coordination::URL,
        "memory://",
        "'redis://f'",
        "rediss://e",
        "redis://a:1/2",
    ),
    (
        storage::URL,
        "/home/ada/.local/share/proliferate/blobs",
        "'s3://fff/p'",
        "/e",
        "s3://aaa",
    ),
    (
        storage::S3_ENDPOINT,
        "(Amazon's, in the region)",
        "'https://f'",
        "https://e",
        "http://127.0.0.1:9000",
    ),
    (storage::S3_REGION, "us-east-1", "'f'", "e", "a"),
    (storage::S3_ACCESS_KEY_ID, "(not set)", "'f'", "e", "a"),
    (policy::DIRECTORY, "(built in)", "'f'", "e", "a"),
    (policy::SAFETY_LOCK, "off", "'on'", "on", "on"),
    (policy::EGRESS_ALLOW, "(none)", "['f:1']", "e:2", "a:3"),
    (sandbox::PROVIDER, "auto", "'root'", "rootless", "container"),
    (
        sandbox::DIRECTORY,
        "/home/ada/.local/share/proliferate/sandboxes",
        "'/f'",
        "/e",
        "/a",
    ),
    (
        sandbox::AGENT_DIRECTORY,
        "(that of the source tree)",
        "'/f'",
        "/e",
        "/a",
    ),
    (
        sandbox::CONTAINER_SOCKET,
        "(the first usual one)",
        "'/f.sock'",
        "unix:///e.sock",
        "/a.sock",
    ),
    (
        sandbox::CONTAINER_IMAGE,
        "localhost/proliferate-sandbox:latest",
        "'f'",
        "e",
        "a",
    ),
    (
        sandbox::LISTEN,
        "(beside that for users)",
        "'10.0.0.1:8'",
        "10.0.0.2:8",
        "10.0.0.3:8",
    ),
    (
        sandbox::GATEWAY_ADDRESS,
        "(that of this instance)",
        "'10.0.0.1:1'",
        "10.0.0.2:2",
        "[::1]:3",
    ),
    (sandbox::LIFETIME, "(none)", "'11m'", "12m", "13m"),
    (live::HUBS_MAX_SETTING, "500", "1", "2", "3"),
    (live::IDLE_TTL, "5m", "'1s'", "2s", "3s"),
    (live::FORWARD, "on", "'off'", "off", "off"),
    (fleet::OPERATORS, "(none)", "['f','g']", "e", "a,b"),
    (
        admission::URL,
        "(not set)",
        "'https://f'",
        "http://e:1/a",
        "https://a/b",
    ),
    (admission::TIMEOUT, "5s", "'1s'", "2s", "3s"),
    (admission::ON_FAILURE, "deny", "'admit'", "deny", "admit"),
    (
        model::UPSTREAM_URL,
        "https://api.anthropic.com",
        "'https://f'",
        "http://e:4000",
        "https://a",
    ),
    (
        model::KEY_HEADER,
        "x-api-key",
        "'bearer'",
        "bearer",
        "bearer",
    ),
    (model::SESSION_BUDGET, "none", "'5.00'", "2.50", "0.01"),
    (model::SCRIPTED, "auto", "'on'", "off", "on"),
    (model::SCRIPT, "(none)", "'f'", "e", "a"),
    (
        login::OIDC_ISSUER,
        "(not set)",
        "'https://f'",
        "https://e/",
        "https://a/b",
    ),
    (login::OIDC_CLIENT_ID, "(not set)", "'f'", "e", "a"),
    (login::OIDC_SCOPES, "email,profile", "['f','g']", "e", "a,b"),
    (
        login::OIDC_ALLOWED_DOMAINS,
        "(none)",
        "['f.example','g.example']",
        "*",
        "a.example",
    ),
    (login::OIDC_ORGANIZATION, "(not set)", "'f'", "e", "a"),
    (login::OIDC_ROLE, "member", "'admin'", "owner", "member"),
    // Is read, and may be empty.
    (
        login::OIDC_PROVIDERS_FILE,
        "(not set)",
        "'/dev/null'",
        "/dev/./null",
        "/dev//null",
    ),
    (mail::SMTP_HOST, "(not set)", "'f'", "e", "a"),
    (mail::SMTP_PORT, "587", "25", "465", "2525"),
    (
        mail::SMTP_ENCRYPTION,
        "starttls",
        "'tls'",
        "starttls",
        "tls",
    ),
    (mail::SMTP_CA_FILE, "(not set)", "'/f'", "/e", "/a"),
    (mail::SMTP_USER, "(not set)", "'f'", "e", "a"),
    (
        mail::FROM,
        "(not set)",
        "'f@f.example'",
        "e@e.example",
        "a@a.example",
    ),
    (identity::ISSUER, "proliferate", "'f'", "e", "a"),
    (identity::AUDIENCE, "proliferate-gateway", "'f'", "e", "a"),
    (telemetry::LOG_FORMAT, "auto", "'human'", "json", "human"),
    (
        telemetry::LOG_FILTER,
        "info,rmcp=warn",
        "'debug'",
        "info,store=trace",
        "warn",
    ),
    (
        telemetry::OTLP_ENDPOINT,
        "(not set)",
        "'http://f:4318'",
        "http://e:4318",
        "https://a",
    ),
    (telemetry::SERVICE_NAME, "proliferate", "'f'", "e", "a"),
    (telemetry::SAMPLING_RATIO, "1", "0.5", "0.25", "0"),
];

/// All of them, in the order of `config check`.
fn cases() -> Vec<Case> {
    let at = CASES
        .iter()
        .position(|case| case.0 == admission::ON_FAILURE);
    let at = at.unwrap() + 1;
    let mut all = CASES.to_vec();
    all.splice(at..at, common_cases().chain(special_cases()));
    all
}

fn common_cases() -> impl Iterator<Item = Case> {
    catalog().sources().iter().flat_map(|table| {
        let oauth = &table.source.oauth;
        let endpoint = |setting, default| {
            (
                setting,
                default,
                "'https://f/'",
                "https://e/x/",
                "https://a",
            )
        };
        let scopes: &'static str = oauth.scopes.join(",").leak();
        [
            (
                table.url,
                table.source.api_url,
                "'https://f'",
                "https://e",
                "https://a",
            ),
            (table.client_id, "(not set)", "'f'", "e", "a"),
            endpoint(table.authorize_url, oauth.authorize_url),
            endpoint(table.token_url, oauth.token_url),
            (table.scopes, scopes, "['f','g']", "e", "a,b"),
        ]
    })
}

fn special_cases() -> impl Iterator<Item = Case> {
    catalog().sources().iter().flat_map(|table| {
        let pkce = table.pkce.map(|pkce| (pkce, "off", "'on'", "on", "on"));
        let app = table.app.as_ref();
        let app = app.map(|app| (app.id, "(not set)", "'1'", "2", "3"));
        pkce.into_iter().chain(app)
    })
}

fn toml(setting: &Setting, value: &str) -> String {
    match setting.path.split_once('.') {
        Some((section, key)) => format!("version = 1\n[{section}]\n{key} = {value}\n"),
        None => format!("version = 1\n\n{} = {value}\n", setting.path),
    }
}

/// The file's value as it is shown.
fn shown(toml_value: &str) -> String {
    toml_value.replace(['\'', '[', ']'], "")
}

#[test]
fn the_first_source_that_has_a_value_wins() {
    for (setting, default, in_file, in_env, in_flag) in &cases() {
        let name = setting.env[0].name;
        let path = setting.path;
        let settings = Given::default().load().unwrap();
        assert_eq!(row(&settings, path), ((*default).into(), "default".into()));

        let given = Given::with_other_half(path).file(toml(setting, in_file));
        let (value, source) = row(&given.load().unwrap(), path);
        let expected = if *path == *server::LISTEN.path {
            "[::1]:1".into()
        } else {
            shown(in_file)
        };
        assert_eq!(
            (value, source),
            (expected, "file proliferate.toml:3".into())
        );

        let given = given.env(name, *in_env);
        let found = row(&given.load().unwrap(), path);
        assert_eq!(found, ((*in_env).into(), format!("env {name}")));

        let given = Given {
            flags: Overrides::default().with(setting, *in_flag),
            ..given
        };
        let found = row(&given.load().unwrap(), path);
        assert_eq!(found, ((*in_flag).into(), format!("flag {}", setting.flag)));
    }
}

#[test]
fn every_setting_has_a_case() {
    let cases = cases();
    let cases: Vec<&str> = cases.iter().map(|(setting, ..)| setting.path).collect();
    let settings: Vec<&str> = catalog().settings().map(|setting| setting.path).collect();
    assert_eq!(cases, settings);
}

#[test]
fn a_variable_set_to_nothing_counts_as_not_set() {
    let given = Given::default()
        .env("PROLIFERATE_LISTEN", " ")
        .file("version = 1\nserver.listen = '[::1]:2'\n");
    let settings = given.load().unwrap();
    assert_eq!(settings.server.listen, "[::1]:2".parse().unwrap());
}

#[test]
fn the_preferred_name_of_a_variable_wins_over_its_other_name() {
    let given = Given::default().env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://other:4318");
    let settings = given.load().unwrap();
    let expected = (
        "http://other:4318".into(),
        "env OTEL_EXPORTER_OTLP_ENDPOINT".into(),
    );
    assert_eq!(row(&settings, "telemetry.otlp_endpoint"), expected);

    let given = given.env("PROLIFERATE_OTLP_ENDPOINT", "http://ours:4318");
    let endpoint = given.load().unwrap().telemetry.otlp_endpoint.unwrap();
    assert_eq!(endpoint.expose(), "http://ours:4318");
}

#[test]
fn the_data_directory_follows_xdg_and_the_database_follows_it() {
    for (xdg, expected) in [
        ("/data", "/data/proliferate"),
        ("relative", "/home/ada/.local/share/proliferate"),
        ("", "/home/ada/.local/share/proliferate"),
    ] {
        let settings = Given::default().env("XDG_DATA_HOME", xdg).load().unwrap();
        assert_eq!(settings.data_dir, Path::new(expected));
        let DatabaseUrl::Sqlite(path) = &settings.database.url else {
            panic!("{:?}", settings.database.url);
        };
        assert_eq!(*path, Path::new(expected).join("proliferate.db"));
    }
    let error = Given::default().env("HOME", "").load().unwrap_err();
    assert!(
        error.to_string().contains("`data_dir` is not set"),
        "{error}"
    );
}

#[test]
fn paths_in_the_file_are_relative_to_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("p.toml");
    std::fs::write(&path, "version = 1\ndata_dir = 'state'\n").unwrap();
    let given = Given::default().env("PROLIFERATE_CONFIG", path.to_str().unwrap());
    let settings = given.load().unwrap();
    assert_eq!(settings.data_dir, directory.path().join("state"));
}

#[test]
fn connections_follow_the_kind_of_database() {
    let given = Given::default().env("PROLIFERATE_DATABASE_URL", "postgres://h/d");
    assert_eq!(given.load().unwrap().database.connections_max, 20);
}

#[test]
fn no_color_turns_colours_off() {
    assert!(Given::default().load().unwrap().telemetry.color);
    let settings = Given::default().env("NO_COLOR", "1").load().unwrap();
    assert!(!settings.telemetry.color);
    assert_eq!(
        row(&settings, "telemetry.color"),
        ("false".into(), "env NO_COLOR".into())
    );
}

#[test]
fn config_check_lists_every_setting_once() {
    let settings = Given::default().load().unwrap();
    let mut listing = String::new();
    for row in settings.effective() {
        writeln!(listing, "{} = {} ({})", row.setting, row.value, row.source).unwrap();
    }
    insta::assert_snapshot!("config_check", listing);
}
