//! Secrets come by variable or by file, and nothing shows them.

use secrecy::{ExposeSecret as _, SecretString};

use super::{Given, catalog, row};
use crate::{Overrides, SecretSetting, Settings, encryption, identity, storage};

/// Planted where a secret goes, looked for where none may be.
fn planted(number: u8) -> String {
    hex::encode([number; 32])
}

fn all_set() -> Given {
    Given::default()
        .env("PROLIFERATE_USER_TOKEN_SECRET", planted(1))
        .env("PROLIFERATE_SERVICE_TOKEN_SECRET", planted(2))
        .env("PROLIFERATE_SANDBOX_TOKEN_SECRET", planted(3))
        .env("PROLIFERATE_ENCRYPTION_KEYS", format!("4:{}", planted(4)))
        .env(
            "PROLIFERATE_DATABASE_URL",
            "postgres://ada:planted5@db/x?sslpassword=planted6",
        )
        .env("PROLIFERATE_COORDINATION_URL", "redis://:planted7@cache")
        .env("PROLIFERATE_S3_SECRET_ACCESS_KEY", planted(9))
        .env("PROLIFERATE_SLACK_CLIENT_ID", "1.2")
        .env("PROLIFERATE_SLACK_CLIENT_SECRET", planted(9))
        .env("PROLIFERATE_GITHUB_APP_ID", "12")
        .env("PROLIFERATE_GITHUB_APP_PRIVATE_KEY", planted(9))
        .env("PROLIFERATE_ADMISSION_SECRET", planted(9))
        .env("ANTHROPIC_API_KEY", planted(9))
        .env("PROLIFERATE_OTLP_ENDPOINT", "http://ada:planted8@otel")
}

fn text_of(settings: &Settings, secret: &SecretSetting) -> Option<String> {
    let identity = &settings.identity;
    let text = match secret.value.path {
        "identity.user_token_secret" => &identity.user_token_secret,
        "identity.service_token_secret" => &identity.service_token_secret,
        "identity.sandbox_token_secret" => &identity.sandbox_token_secret,
        "storage.s3_secret_access_key" => &settings.storage.s3_secret_access_key,
        "model.api_key" => &settings.model.api_key,
        "admission.secret" => &settings.admission.secret,
        "login.oidc_client_secret" => &settings.login.oidc_client_secret,
        "mail.smtp_password" => &settings.mail.smtp_password,
        "encryption.keys" => {
            let (_, key) = settings.encryption.keys.as_ref()?.newest();
            return Some(hex::encode(key.expose_secret()));
        }
        of_source => {
            let text = of_sources(settings, of_source);
            return text.map(|text| text.expose_secret().to_owned());
        }
    };
    text.as_ref().map(|text| text.expose_secret().to_owned())
}

/// The secret of a source that has this setting.
fn of_sources<'a>(settings: &'a Settings, path: &str) -> Option<&'a SecretString> {
    for (table, source) in catalog()
        .sources()
        .iter()
        .zip(&settings.integrations.sources)
    {
        if table.client_secret.value.path == path {
            return source.client_secret.as_ref();
        }
        if (table.app.as_ref()).is_some_and(|app| app.private_key.value.path == path) {
            return source.app_private_key.as_ref();
        }
    }
    panic!("{path}")
}

#[test]
fn nothing_printable_contains_a_secret() {
    let given = all_set();
    let settings = given.load().unwrap();
    let printed = format!(
        "{settings:?} {settings:#?} {:?} {:?}",
        settings.effective(),
        settings.require_secrets()
    );
    for number in [1, 2, 3, 4, 9] {
        assert!(!printed.contains(&planted(number)), "{number}: {printed}");
        assert!(
            !printed.contains(&format!("{number}, {number}, {number}")),
            "{printed}"
        );
    }
    assert!(!printed.contains("planted"), "{printed}");
    assert_eq!(
        row(&settings, "identity.user_token_secret").0,
        "(set, hidden)"
    );
    assert_eq!(
        row(&settings, "database.url").0,
        "postgres://ada:***@db/x?***"
    );

    let flags = Overrides::default().with(&crate::database::URL, "postgres://ada:planted5@db/x");
    assert!(!format!("{flags:?}").contains("planted"));
}

#[test]
fn each_secret_comes_by_every_name_and_by_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secret.key");
    std::fs::write(&path, format!("{}\r\n", planted(9))).unwrap();
    let path = path.to_str().unwrap();
    for secret in catalog().secrets() {
        for var in secret.value.env {
            let settings = Given::with_other_half(secret.value.path)
                .env(var.name, planted(9))
                .load()
                .unwrap();
            assert_eq!(text_of(&settings, secret), Some(planted(9)), "{}", var.name);
            assert_eq!(
                row(&settings, secret.value.path).1,
                format!("env {}", var.name)
            );
        }
        let variable = secret.file.env[0].name;
        let by_variable = Given::with_other_half(secret.value.path).env(variable, path);
        assert_eq!(
            text_of(&by_variable.load().unwrap(), secret),
            Some(planted(9))
        );

        let (section, key) = secret.file.path.split_once('.').unwrap();
        let by_file = Given::with_other_half(secret.value.path)
            .file(format!("version = 1\n[{section}]\n{key} = '{path}'\n"));
        let settings = by_file.load().unwrap();
        assert_eq!(text_of(&settings, secret), Some(planted(9)));
        assert_eq!(
            row(&settings, secret.value.path).1,
            "file proliferate.toml:3"
        );

        // A variable wins over the file, a flag over the variable.
        let by_file = by_file.env(secret.value.env[0].name, planted(8));
        assert_eq!(text_of(&by_file.load().unwrap(), secret), Some(planted(8)));
        let by_flag = Given {
            flags: Overrides::default().with(&secret.file, path),
            ..by_file
        };
        assert_eq!(text_of(&by_flag.load().unwrap(), secret), Some(planted(9)));

        let twice = Given::with_other_half(secret.value.path)
            .env(secret.value.env[0].name, planted(8))
            .env(variable, path);
        let error = twice.load().unwrap_err();
        assert!(error.to_string().contains("is set twice"), "{error}");
    }
}

#[test]
fn a_secret_in_the_settings_file_is_refused_with_a_hint() {
    for secret in catalog().secrets() {
        let (section, key) = secret.value.path.split_once('.').unwrap();
        let text = format!("version = 1\n[{section}]\n{key} = '{}'\n", planted(9));
        let error = Given::default().file(text).load().unwrap_err();
        let shown = error.to_string();
        assert!(shown.contains("must not be written in the file"), "{shown}");
        assert!(shown.contains(secret.value.env[0].name), "{shown}");
        assert!(shown.contains(secret.file.path), "{shown}");
        assert!(!shown.contains(&planted(9)), "{shown}");
    }
}

#[test]
fn a_password_in_the_settings_file_is_refused_with_a_hint() {
    for (section, key, url, variable) in [
        (
            "database",
            "url",
            "postgres://ada:planted5@db/x",
            "PROLIFERATE_DATABASE_URL",
        ),
        (
            "database",
            "url",
            "postgres://ada@db/x?Password=planted5",
            "PROLIFERATE_DATABASE_URL",
        ),
        (
            "coordination",
            "url",
            "redis://:planted5@cache",
            "PROLIFERATE_COORDINATION_URL",
        ),
        (
            "telemetry",
            "otlp_endpoint",
            "http://ada:planted5@otel",
            "PROLIFERATE_OTLP_ENDPOINT",
        ),
    ] {
        let text = format!("version = 1\n[{section}]\n{key} = '{url}'\n");
        let shown = Given::default().file(text).load().unwrap_err().to_string();
        assert!(shown.contains("contains a password"), "{shown}");
        assert!(
            shown.contains(&format!("set {variable} instead")),
            "{shown}"
        );
        assert!(!shown.contains("planted5"), "{shown}");
    }
    let text = "version = 1\n[database]\nurl = 'postgres://ada@db/x?sslmode=require'\n";
    assert!(Given::default().file(text).load().is_ok());
}

#[test]
fn the_error_names_every_secret_that_is_missing() {
    let settings = Given::default().load().unwrap();
    let error = settings.require_secrets().unwrap_err();
    let named: Vec<_> = error.problems.iter().map(|p| p.setting.as_str()).collect();
    // S3 may be used with the credentials of the machine, or not at all, and services without a client or its secret. Without a
    // key there is no model, or a scripted one.
    let needed = || {
        let optional = |secret: &SecretSetting| {
            *secret == storage::S3_SECRET_ACCESS_KEY
                || *secret == crate::model::API_KEY
                || *secret == crate::login::OIDC_CLIENT_SECRET
                || *secret == crate::mail::SMTP_PASSWORD
                || *secret == crate::admission::SECRET
                || secret.value.path.starts_with("integrations.")
        };
        catalog().secrets().filter(move |secret| !optional(secret))
    };
    let expected: Vec<_> = needed().map(|secret| secret.value.path).collect();
    assert_eq!(named, expected);
    assert_eq!(settings.missing_secrets(), needed().collect::<Vec<_>>());

    let settings = all_set().load().unwrap();
    assert!(settings.missing_secrets().is_empty());
    let secrets = settings.require_secrets().unwrap();
    assert_eq!(secrets.encryption_keys.newest().0, 4);
    assert_eq!(secrets.user_token_secret.expose_secret(), planted(1));
}

#[test]
fn files_that_hold_no_secret_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("empty", b"\n".to_vec()),
        ("large", vec![b'x'; 64 * 1024 + 1]),
        ("binary", vec![0xff; 64]),
    ] {
        let path = directory.path().join(name);
        std::fs::write(&path, content).unwrap();
        let flags =
            Overrides::default().with(&identity::USER_TOKEN_SECRET.file, path.to_str().unwrap());
        let error = Given {
            flags,
            ..Given::default()
        }
        .load()
        .unwrap_err();
        assert_eq!(
            error.problems[0].setting, "identity.user_token_secret_file",
            "{error}"
        );
    }
    let flags = Overrides::default().with(&encryption::KEYS.file, "/");
    assert!(
        Given {
            flags,
            ..Given::default()
        }
        .load()
        .is_err()
    );
}
