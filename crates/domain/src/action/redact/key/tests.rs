//! Names that are a secret's, and names that only look like it.

use serde_json::json;

use super::*;

#[test]
fn names_are_taken_apart() {
    let table = [
        ("accessToken", vec!["access", "token"]),
        ("ACCESS_TOKEN", vec!["access", "token"]),
        ("x-api-key", vec!["x", "api", "key"]),
        ("APIKey", vec!["api", "key"]),
        ("oauth2Token1", vec!["oauth", "token"]),
        ("a..b", vec!["a", "b"]),
        ("", vec![]),
        ("42", vec![]),
    ];
    for (name, expected) in table {
        assert_eq!(words(name), expected, "{name}");
    }
}

#[test]
fn defect_10_secrets_under_every_spelling() {
    for name in [
        "token",
        "Token",
        "access_token",
        "accessToken",
        "accesstoken",
        "ACCESS-TOKEN",
        "refresh.token",
        "token_value",
        "id_token_hint_token",
        "tokens",
        "bot_token_2",
        "secret",
        "client_secret",
        "clientSecret",
        "clientsecret",
        "secret_key",
        "secrets",
        "password",
        "passwd",
        "db_password",
        "PasswordHash",
        "pwd",
        "pass",
        "passphrase",
        "authorization",
        "Proxy-Authorization",
        "authorization_header",
        "cookie",
        "Set-Cookie",
        "cookies",
        "api_key",
        "apikey",
        "apiKey",
        "X-Api-Key",
        "APIKEY",
        "x_api_keys",
        "private_key",
        "privateKey",
        "private-key-pem",
        "ssh_key",
        "signing_key",
        "access_key",
        "credentials",
        "auth",
        "jwt",
        "bearer",
        "otp",
        "pat",
    ] {
        assert!(names_secret(name, &json!("x")), "{name}");
        assert!(names_secret_text(name, "x"), "{name}");
    }
}

#[test]
fn names_that_only_look_like_it() {
    for name in [
        "token_count",
        "tokenCount",
        "token_type",
        "token_limit",
        "token_url",
        "tokenizer",
        "secret_name",
        "secretary",
        "password_policy",
        "passwordless",
        "cookie_policy",
        "authorization_url",
        "authorized",
        "author",
        "authors",
        "key",
        "keys",
        "public_key",
        "issue_key",
        "idempotency_key",
        "key_id",
        "access_key_id",
        "secret_id",
        "api",
        "compass",
        "passenger",
        "path",
        "title",
        "body",
        "",
        "teamId",
        "authentication",
        "expires_in",
        "token_expires_at",
        "broken",
        "nextPageToken",
        "next_token",
        "continuation-token",
        "keyboard",
        "pattern",
    ] {
        assert!(!names_secret(name, &json!("x")), "{name}");
    }
}

#[test]
fn numbers_under_a_name_that_counts_are_amounts() {
    let table = [
        ("max_tokens", json!(4096), false),
        ("total_tokens", json!("4096"), false),
        ("tokens", json!(12), false),
        ("input_token", json!(12), false),
        ("max_token", json!(12), false),
        ("token_count", json!(12), false),
        ("max_tokens", json!("abc"), true),
        ("tokens", json!(["abc"]), true),
        ("token", json!(123_456), true),
        ("otp", json!("123456"), true),
        ("password", json!(1), true),
        ("password", json!(null), false),
        ("password", json!(true), false),
        ("password", json!(""), false),
        ("cookies", json!({}), false),
        ("credentials", json!({"user": "u"}), true),
    ];
    for (name, value, secret) in table {
        assert_eq!(names_secret(name, &value), secret, "{name} {value}");
    }
}

#[test]
fn a_name_in_a_member_names_the_value_beside_it() {
    let member = |object: Value| named_member(object.as_object().unwrap());
    assert_eq!(
        member(json!({"name": "Authorization", "value": "x"})),
        Some("value")
    );
    assert_eq!(
        member(json!({"key": "API_KEY", "values": ["x"]})),
        Some("values")
    );
    assert_eq!(member(json!({"name": "Accept", "value": "x"})), None);
    assert_eq!(member(json!({"name": "password", "type": "string"})), None);
    assert_eq!(member(json!({"value": "x"})), None);
}

#[test]
fn ids_and_digests_are_told_by_their_names() {
    for name in [
        "documentId",
        "commit_sha",
        "etag",
        "next_cursor",
        "integrity",
    ] {
        assert!(names_identifier(name), "{name}");
    }
    for name in ["title", "password_hash", "idea", "token"] {
        assert!(!names_identifier(name), "{name}");
    }
}
