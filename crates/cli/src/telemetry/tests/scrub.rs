//! What is taken out and what stays.

use std::sync::LazyLock;

use proptest::prelude::*;

use crate::telemetry::Scrubber;

/// Compiling the patterns takes longer than a thousand lines.
static SCRUBBER: LazyLock<Scrubber> = LazyLock::new(|| Scrubber::new().unwrap());

const HEX64: &str = "0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789abcdef";
const JWT: &str = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLXNpZ25hdHVyZQ";

/// Each `§` stands for a planted secret; the second text is what must be left.
const FIELDS: &[(&str, &str)] = &[
    ("Bearer §", "Bearer ***"),
    ("bearer   §, next", "bearer   ***, next"),
    ("Authorization: Bearer §", "Authorization: Bearer ***"),
    ("authorization: Basic §==", "authorization: Basic ***"),
    (r#"{"authorization":"§"}"#, r#"{"authorization":"***"}"#),
    (
        r#"{\"Proxy-Authorization\": \"Basic §\"}"#,
        r#"{\"Proxy-Authorization\": \"Basic ***\"}"#,
    ),
    ("postgres://ada:§@db:5432/x", "postgres://ada:***@db:5432/x"),
    ("redis://:§@cache", "redis://:***@cache"),
    ("amqp://u:p@§@h/v", "amqp://u:***@h/v"),
    ("GET /x?token=§&page=2", "GET /x?token=***&page=2"),
    ("?access_token=§", "?access_token=***"),
    ("api_key=§ done", "api_key=*** done"),
    ("apiKey=§", "apiKey=***"),
    ("x-api-key: §", "x-api-key: ***"),
    ("client_secret=§", "client_secret=***"),
    (
        "PROLIFERATE_USER_TOKEN_SECRET=§",
        "PROLIFERATE_USER_TOKEN_SECRET=***",
    ),
    ("password=§", "password=***"),
    ("password=§,;)}§ user=ada", "password=*** user=ada"),
    ("password = § now", "password = *** now"),
    (
        r#"password="two § words" user="ada""#,
        r#"password="***" user="ada""#,
    ),
    (r#"password="a\"§" user=ada"#, r#"password="***" user=ada"#),
    (
        r#"{"password":"§","user":"ada"}"#,
        r#"{"password":"***","user":"ada"}"#,
    ),
    (
        r#"{"m":"{\"secret\":\"§\"}"}"#,
        r#"{"m":"{\"secret\":\"***\"}"}"#,
    ),
    (
        r#"Login { user: "ada", password: "§" }"#,
        r#"Login { user: "ada", password: "***" }"#,
    ),
    (r#"token: Some("§"), n: 1"#, r#"token: Some("***"), n: 1"#),
    ("token='§'", "token='***'"),
    (
        "\u{1b}[3mpassword\u{1b}[0m\u{1b}[2m=\u{1b}[0m§ \u{1b}[3muser",
        "\u{1b}[3mpassword\u{1b}[0m\u{1b}[2m=\u{1b}[0m*** \u{1b}[3muser",
    ),
    (
        "-----BEGIN PRIVATE KEY-----\n§\n§\n-----END PRIVATE KEY----- end",
        "*** end",
    ),
    (
        r#"{"pem":"-----BEGIN RSA PRIVATE KEY-----\n§","n":1}"#,
        r#"{"pem":"***","n":1}"#,
    ),
];

#[test]
fn fields_lose_their_secret_values() {
    for (template, expected) in FIELDS {
        let line = template.replace('§', "s3cr3tVALUE");
        let clean = SCRUBBER.scrub(&line);
        assert_eq!(clean, *expected, "{line}");
        assert_eq!(
            SCRUBBER.scrub(&clean),
            clean,
            "scrubbing twice changes nothing"
        );
    }
}

#[test]
fn secrets_are_known_by_their_shape() {
    let sandbox = format!("sbx_0192f0c1-2345-7abc-8def-0123456789ab_7_{HEX64}");
    for secret in [
        JWT,
        "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.",
        &format!("pk_{HEX64}"),
        "pk_0123456789abcdef",
        &sandbox,
        &sandbox.replacen("sbx_", "mdl_", 1),
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "github_pat_11ABCDEFG0123456789_abcdefghijklmnop",
        "sk-ant-api03-0123456789abcdefghij",
        "xoxb-123456789012-abcdefghijkl",
        "AKIAIOSFODNN7EXAMPLE",
    ] {
        for line in [
            secret.to_owned(),
            format!("failed for {secret}: no"),
            format!("({secret})"),
            format!("{{\"x\":\"{secret}\"}}"),
            format!("/path/{secret}/more"),
        ] {
            let clean = SCRUBBER.scrub(&line);
            assert!(
                !clean.contains(secret) && clean.contains("***"),
                "{line} -> {clean}"
            );
        }
    }
    for line in [
        format!("encryption key {HEX64}"),
        format!("key={HEX64}"),
        format!("secret: {HEX64}"),
        format!("USER_SECRETS_ENCRYPTION_KEY={HEX64}"),
        format!("keys 1:{HEX64},2:{HEX64}"),
        format!("hmac seed is '{HEX64}'"),
    ] {
        let clean = SCRUBBER.scrub(&line);
        assert!(
            !clean.to_lowercase().contains("0123456789abcdef"),
            "{line} -> {clean}"
        );
    }
}

#[test]
fn what_is_no_secret_stays() {
    for line in [
        "listening on http://127.0.0.1:7777",
        "GET https://example.com:443/a@b?email=ada@example.com",
        "git@github.com:org/repo.git",
        "ssh://git@github.com/org/repo.git",
        "tokens=400 token_count=5 max_tokens=100",
        "the bearer token is missing",
        "Bearer authentication is required",
        "secrets=12 secret_count=3",
        "idempotency_key=0192f0c1-2345-7abc-8def-0123456789ab",
        "violates constraint pk_session_connections",
        "pk_sessions",
        "token: expired",
        "password: must have at least 8 characters",
        "session 0192f0c1-2345-7abc-8def-0123456789ab is running",
        "image sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "digest 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "task-0123456789abcdef0123 risk-0123456789abcdef0123",
        "eyJust kidding",
        "--- BEGIN ---",
        "",
    ] {
        assert_eq!(SCRUBBER.scrub(line), line);
    }
}

#[test]
fn names_of_secret_fields() {
    for name in [
        "password",
        "access_token",
        "apiKey",
        "http.request.header.authorization",
        "db.password",
        "Secret",
    ] {
        assert!(SCRUBBER.is_secret_name(name), "{name}");
    }
    for name in ["token_count", "user", "key", "authorization_kind"] {
        assert!(!SCRUBBER.is_secret_name(name), "{name}");
    }
}

#[test]
fn long_lines_of_near_misses_are_scrubbed_in_linear_time() {
    // Quadratic work on any of these would take minutes, and a test runner would notice.
    for part in [
        "-----BEGIN A-----\n",
        "://a:",
        "key ",
        "eyJaaaa.",
        "password=\"\\",
        "bearer ",
        "pk_0123",
    ] {
        let line = part.repeat(256 * 1024 / part.len());
        assert!(SCRUBBER.scrub(&line).len() <= line.len() * 2);
    }
}

proptest! {
    #[test]
    fn a_planted_key_is_never_left(
        before in surroundings(),
        key in "[0-9a-f]{64}",
        after in surroundings(),
    ) {
        let planted = format!("pk_{key}");
        let line = format!("{before}{planted}{after}");
        let clean = SCRUBBER.scrub(&line);
        prop_assert!(!clean.contains(&planted), "{line} -> {clean}");
        prop_assert!(!clean.contains(&key), "{line} -> {clean}");
    }
}

/// Anything, and often the beginnings and ends that other patterns look for.
fn surroundings() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[ -~]{0,12}",
        prop::sample::select(vec![
            "\"",
            "\\\"",
            "'",
            "://",
            "://u:",
            "@",
            "Bearer ",
            "authorization: ",
            "token=",
            "\"password\":\"",
            "-----BEGIN X-----",
            "-----END X-----",
            "eyJabcd.",
            ".",
            "pk_",
            "p",
            "key ",
            "1:",
            "\u{1b}[2m",
            "\n",
            "&",
            "sk-",
            "sbx_",
            "mdl_",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}
