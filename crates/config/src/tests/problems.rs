//! What is refused, and that each refusal names the setting, its source and the way out.

use std::fmt::Write as _;

use super::Given;
use crate::{Overrides, ValueSource, server};

const SECRET: &str = "0123456789abcdef0123456789abcdef";

/// Variable, value, and the setting that must be named.
const BAD_VALUES: &[(&str, &str, &str)] = &[
    ("PROLIFERATE_LISTEN", "localhost", "server.listen"),
    ("PROLIFERATE_LISTEN", "1.2.3.4:99999", "server.listen"),
    ("PROLIFERATE_ADVERTISE_URL", "gw", "server.advertise_url"),
    ("PROLIFERATE_PUBLIC_URL", "gw", "server.public_url"),
    ("PROLIFERATE_OIDC_ISSUER", "login", "login.oidc_issuer"),
    ("PROLIFERATE_OIDC_ROLE", "king", "login.oidc_role"),
    (
        "PROLIFERATE_CORS_ALLOWED_ORIGINS",
        "*",
        "server.cors_allowed_origins",
    ),
    (
        "PROLIFERATE_CORS_ALLOWED_ORIGINS",
        "https://a.b/c",
        "server.cors_allowed_origins",
    ),
    (
        "PROLIFERATE_REQUEST_TIMEOUT",
        "30",
        "server.request_timeout",
    ),
    (
        "PROLIFERATE_REQUEST_TIMEOUT",
        "11m",
        "server.request_timeout",
    ),
    (
        "PROLIFERATE_REQUEST_BODY_BYTES_MAX",
        "1MB",
        "server.request_body_bytes_max",
    ),
    (
        "PROLIFERATE_REQUEST_BODY_BYTES_MAX",
        "1",
        "server.request_body_bytes_max",
    ),
    (
        "PROLIFERATE_REQUESTS_IN_FLIGHT_MAX",
        "0",
        "server.requests_in_flight_max",
    ),
    ("PROLIFERATE_SHUTDOWN_DRAIN", "1h", "server.shutdown_drain"),
    ("PROLIFERATE_DATABASE_URL", "mysql://h/d", "database.url"),
    (
        "PROLIFERATE_DATABASE_CONNECTIONS_MAX",
        "-1",
        "database.connections_max",
    ),
    (
        "PROLIFERATE_DATABASE_CONNECTIONS_MAX",
        "501",
        "database.connections_max",
    ),
    (
        "PROLIFERATE_DATABASE_ACQUIRE_TIMEOUT",
        "1ms",
        "database.acquire_timeout",
    ),
    (
        "PROLIFERATE_DATABASE_STATEMENT_TIMEOUT",
        "30s",
        "database.statement_timeout",
    ),
    (
        "PROLIFERATE_COORDINATION_URL",
        "nats://h",
        "coordination.url",
    ),
    (
        "PROLIFERATE_USER_TOKEN_SECRET",
        "short",
        "identity.user_token_secret",
    ),
    ("GATEWAY_JWT_SECRET", "short", "identity.user_token_secret"),
    (
        "SERVICE_TO_SERVICE_AUTH_TOKEN",
        "short",
        "identity.service_token_secret",
    ),
    (
        "PROLIFERATE_SANDBOX_TOKEN_SECRET",
        "short",
        "identity.sandbox_token_secret",
    ),
    (
        "PROLIFERATE_SANDBOX_TOKEN_SECRET_FILE",
        "/nonexistent",
        "identity.sandbox_token_secret_file",
    ),
    ("PROLIFERATE_ENCRYPTION_KEYS", "1:short", "encryption.keys"),
    ("USER_SECRETS_ENCRYPTION_KEY", "short", "encryption.keys"),
    ("PROLIFERATE_FLEET_OPERATORS", "org_a,*", "fleet.operators"),
    ("PROLIFERATE_LOG_FORMAT", "xml", "telemetry.log_format"),
    (
        "PROLIFERATE_OTLP_ENDPOINT",
        "localhost:4318",
        "telemetry.otlp_endpoint",
    ),
    (
        "PROLIFERATE_TRACE_SAMPLING_RATIO",
        "1.5",
        "telemetry.sampling_ratio",
    ),
    (
        "PROLIFERATE_TRACE_SAMPLING_RATIO",
        "NaN",
        "telemetry.sampling_ratio",
    ),
];

#[test]
fn every_bad_value_names_its_setting_its_variable_and_a_way_out() {
    for (variable, value, setting) in BAD_VALUES {
        let error = Given::default().env(variable, *value).load().unwrap_err();
        let [problem] = error.problems.as_slice() else {
            panic!("{variable}={value}: {error}");
        };
        assert_eq!(problem.setting, *setting, "{error}");
        assert_eq!(problem.source, ValueSource::Env(variable), "{error}");
        assert!(problem.hint.is_some(), "{error}");
    }
}

#[test]
fn an_issuer_needs_a_client_an_organization_and_domains() {
    let issuer = Given::default().env("PROLIFERATE_OIDC_ISSUER", "https://id.example");
    let error = issuer.load().unwrap_err();
    let settings: Vec<_> = error.problems.iter().map(|p| p.setting.as_str()).collect();
    let expected = [
        "login.oidc_client_id",
        "login.oidc_organization",
        "login.oidc_allowed_domains",
    ];
    assert_eq!(settings, expected);
    let whole = Given::with_other_half("login.oidc_issuer")
        .env("PROLIFERATE_OIDC_ISSUER", "https://id.example");
    assert!(whole.load().is_ok());
    for (variable, value, setting) in [
        (
            "PROLIFERATE_OIDC_ALLOWED_DOMAINS",
            "@acme",
            "login.oidc_allowed_domains",
        ),
        (
            "PROLIFERATE_OIDC_ALLOWED_DOMAINS",
            "ACME.example",
            "login.oidc_allowed_domains",
        ),
        (
            "PROLIFERATE_OIDC_ORGANIZATION",
            "no id",
            "login.oidc_organization",
        ),
    ] {
        let mut given = Given::default();
        for (name, good) in [
            ("PROLIFERATE_OIDC_ISSUER", "https://id.example"),
            ("PROLIFERATE_OIDC_CLIENT_ID", "id"),
            ("PROLIFERATE_OIDC_ORGANIZATION", "org"),
            ("PROLIFERATE_OIDC_ALLOWED_DOMAINS", "*"),
        ] {
            given = given.env(name, if name == variable { value } else { good });
        }
        let error = given.load().unwrap_err();
        assert_eq!(error.problems[0].setting, setting, "{error}");
    }
}

#[test]
fn names_must_have_text() {
    for (section, key) in [
        ("identity", "issuer"),
        ("identity", "audience"),
        ("telemetry", "service_name"),
        ("telemetry", "log_filter"),
    ] {
        let text = format!("version = 1\n[{section}]\n{key} = ''\n");
        let error = Given::default().file(text).load().unwrap_err();
        assert_eq!(error.problems[0].setting, format!("{section}.{key}"));
    }
}

#[test]
fn a_bad_flag_names_the_flag() {
    let given = Given {
        flags: Overrides::default().with(&server::LISTEN, "nowhere"),
        ..Given::default()
    };
    let error = given.load().unwrap_err();
    assert_eq!(error.problems[0].source, ValueSource::Flag("--listen"));
}

#[test]
fn token_secrets_must_differ_from_each_other() {
    let given = Given::default()
        .env("PROLIFERATE_USER_TOKEN_SECRET", SECRET)
        .env("PROLIFERATE_SERVICE_TOKEN_SECRET", SECRET)
        .env("PROLIFERATE_SANDBOX_TOKEN_SECRET", SECRET);
    let error = given.load().unwrap_err();
    let settings: Vec<_> = error.problems.iter().map(|p| p.setting.as_str()).collect();
    assert_eq!(
        settings,
        [
            "identity.service_token_secret",
            "identity.sandbox_token_secret"
        ]
    );
    assert!(!format!("{error} {error:?}").contains(SECRET));
}

#[test]
fn a_file_that_is_not_there_or_not_toml_or_too_large_is_refused() {
    let error = Given::default()
        .load_with(Some("/nonexistent.toml".into()))
        .unwrap_err();
    assert!(error.to_string().contains("/nonexistent.toml"), "{error}");

    let error = Given::default()
        .file(format!("version = 1\nx = = \"{SECRET}\"\n"))
        .load()
        .unwrap_err();
    assert!(error.to_string().contains("proliferate.toml:2"), "{error}");
    assert!(!error.to_string().contains(SECRET), "{error}");

    let error = Given::default()
        .file("#".repeat(1024 * 1024 + 1))
        .load()
        .unwrap_err();
    assert!(
        error.to_string().contains("more than 1048576 bytes"),
        "{error}"
    );
}

#[test]
fn the_version_is_required_and_another_one_ends_the_reading() {
    for (text, message) in [
        ("", "`version` is missing"),
        ("version = 2\nfuture = true\n", "`version` is not a version"),
        ("version = '1'\n", "`version` is not a version"),
    ] {
        let error = Given::default().file(text).load().unwrap_err();
        assert_eq!(error.problems.len(), 1, "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn nonsense_is_bounded() {
    let mut text = "version = 1\n".to_owned();
    for n in 0..5000 {
        writeln!(text, "nonsense_{n} = 1").unwrap();
    }
    writeln!(text, "\"{}\\u001b\" = 1", "x".repeat(1000)).unwrap();
    let error = Given::default().file(text).load().unwrap_err();
    assert_eq!(error.problems.len(), 5001);
    let shown = error.to_string();
    assert!(shown.ends_with("... and 4951 more"), "{shown}");
    assert!(shown.len() < 20_000, "{}", shown.len());
}

#[test]
fn a_file_with_many_mistakes_shows_them_all() {
    let text = format!(
        "data-dir = \"/x\"\nlisten = \"127.0.0.1:1\"\nuser_token_secret = \"{SECRET}\"\n\
         telemetry = \"json\"\n\
         [server]\nlisen = \"127.0.0.1:7777\"\nrequest_timeout = 30\n\
         request_body_bytes_max = -1\ncors_allowed_origins = [\"https://a.example\", \"*\"]\n\
         [database]\nurl = \"postgres://ada:{SECRET}@db:port/x\"\nacquire_timeout = \"40s\"\n\
         [identity]\nservice_token_secret = \"{SECRET}\"\n\
         sandbox_token_secret_file = \"missing.key\"\nissuer = \"\"\n\
         [encryption]\nkeys = \"1:{SECRET}{SECRET}\"\n\
         [colours]\nbackground = \"green\"\n"
    );
    let error = Given::default().file(text).load().unwrap_err();
    let shown = error.to_string();
    assert!(!shown.contains(SECRET), "{shown}");
    insta::with_settings!({filters => vec![(r"/[\w./-]+/(proliferate\.toml|missing\.key)", "$1")]}, {
        insta::assert_snapshot!("many_mistakes", shown);
    });
}
