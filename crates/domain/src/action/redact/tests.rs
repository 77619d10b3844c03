//! What is taken out and what is not, case by case.

use secrecy::SecretString;
use serde_json::{Value, json};

use super::*;

fn plain(value: &Value) -> Value {
    redact(value, &Fingerprints::default()).value
}

fn text(text: &str) -> String {
    redact_text(text, &Fingerprints::default())
}

fn with(secret: &str, value: &Value) -> Redacted {
    redact(
        value,
        &Fingerprints::of([&SecretString::from(secret.to_owned())]),
    )
}

#[test]
fn defect_10_names_at_every_depth_and_in_lists_of_headers() {
    let value = json!({
        "title": "Fix it",
        "access_token": "abc",
        "nested": [{"client_secret": "abc", "x-api-key": ["a", "b"], "keep": 1}],
        "headers": [
            {"name": "Authorization", "value": "abc"},
            {"name": "Accept", "value": "text/html"},
            ["Cookie", "abc"],
            ["Accept", "text/html"],
        ],
        "credentials": {"user": "ann", "realm": "x"},
        "max_tokens": 4096,
        "password": null,
    });
    let expected = json!({
        "title": "Fix it",
        "access_token": MARK,
        "nested": [{"client_secret": MARK, "x-api-key": MARK, "keep": 1}],
        "headers": [
            {"name": "Authorization", "value": MARK},
            {"name": "Accept", "value": "text/html"},
            ["Cookie", MARK],
            ["Accept", "text/html"],
        ],
        "credentials": MARK,
        "max_tokens": 4096,
        "password": null,
    });
    let redacted = redact(&value, &Fingerprints::default());
    assert_eq!(
        (redacted.value, redacted.count, redacted.left_out),
        (expected, 6, 0)
    );
}

/// Each is assembled here, so that secret scanners do not report this file.
fn tokens() -> Vec<String> {
    let random = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0";
    let hex = "0123456789abcdef0123456789abcdef";
    let session = "0192f0c1-2345-7abc-8def-0123456789ab";
    vec![
        format!("ghp_{random}"),
        format!("gho_{random}"),
        format!("github_pat_{random}"),
        format!("glpat-{random}"),
        format!("xoxb-{}", "123456789012-abcdefghij"),
        format!("xoxp-{}", "123456789012"),
        format!("xapp-1-{}", "A0123456789"),
        format!("lin_api_{random}"),
        format!("lin_oauth_{hex}"),
        format!("sk-{random}"),
        format!("sk-ant-api03-{random}"),
        format!("sk_live_{}", &random[..20]),
        format!("AKIA{}", "IOSFODNN7EXAMPLE"),
        format!("AIza{}", &random[..35]),
        format!("ya29.{random}"),
        format!("sntrys_{random}"),
        format!("SG.{}.{random}", &random[..22]),
        format!("npm_{}", &random[..36]),
        format!(
            "eyJ{}.eyJ{}.{}",
            &random[..20],
            &random[..20],
            &random[..20]
        ),
        format!("pk_{hex}{hex}"),
        format!("sbx_{session}_3_{hex}"),
        random.to_owned(),
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLE9KE".to_owned(),
    ]
}

#[test]
fn tokens_are_known_by_their_shape_wherever_they_stand() {
    for token in tokens() {
        assert_eq!(text(&token), MARK, "{token}");
        assert_eq!(
            text(&format!("see {token}, please")),
            format!("see {MARK}, please")
        );
        let shown = plain(&json!({ &token: [{ "note": format!("<{token}>") }] }));
        assert_eq!(
            shown,
            json!({ MARK: [{ "note": format!("<{MARK}>") }] }),
            "{token}"
        );
    }
}

#[test]
fn text_that_is_no_secret_is_left_alone() {
    for harmless in [
        "The token was rotated; bearer authentication is on, basic information below.",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "0192f0c1-2345-7abc-8def-0123456789ab",
        "https://example.com/apps/web/src/components/coding-session/connectors-panel?page=2",
        "ThisIsALongCamelCaseIdentifierThatPeopleDoWrite2",
        "task-list-with-many-words-in-it-1 and risk-assessment-of-everything-2",
        "ssh://git@github.com/acme/web.git",
        "git@github.com:acme/web.git",
        "token_type=bearer&expires_in=3600&max_tokens=12",
        "a = b; key: value; author=ann",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "mail ann@example.com about it",
        "100% of 5\\n",
        MARK,
        LEFT_OUT,
        "",
    ] {
        assert_eq!(text(harmless), harmless);
    }
    let long_id = "1A2b3C4d5E6f7G8h9I0j1K2l3M4n5O6p7Q8r9S0t1U2v";
    let value = json!({"documentId": long_id, "sha": long_id});
    assert_eq!(plain(&value), value);
    assert_eq!(plain(&json!({ "body": long_id })), json!({ "body": MARK }));
}

#[test]
fn secrets_in_running_text() {
    let table = [
        (
            "Authorization: Bearer abc123def456",
            "Authorization: Bearer [redacted]",
        ),
        (
            "authorization: Basic dXNlcjpwYXNz1",
            "authorization: Basic [redacted]",
        ),
        ("Cookie: a=1; b=2\nnext", "Cookie: [redacted]\nnext"),
        ("postgres://ann:pw@db/x", "postgres://[redacted]@db/x"),
        ("https://tok@host/x", "https://[redacted]@host/x"),
        ("https://a:b@c@host/", "https://[redacted]@host/"),
        ("ssh://git:pw@host/", "ssh://[redacted]@host/"),
        (
            "GET /x?access_token=abc&page=2",
            "GET /x?access_token=[redacted]&page=2",
        ),
        (
            "https://b.s3.aws/x?X-Amz-Signature=abc&v=1",
            "https://b.s3.aws/x?X-Amz-Signature=[redacted]&v=1",
        ),
        (
            "env:\n  - DB_PASSWORD: hunter2\n  name: web",
            "env:\n  - DB_PASSWORD: [redacted]\n  name: web",
        ),
        ("API_KEY=abc npm start", "API_KEY=[redacted] npm start"),
        ("password='a b' next", "password='[redacted]' next"),
        (
            r#"failed: "client_secret": "abc" is wrong"#,
            r#"failed: "client_secret": "[redacted]" is wrong"#,
        ),
        (
            r#"x {\"token\":\"abc\"} y"#,
            r#"x {\"token\":\"[redacted]\"} y"#,
        ),
        (
            "https://hooks.slack.com/services/T0/B0/xyz ok",
            "https://[redacted] ok",
        ),
    ];
    for (given, expected) in table {
        assert_eq!(text(given), expected);
    }
    let key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\nbnNz\n-----END OPENSSH PRIVATE KEY-----";
    assert_eq!(text(&format!("a {key} b")), "a [redacted] b");
    assert_eq!(text(&format!("a {}", &key[..50])), "a [redacted]");
}

#[test]
fn json_written_as_text_is_opened() {
    let inner = json!({"token": "abc", "ok": true, "deep": json!({"pwd": "x"}).to_string()});
    let shown = text(&inner.to_string());
    let parsed: Value = serde_json::from_str(&shown).unwrap();
    let expected = json!({"token": MARK, "ok": true, "deep": json!({"pwd": MARK}).to_string()});
    assert_eq!(parsed, expected);
    // Without a secret it stays as it was written.
    let spaced = r#"{ "a" :  1.50 }"#;
    assert_eq!(text(spaced), spaced);
    // A member given twice is found in either place.
    assert!(!text(r#"{"password":"hunter2","password":""}"#).contains("hunter2"));
}

#[test]
fn case_46_a_secret_that_is_echoed_is_taken_out_wherever_it_stands() {
    let value = json!({
        "error": "no such user: hunter2-hunter2!",
        "hunter2-hunter2!": 1,
        "list": ["x hunter2-hunter2! y hunter2-hunter2!"],
        "basic": "dXNlcjpodW50ZXIyLWh1bnRlcjIh",
        "url": "/login?p=hunter2%2Dhunter2%21",
    });
    let expected = json!({
        "error": "no such user: [redacted]",
        MARK: 1,
        "list": ["x [redacted] y [redacted]"],
        "basic": MARK,
        "url": "/login?p=[redacted]",
    });
    let redacted = with("hunter2-hunter2!", &value);
    assert_eq!((redacted.value, redacted.count), (expected, 6));
    assert_eq!(
        with("12345678", &json!({"pin": 12_345_678})).value,
        json!({"pin": MARK})
    );
}

/// A token that was hidden in a longer run of letters becomes visible after the text before it is
/// removed.
#[test]
fn what_is_left_is_searched_again() {
    let token = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0";
    let value = json!(format!("{}hunter-hunter{token}", "a".repeat(200)));
    assert_eq!(plain(&value), value);
    let shown = with("hunter-hunter", &value);
    assert_eq!(
        shown.value,
        json!(format!("{}{MARK}{MARK}", "a".repeat(200)))
    );
    assert_eq!(shown.count, 2);
}

#[test]
fn the_caller_gets_all_but_what_was_resolved_for_the_call() {
    let value = json!({"token": "theirs", "echo": "got hunter2-hunter2!", "url": "https://a:b@c/"});
    let prints = Fingerprints::of([&SecretString::from("hunter2-hunter2!")]);
    let expected = json!({"token": "theirs", "echo": "got [redacted]", "url": "https://a:b@c/"});
    let scrubbed = scrub(&value, &prints);
    assert_eq!((scrubbed.value, scrubbed.count), (expected, 1));
}

#[test]
fn two_secrets_as_names_stay_two_members() {
    let secrets =
        ["alpha-1-alpha", "omega-2-omega"].map(|text| SecretString::from(text.to_owned()));
    let value = json!({"alpha-1-alpha": 1, "omega-2-omega": 2});
    let shown = redact(&value, &Fingerprints::of(&secrets)).value;
    assert_eq!(shown, json!({MARK: 1, "[redacted] 2": 2}));
}

#[test]
fn what_is_too_deep_or_too_long_is_left_out_and_counted() {
    let mut deep = json!("bottom");
    for _ in 0..JSON_DEPTH_MAX {
        deep = json!([deep]);
    }
    assert_eq!(redact(&deep, &Fingerprints::default()).left_out, 0);
    let deeper = redact(&json!([deep]), &Fingerprints::default());
    assert_eq!(deeper.left_out, 1);
    assert!(!deeper.value.to_string().contains("bottom"));
    let long = json!(["x ".repeat(REDACTION_BYTES_MAX / 2), "one more"]);
    let cut = redact(&long, &Fingerprints::default());
    assert_eq!((cut.left_out, &cut.value[1]), (1, &json!(LEFT_OUT)));
}

/// A quadratic algorithm would take hours.
#[test]
fn an_object_full_of_secrets_as_names_is_done_in_time() {
    let name = |number| format!("xoxb-{number:08}");
    let members: Map<String, Value> = (0..20_000).map(|n| (name(n), json!(n))).collect();
    let shown = redact(&Value::Object(members), &Fingerprints::default());
    assert_eq!(shown.count, 20_000);
    assert_eq!(shown.value.as_object().unwrap().len(), 20_000);
}

#[test]
fn case_35_what_is_bound_is_what_runs_not_what_is_shown() {
    use crate::action::fixture::call;
    let (one, other) = (
        json!({"password": "alpha-1"}),
        json!({"password": "beta-22"}),
    );
    assert_eq!(plain(&one), plain(&other));
    assert_ne!(call(&one).sha256(), call(&other).sha256());
}

#[test]
fn defect_9_what_is_executed_is_never_the_redacted_value() {
    let params = json!({"token": "abc", "title": "x"});
    let before = params.clone();
    let shown = plain(&params);
    assert_eq!(params, before);
    assert_ne!(shown, params);
}
